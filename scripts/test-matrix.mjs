// Installs the packed tarball in an empty folder for each supported set of LangChain versions, and for each supported version of Node.js.
// There it runs a program of each way to use it, by ESM and CommonJS. On the newest Node.js the unit tests run, too: those that need only
// public entry points run on the installed package.
// node scripts/test-matrix.mjs [oldest|before|newest …] [--whole]
// --whole: the unit tests run in their full size, with those of `npm run test:long`.
import { execFile, execFileSync } from "node:child_process";
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
import { promisify } from "node:util";
import { packInto } from "./pack.mjs";
import { listInnerTests } from "./package-tests.mjs";

const newestPackages = ["langchain", "@langchain/core", "deepagents", "@langchain/quickjs"];
const { devDependencies, peerDependenciesMeta } = JSON.parse(readFileSync("package.json", "utf8"));
const optionalPeers = Object.keys(peerDependenciesMeta).map(
  (name) => `${name}@${devDependencies[name]}`,
);
/** The npm package `node` gets its binary by an install script from these, one for each system. */
const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** `overrides` only where a plain install of those versions would take a package that is too new for them. */
const sets = {
  // What a plain install gives today on each supported Node.js, with the optional peers, so that CommonJS loads every entry point. The
  // files would be the same on each: they are installed once. The sets below load the package without these peers.
  newest: { nodes: ["20", "22", "24"], packages: [...newestPackages, ...optionalPeers] },
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
};
/** The newest Node.js, on which the unit tests run. */
const newestNode = "24";
const env = { ...process.env, LANGSMITH_TRACING: "false", LANGCHAIN_TRACING_V2: "false" };
const shownPackages = [
  "langchain",
  "@langchain/core",
  "@langchain/langgraph",
  "deepagents",
  "@langchain/quickjs",
];

/** Of `scripts/`: they use the package in every way that there is. */
const programs = ["matrix-program.mjs", "commonjs-program.cjs"];

const execute = promisify(execFile);
const isWhole = process.argv.includes("--whole");
const asked = process.argv.slice(2).filter((argument) => argument !== "--whole");
const home = mkdtempSync(join(tmpdir(), "api-sources-matrix-"));
const failed = [];
try {
  const tarball = packInto(home);
  const wanted = Object.entries(sets).filter(
    ([name]) => asked.length === 0 || asked.includes(name),
  );
  const waiting = [...wanted];
  // Installing waits for the disk and the network: two sets are tested at a time.
  const testWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, set] = next;
      const startedMs = Date.now();
      const report = await testSet(name, set, tarball).catch((error) => {
        failed.push(name);
        return `  FAIL  ${error.message}${error.stdout ?? ""}\n`;
      });
      console.log(`${report}  ${name}: ${Math.round((Date.now() - startedMs) / 1_000)} s`);
    }
  };
  await Promise.all([testWaiting(), testWaiting()]);
  for (const [name, { nodes }] of wanted)
    if (nodes?.includes(newestNode) && !runUnitTests(findNode(newestNode), tarball))
      failed.push(name);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = failed.length === 0 ? 0 : 1;

/** @returns what its programs printed */
async function testSet(name, { nodes, packages, overrides = {} }, tarball) {
  const folder = mkdtempSync(join(home, `${name}-`));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", overrides }),
  );
  await install(folder, [tarball, ...packages]);
  const installed = shownPackages
    .map((each) => readVersion(folder, each))
    .filter((each) => each !== undefined);
  if (!existsSync(join(folder, "node_modules/langchain-api-sources/dist/api-source.schema.json")))
    throw new Error("The schema that records name is not in the package.");
  for (const each of programs) copyFileSync(`scripts/${each}`, join(folder, each));
  let printed = "";
  for (const major of nodes ?? [undefined]) {
    if (major !== undefined) await installNode(major);
    const node = findNode(major);
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    printed += `${name}: Node.js ${version}, ${installed.join(", ")}\n`;
    for (const each of programs) printed += await runIn(folder, node, each);
  }
  return printed;
}

/** @returns what the program printed */
async function runIn(folder, node, program) {
  const options = { cwd: folder, env, timeout: 120_000 };
  const { stdout, stderr } = await execute(node, [program], options);
  return stdout + stderr;
}

/** The tests of public entry points on the installed package, and the others. */
function runUnitTests(program, tarball) {
  const size = isWhole ? ["--whole"] : [];
  const jest = ["--preserve-symlinks", "--no-warnings", "node_modules/jest/bin/jest.js"];
  const config = isWhole ? "jest.long.config.mjs" : "jest.config.mjs";
  const inner = ["--config", config, "--runTestsByPath", ...listInnerTests({ isWhole })];
  try {
    execFileSync(program, ["scripts/test-package.mjs", ...size, tarball], {
      stdio: "inherit",
      env,
    });
    execFileSync(program, [...jest, ...inner], { stdio: "inherit", env });
    return true;
  } catch (error) {
    console.log(`  FAIL  ${error.message}`);
    return false;
  }
}

/** Where the binary of a major version is; without one, this one. */
function findNode(major) {
  if (major === undefined) return process.execPath;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  return join(home, `binary-${major}`, "node_modules", nodePackage, "bin", binary);
}

async function installNode(major) {
  const folder = join(home, `binary-${major}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  await install(folder, ["--ignore-scripts", `${nodePackage}@${major}`]);
}

async function install(folder, packages) {
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  await execute("npm", args, { cwd: folder });
}

function readVersion(folder, name) {
  const file = join(folder, "node_modules", name, "package.json");
  return existsSync(file) ? `${name} ${JSON.parse(readFileSync(file, "utf8")).version}` : undefined;
}
