// Installs the frameworks and the packed package in .cache, by the lock files of __tests__/frameworks, and runs the tests of that folder there:
// all of them on the newest versions, and those that need LangChain alone on the oldest that are supported.
// node scripts/test-frameworks.mjs [newest|oldest] [arguments for jest …]
// node scripts/test-frameworks.mjs install: installs the frameworks alone.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { readPrograms } from "./documented-programs.mjs";
import { packInto } from "./pack.mjs";

const tests = "__tests__/frameworks";
const installMs = 120_000;
const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
/** By name, the folder of the lock file, and the tests that run. */
const sets = {
  newest: { locks: tests, only: [] },
  oldest: { locks: join(tests, "oldest"), only: ["in-a-run", "mcp-inputs"] },
};

const [first = "", ...others] = process.argv.slice(2);
const [asked, jestArguments] =
  first in sets ? [[first], others] : [Object.keys(sets), process.argv.slice(2)];
const tarball = resolve(".cache/frameworks-package.tgz");
if (first === "install")
  for (const [name, { locks }] of Object.entries(sets)) installFrameworks(toProject(name), locks);
else {
  mkdirSync(".cache", { recursive: true });
  renameSync(packInto(resolve(".cache")), tarball);
  for (const name of asked) testSet(name, sets[name]);
}

function toProject(set) {
  return resolve(".cache", set === "newest" ? "frameworks" : `frameworks-${set}`);
}

function testSet(set, { locks, only }) {
  const project = toProject(set);
  installFrameworks(project, locks);
  npm(project, "The package", ["install", "--no-save", "--prefer-offline", ...quiet, tarball]);
  for (const name of ["src", "support"])
    rmSync(join(project, name), { recursive: true, force: true });
  cpSync(tests, join(project, "src"), {
    recursive: true,
    filter: (file) =>
      !/node_modules|package|oldest/.test(file) &&
      (only.length === 0 || !file.endsWith(".test.ts") || only.some((name) => file.includes(name))),
  });
  cpSync("__tests__/support", join(project, "support"), { recursive: true });
  const env = { FRAMEWORKS_FOLDER: project, FRAMEWORKS_SET: set };
  // The types are those of the newest versions; the programs of the page are checked with them.
  if (set === "newest") {
    writePrograms(project);
    run(set, "TypeScript", resolve("node_modules/typescript/bin/tsc"), [
      "-p",
      join(project, "src/tsconfig.json"),
    ]);
  }
  const config = ["--config", resolve("jest.frameworks.config.mjs")];
  run(set, "jest", resolve("node_modules/jest/bin/jest.js"), [...config, ...jestArguments], env);
}

/** What is installed already stays, while the lock file is the same. */
function installFrameworks(project, locks) {
  mkdirSync(project, { recursive: true });
  const lock = readFileSync(join(locks, "package-lock.json"), "utf8");
  const installed = join(project, "installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
  rmSync(installed, { force: true });
  for (const name of ["package.json", "package-lock.json"])
    cpSync(join(locks, name), join(project, name));
  npm(project, "The frameworks", ["ci", ...quiet]);
  cpSync(join(locks, "package-lock.json"), installed);
}

/** The programs of the page, each in a file of the name in its first line, where the compiler checks them. */
function writePrograms(project) {
  const folder = join(project, "src/docs");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(readPrograms("docs/frameworks.md")))
    writeFileSync(join(folder, name), text);
}

function npm(project, what, args) {
  const { status, error } = spawnSync("npm", args, {
    cwd: project,
    stdio: "inherit",
    timeout: installMs,
  });
  if (status === 0) return;
  const why =
    error?.code === "ETIMEDOUT" ? `npm took longer than ${installMs / 1_000} s` : "npm failed";
  fail(`${what} could not be installed in ${project}: ${why}.`);
}

function run(set, what, program, args, environment = {}) {
  const { status } = spawnSync(
    process.execPath,
    ["--preserve-symlinks", "--no-warnings", program, ...args],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        ...environment,
        LANGSMITH_TRACING: "false",
        LANGCHAIN_TRACING_V2: "false",
        MASTRA_TELEMETRY_DISABLED: "1",
      },
    },
  );
  if (status !== 0) fail(`The tests on the ${set} frameworks failed: ${what}.`);
}

/** With the closing line that the continuous integration counts, where jest has not written one. */
function fail(message) {
  console.error(message);
  if (!message.endsWith("jest.")) console.log("\nTests: 0 passed, 1 failed");
  process.exit(1);
}
