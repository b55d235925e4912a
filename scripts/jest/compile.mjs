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
import { dirname, join } from "node:path";
import { transform } from "@swc/core";
import { entryPoints } from "../entry-points.mjs";
import { findCompiledFolder, findSharingFolder } from "./compiled-folder.mjs";

const packageName = "langchain-api-sources";
/** Folders with TypeScript; those that are absent are of another project. */
const compiledFolders = ["src", "__tests__", "examples", "support"];
/** Folders that tests import or read as they are. */
const linkedFolders = ["bench", "dist", "docs", "fuzz", "recipes", "scripts"];

/** The module that a test imports as `@jest/globals`; Jest's own throws where Jest does not load the test. */
const jestGlobals = new URL("jest-globals.mjs", import.meta.url);

/** How compiled tests import a file of `src`: their package.json says where it is. */
const sourcePrefix = "#src/";
const importOfSource = /(?<=\b(?:from |import\())"(?:\.\.\/)+src\//g;

/** Jest calls it once for each run, before its workers start. */
export default async function compileTests(_globalConfig, projectConfig) {
  const from = projectConfig.rootDir;
  const to = findCompiledFolder(projectConfig);
  const { package: kind } = projectConfig.testEnvironmentOptions;
  const files = compiledFolders.flatMap((folder) => listFiles(from, folder));
  removeWhereCompilerChanged(to);
  removeFormer(to, new Set(files.map(toCompiledName)));
  await Promise.all(files.map((file) => compileFile(from, to, file, kind)));
  for (const folder of linkedFolders) link(join(from, folder), join(to, folder));
  writePackage(from, to, kind);
  writeGlobals(to);
  // A package that is installed is the test file's own, too.
  link(join(from, "node_modules", packageName), join(to, "node_modules", packageName));
  shareSources(to, findSharingFolder(projectConfig), kind);
}

/**
 * The files again, for tests that share the modules of `src`: Node.js finds the package beside that folder, where all tests have the same path
 * of it.
 */
function shareSources(compiled, sharing, kind) {
  for (const folder of [...compiledFolders, ...linkedFolders])
    link(join(compiled, folder), join(sharing, folder));
  const imports = { [`${sourcePrefix}*`]: `${packageName}/src/*` };
  writeFileSync(join(sharing, "package.json"), JSON.stringify({ type: "module", imports }));
  writeGlobals(sharing);
  if (kind !== "installed") link(compiled, join(dirname(sharing), "node_modules", packageName));
}

function writeGlobals(folder) {
  const globals = join(folder, "node_modules/@jest/globals");
  mkdirSync(globals, { recursive: true });
  writeFileSync(join(globals, "package.json"), '{ "exports": "./jest-globals.mjs" }\n');
  copyFileSync(jestGlobals, join(globals, "jest-globals.mjs"));
}

function listFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const isTypeScript = (file) => /(?<!\.d)\.tsx?$/.test(file);
const toCompiledName = (file) => (isTypeScript(file) ? file.replace(/\.tsx?$/, ".js") : file);

/** Removes what another version of this file compiled. */
function removeWhereCompilerChanged(to) {
  const stamp = join(to, "compiler.txt");
  const compiler = String(statSync(new URL(import.meta.url)).mtimeMs);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === compiler) return;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  writeFileSync(stamp, compiler);
}

/** A file that is no longer there must not be importable any more. */
function removeFormer(to, names) {
  for (const folder of compiledFolders) {
    for (const name of listFiles(to, folder)) if (!names.has(name)) rmSync(join(to, name));
  }
}

/** Two runs may compile at the same time: each file appears whole. */
async function compileFile(from, to, file, kind) {
  const target = join(to, toCompiledName(file));
  const { mtime, mtimeMs } = statSync(join(from, file));
  if (existsSync(target) && statSync(target).mtimeMs === mtimeMs) return;
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  if (isTypeScript(file)) writeFileSync(draft, await compile(join(from, file), kind));
  else copyFileSync(join(from, file), draft);
  utimesSync(draft, mtime, mtime);
  renameSync(draft, target);
}

async function compile(file, kind) {
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
  return kind === "installed" ? code : code.replaceAll(importOfSource, `"${sourcePrefix}`);
}

function link(target, path) {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere || !existsSync(target)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** The package's own name: the compiled sources, the package as it was built, or none, where it is installed. */
function writePackage(from, to, kind) {
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  if (kind === "sources") Object.assign(manifest.exports, listSourceExports());
  if (kind === "installed") delete manifest.name;
  manifest.imports = { [`${sourcePrefix}*`]: "./src/*" };
  writeFileSync(join(to, "package.json"), JSON.stringify({ ...manifest, type: "module" }));
}

function listSourceExports() {
  const sources = Object.entries(entryPoints).map(([subpath, { source }]) => [
    subpath,
    `./${toCompiledName(source)}`,
  ]);
  return { ...Object.fromEntries(sources), "./src/*": "./src/*" };
}
