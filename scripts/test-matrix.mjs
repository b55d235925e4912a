// Installs the packed tarball in an empty folder for each supported set of LangChain versions, and for each supported version of Node.js.
// There it runs a program of each way to use it, by ESM and CommonJS. On the newest Node.js the unit tests run, too: those that need only
// public entry points run on the installed package.
// node scripts/test-matrix.mjs [oldest|before|newest|node20|node22|node24 …]
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packInto } from "./pack.mjs";
import { listInnerTests } from "./package-tests.mjs";

const newestPackages = ["langchain", "@langchain/core", "deepagents", "@langchain/quickjs"];
const { devDependencies, peerDependenciesMeta } = JSON.parse(readFileSync("package.json", "utf8"));
const optionalPeers = Object.keys(peerDependenciesMeta).map((name) => `${name}@${devDependencies[name]}`);
/** The npm package `node` gets its binary by an install script from these, one for each system. */
const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** `overrides` only where a plain install of those versions would take a package that is too new for them. */
const sets = {
  // What `"@langchain/core": "^1.1.0"` among our peers promises.
  oldest: {
    packages: [
      "langchain@1.1.0",
      "@langchain/core@1.1.0",
      "@langchain/langgraph@1.0.2",
      "@langchain/langgraph-checkpoint@1.0.0",
    ],
  },
  // What a plain install gave before core 1.4.
  before: {
    packages: [
      "langchain@1.5.14",
      "@langchain/core@1.2.13",
      "@langchain/langgraph@1.4.18",
      "deepagents@1.14.1",
      "@langchain/quickjs@0.6.4",
    ],
    overrides: { "@langchain/langgraph-sdk": "1.12.4" },
  },
  // What a plain install gives today.
  newest: { packages: newestPackages },
  // The same on each supported Node.js, with the optional peers, so that CommonJS loads every entry point.
  node20: { node: "20", packages: [...newestPackages, ...optionalPeers] },
  node22: { node: "22", packages: [...newestPackages, ...optionalPeers] },
  node24: { node: "24", packages: [...newestPackages, ...optionalPeers], runsUnitTests: true },
};
const shownPackages = [
  "langchain",
  "@langchain/core",
  "@langchain/langgraph",
  "deepagents",
  "@langchain/quickjs",
];

const asked = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), "api-sources-matrix-"));
let failed = false;
try {
  const tarball = packInto(home);
  for (const [name, set] of Object.entries(sets)) {
    if (asked.length === 0 || asked.includes(name)) failed = !testSet(name, set, tarball) || failed;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function testSet(name, { node, packages, overrides = {}, runsUnitTests = false }, tarball) {
  const folder = mkdtempSync(join(home, `${name}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", overrides }));
  const startedMs = Date.now();
  try {
    const program = node === undefined ? process.execPath : installNode(node);
    install(folder, [tarball, ...packages]);
    const installed = shownPackages
      .map((each) => readVersion(folder, each))
      .filter((each) => each !== undefined);
    const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
    console.log(`${name}: Node.js ${version}, ${installed.join(", ")}`);
    if (!existsSync(join(folder, "node_modules/langchain-api-sources/dist/api-source.schema.json")))
      throw new Error("The schema that records name is not in the package.");
    for (const each of ["matrix-program.mjs", "commonjs-program.cjs"]) {
      copyFileSync(`scripts/${each}`, join(folder, each));
      run(program, [each], { cwd: folder, timeout: 120_000 });
    }
    if (runsUnitTests) {
      run(program, ["scripts/test-package.mjs", tarball], {});
      const jest = ["--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js"];
      run(program, [...jest, "--runTestsByPath", ...listInnerTests()], {});
    }
    return true;
  } catch (error) {
    console.log(`  FAIL  ${error.message}`);
    return false;
  } finally {
    console.log(`  ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  }
}

/** @returns the path of the newest binary of that major version */
function installNode(major) {
  const folder = join(home, `binary-${major}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  install(folder, ["--ignore-scripts", `${nodePackage}@${major}`]);
  const binary = process.platform === "win32" ? "node.exe" : "node";
  return join(folder, "node_modules", nodePackage, "bin", binary);
}

function install(folder, packages) {
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function run(program, args, options) {
  const env = { ...process.env, LANGSMITH_TRACING: "false", LANGCHAIN_TRACING_V2: "false" };
  execFileSync(program, args, { stdio: "inherit", env, ...options });
}

function readVersion(folder, name) {
  const file = join(folder, "node_modules", name, "package.json");
  return existsSync(file) ? `${name} ${JSON.parse(readFileSync(file, "utf8")).version}` : undefined;
}
