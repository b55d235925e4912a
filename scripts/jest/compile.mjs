// Compiles sources and tests before the first test, where Node.js itself can import them: the vm contexts of Jest make look-ups of built-ins
// many times slower, and load every package anew for each test file. A file is compiled again when it has changed.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { transform } from "@swc/core";
import { entryPoints } from "../entry-points.mjs";
import { findCompiledFolder } from "./compiled-folder.mjs";

const packageName = "langchain-api-sources";
/** Folders with TypeScript; those that are absent are of another project. */
const compiledFolders = ["src", "__tests__", "examples", "support"];
/** Folders that tests import or read as they are. */
const linkedFolders = ["bench", "dist", "docs", "fuzz", "recipes", "scripts"];

/** The module that a test imports as `@jest/globals`; Jest's own throws where Jest does not load the test. */
const jestGlobals = new URL("jest-globals.mjs", import.meta.url);

/** Jest calls it once for each run, before its workers start. */
export default async function compileTests(_globalConfig, projectConfig) {
  const from = projectConfig.rootDir;
  const to = findCompiledFolder(projectConfig);
  const files = compiledFolders.flatMap((folder) => listFiles(from, folder));
  removeFormer(to, new Set(files.map(toCompiledName)));
  await Promise.all(files.map((file) => compileFile(from, to, file)));
  for (const folder of linkedFolders) linkFolder(from, to, folder);
  writePackage(from, to, projectConfig.testEnvironmentOptions.package);
  mkdirSync(join(to, "node_modules"), { recursive: true });
  // A package that is installed is each test file's own, too: its modules know what the process has seen.
  linkFolder(from, to, `node_modules/${packageName}`);
  const globals = join(to, "node_modules/@jest/globals");
  mkdirSync(globals, { recursive: true });
  writeFileSync(join(globals, "package.json"), '{ "exports": "./jest-globals.mjs" }\n');
  copyFileSync(jestGlobals, join(globals, basename(jestGlobals.pathname)));
}

function listFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const isTypeScript = (file) => /(?<!\.d)\.tsx?$/.test(file);
const toCompiledName = (file) => (isTypeScript(file) ? file.replace(/\.tsx?$/, ".js") : file);

/** A file that is no longer there must not be importable any more. */
function removeFormer(to, names) {
  for (const folder of compiledFolders) {
    for (const name of listFiles(to, folder)) if (!names.has(name)) rmSync(join(to, name));
  }
}

/** Two runs may compile at the same time: each file appears whole. */
async function compileFile(from, to, file) {
  const target = join(to, toCompiledName(file));
  const { mtime, mtimeMs } = statSync(join(from, file));
  if (existsSync(target) && statSync(target).mtimeMs === mtimeMs) return;
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  if (isTypeScript(file)) writeFileSync(draft, await compile(join(from, file)));
  else copyFileSync(join(from, file), draft);
  utimesSync(draft, mtime, mtime);
  renameSync(draft, target);
}

async function compile(file) {
  const { code } = await transform(readFileSync(file, "utf8"), {
    filename: file,
    swcrc: false,
    jsc: {
      target: "es2022",
      parser: { syntax: "typescript", tsx: file.endsWith("x") },
      experimental: { keepImportAttributes: true },
    },
    module: { type: "es6" },
    sourceMaps: "inline",
  });
  return code;
}

function linkFolder(from, to, folder) {
  const link = join(to, folder);
  const isThere = lstatSync(link, { throwIfNoEntry: false }) !== undefined;
  if (existsSync(join(from, folder)) && !isThere) symlinkSync(join(from, folder), link);
}

/** The package's own name: the compiled sources, the package as it was built, or none, where it is installed. */
function writePackage(from, to, kind) {
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  if (kind === "sources") Object.assign(manifest.exports, listSourceExports());
  if (kind === "installed") delete manifest.name;
  writeFileSync(join(to, "package.json"), JSON.stringify({ ...manifest, type: "module" }));
}

function listSourceExports() {
  const sources = Object.entries(entryPoints).map(([subpath, { source }]) => [
    subpath,
    `./${toCompiledName(source)}`,
  ]);
  return Object.fromEntries(sources);
}
