// Installs the frameworks and the packed package in .cache/frameworks, by the lock file of __tests__/frameworks, and runs the tests of that folder there.
// node scripts/test-frameworks.mjs [arguments for jest …]
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packInto } from "./pack.mjs";

const tests = "__tests__/frameworks";
const project = resolve(".cache/frameworks");
const installMs = 120_000;
const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];

install();
for (const name of ["src", "support"]) rmSync(join(project, name), { recursive: true, force: true });
cpSync(tests, join(project, "src"), {
  recursive: true,
  filter: (file) => !/node_modules|package/.test(file),
});
cpSync("__tests__/support", join(project, "support"), { recursive: true });
writePrograms();
run("TypeScript", resolve("node_modules/typescript/bin/tsc"), ["-p", join(project, "src/tsconfig.json")]);
run("jest", resolve("node_modules/jest/bin/jest.js"), [
  "--config",
  resolve("jest.frameworks.config.mjs"),
  ...process.argv.slice(2),
]);

/** What is installed already stays, while the lock file is the same. */
function install() {
  mkdirSync(project, { recursive: true });
  const lock = readFileSync(join(tests, "package-lock.json"), "utf8");
  const installed = join(project, "installed-lock.json");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
    rmSync(installed, { force: true });
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(tests, name), join(project, name));
    npm("The frameworks", ["ci", ...quiet]);
    cpSync(join(tests, "package-lock.json"), installed);
  }
  const tarball = join(project, "package.tgz");
  renameSync(packInto(project), tarball);
  npm("The package", ["install", "--no-save", "--prefer-offline", ...quiet, tarball]);
}

/** The programs of the page, each in a file of the name in its first line, where the compiler checks them. */
function writePrograms() {
  const folder = join(project, "src/docs");
  mkdirSync(folder, { recursive: true });
  const page = readFileSync("docs/frameworks.md", "utf8");
  for (const [, text, name] of page.matchAll(/^```ts\n(\/\/ ([\w-]+\.ts)\n[\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), text);
}

function npm(what, args) {
  const { status, error } = spawnSync("npm", args, { cwd: project, stdio: "inherit", timeout: installMs });
  if (status === 0) return;
  const why = error?.code === "ETIMEDOUT" ? `npm took longer than ${installMs / 1_000} s` : "npm failed";
  fail(`${what} could not be installed in ${project}: ${why}.`);
}

function run(what, program, args) {
  const { status } = spawnSync(
    process.execPath,
    ["--experimental-vm-modules", "--no-warnings", program, ...args],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        LANGSMITH_TRACING: "false",
        LANGCHAIN_TRACING_V2: "false",
        MASTRA_TELEMETRY_DISABLED: "1",
      },
    },
  );
  if (status !== 0) fail(`The tests on frameworks failed: ${what}.`);
}

/** With the closing line that the continuous integration counts, where jest has not written one. */
function fail(message) {
  console.error(message);
  if (!message.endsWith("jest.")) console.log("\nTests: 0 passed, 1 failed");
  process.exit(1);
}
