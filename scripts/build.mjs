// Builds the package as ESM and CommonJS, with its types; the record's JSON Schema is written from the zod schema. What is built already stays,
// while the files that it was made of are the same (`-- --anew` builds it in any case).
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";
import { entryPoints } from "./entry-points.mjs";

/** All that the build is made of. The lock file has the versions of the tools. */
const inputs = [
  "src",
  "scripts/build.mjs",
  "scripts/entry-points.mjs",
  "tsconfig.json",
  "tsconfig.esm.json",
  "tsconfig.page.json",
  "package.json",
  "package-lock.json",
];
/** Has the digest of the inputs of the last build that came to its end. */
const record = ".cache/built.txt";

const digest = digestInputs();
if (!process.argv.includes("--anew") && isBuilt()) process.exit();

/** By the name of its file in `dist/esm` and `dist/cjs`. */
const entries = Object.fromEntries(
  Object.values(entryPoints).map(({ name, source }) => [name, source]),
);
const options = {
  config: false,
  platform: "node",
  target: "node20",
  fixedExtension: false,
  // A file for each file of the sources: npm packs `esm/…/x.js` beside `cjs/…/x.js`, and two small files that are nearly the same take the
  // room of one in the tarball. Together in large ones they took 130 kB more.
  unbundle: true,
  // By the compiler itself: the types of a record are those of its zod schema.
  dts: { tsgo: { path: "node_modules/.bin/tsc" }, tsconfig: "tsconfig.esm.json" },
  // Every statement of the sources is published: a bundler takes calls such as decodeURIComponent(path) for free of side effects,
  // and removes the checks that consist of them.
  treeshake: false,
  minify: false,
  // Comments are for readers of the types in an editor; programs load less without them.
  outputOptions: { comments: false },
  // The timings of its own plugins are of no use here.
  inputOptions: { checks: { pluginTimings: false } },
  logLevel: "warn",
};

rmSync(record, { force: true });
rmSync("dist", { recursive: true, force: true });
// The command is ESM alone.
const commands = { cli: "src/cli/main.ts" };
await build({ ...options, entry: { ...entries, ...commands }, format: "esm", outDir: "dist/esm" });
const outExtensions = () => ({ js: ".js" });
const withoutTypes = { ...options, dts: false };
await build({
  ...withoutTypes,
  entry: entries,
  format: "cjs",
  outDir: "dist/cjs",
  outExtensions,
});
copyTypes("dist/esm", "dist/cjs");
await buildPage();
// Without this file Node would read dist/cjs/*.js as ESM, because the package is "type": "module".
writeFileSync("dist/cjs/package.json", `${JSON.stringify({ type: "commonjs" })}\n`);
// npm sets this mode when it installs; a link to this folder needs it too.
chmodSync("dist/esm/cli.js", 0o755);

const { apiSourceJsonSchema } = await import("../dist/esm/index.js");
writeFileSync("dist/api-source.schema.json", `${JSON.stringify(apiSourceJsonSchema, null, 2)}\n`);
mkdirSync(".cache", { recursive: true });
writeFileSync(record, digest);

function isBuilt() {
  return existsSync(record) && existsSync("dist") && readFileSync(record, "utf8") === digest;
}

function digestInputs() {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap(listFiles)) {
    hash.update(`${file}\n`);
    hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** The file itself, or every file below a folder. */
function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .sort();
}

/** Declarations are the same in both formats: which one they describe is decided by the nearest package.json. */
function copyTypes(from, to) {
  const files = readdirSync(from, { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".d.ts") && name !== "cli.d.ts")) {
    mkdirSync(join(to, file, ".."), { recursive: true });
    copyFileSync(join(from, file), join(to, file));
  }
}

/** The page of the inspector: one script with the library that it is made with, and its licence; one style sheet; and the document. */
async function buildPage() {
  const page = "extras/inspector/page";
  const banner = `/*!\npreact\n${readFileSync("node_modules/preact/LICENSE", "utf8")}*/`;
  await build({
    ...{
      config: false,
      tsconfig: "tsconfig.page.json",
      platform: "browser",
      target: "es2022",
      logLevel: "warn",
    },
    ...{
      entry: { page: "src/extras/inspector/page/main.tsx" },
      format: "esm",
      outDir: `dist/esm/${page}`,
      fixedExtension: false,
    },
    ...{ hash: false, dts: false, minify: true, outputOptions: { banner } },
    inputOptions: { checks: { pluginTimings: false } },
  });
  for (const name of ["page.html", "page.css"])
    copyFileSync(`src/${page}/${name}`, `dist/esm/${page}/${name}`);
  cpSync(`dist/esm/${page}`, `dist/cjs/${page}`, { recursive: true });
}
