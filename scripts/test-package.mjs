// Runs on the packed and installed package every test that needs only its public entry points, and a program that uses each export by CommonJS.
// node scripts/test-package.mjs [--whole] [TARBALL.tgz] [arguments for jest …]; without a tarball, the sources are built and packed.
// --whole: in their full size, as by `npm run test:long`.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packInto } from "./pack.mjs";
import { listPackageTests } from "./package-tests.mjs";

/** Tools that build or check the package; no test imports them. */
const buildTools = /^(?:@arethetypeswrong|@biomejs|tsdown$|publint$|typescript$|@types\/)/;
const copied = [
  "__tests__",
  "examples",
  "fuzz",
  "docs",
  "README.md",
  "jest.config.mjs",
  "jest.long.config.mjs",
  "scripts",
  "tsconfig.json",
];

const isWhole = process.argv.includes("--whole");
const given = process.argv.slice(2).filter((argument) => argument !== "--whole");
const [first, ...others] = given;
const [tarball, jestArguments] = first?.endsWith(".tgz")
  ? [resolve(first), others]
  : [undefined, given];
const project = mkdtempSync(join(tmpdir(), "api-sources-package-"));
try {
  install(tarball ?? packInto(project));
  const tests = new Set(listPackageTests());
  // A snapshot without its test counts as obsolete, which fails where CI is set.
  const isWanted = (source) => {
    const test = source.replace("__snapshots__/", "").replace(/\.snap$/, "");
    return !test.endsWith(".test.ts") || tests.has(test);
  };
  for (const name of copied)
    cpSync(name, join(project, name), { recursive: true, filter: isWanted });
  // The recipes that the tarball has, not those of this repository.
  cpSync(join(project, "node_modules/langchain-api-sources/recipes"), join(project, "recipes"), {
    recursive: true,
  });
  console.log(`${tests.size} test files run on the installed package.`);
  const isRight = run("node_modules/jest/bin/jest.js", [
    ...jestArguments,
    ...["--config", isWhole ? "jest.long.config.mjs" : "jest.config.mjs"],
    ...["--testMatch", "<rootDir>/__tests__/**/*.test.ts"],
    "--testPathIgnorePatterns=/node_modules/",
  ]);
  process.exitCode = run("scripts/commonjs-program.cjs", []) && isRight ? 0 : 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** An empty project with the tarball, and with what the tests import besides, in the versions of this repository's lockfile. */
function install(tarball) {
  const { devDependencies, scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const tools = Object.entries(devDependencies).filter(([name]) => !buildTools.test(name));
  const manifest = {
    ...{ name: "package-tests", version: "0.0.0", private: true, type: "module", scripts },
    dependencies: { "langchain-api-sources": `file:${tarball}`, ...Object.fromEntries(tools) },
  };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  const lockfile = JSON.parse(readFileSync("package-lock.json", "utf8"));
  delete lockfile.packages[""];
  writeFileSync(
    join(project, "package-lock.json"),
    JSON.stringify({ ...lockfile, name: manifest.name }),
  );
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", install, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
}

function run(program, args) {
  const { status } = spawnSync(
    process.execPath,
    ["--preserve-symlinks", "--no-warnings", program, ...args],
    {
      cwd: project,
      stdio: "inherit",
      env: { ...process.env, TEST_PACKAGE: "installed", LANGSMITH_TRACING: "false" },
    },
  );
  return status === 0;
}
