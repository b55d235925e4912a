// Installs the packed tarball in an empty folder for each set of LangChain versions that is supported, and runs one program there.
// node scripts/test-matrix.mjs [oldest|before|newest …]
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
  newest: { packages: ["langchain", "@langchain/core", "deepagents", "@langchain/quickjs"] },
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
  const tarball = pack(home);
  for (const [name, set] of Object.entries(sets)) {
    if (asked.length === 0 || asked.includes(name)) failed = !testSet(name, set, tarball) || failed;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function pack(folder) {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  const out = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return join(folder, JSON.parse(out)[0].filename);
}

function testSet(name, { packages, overrides = {} }, tarball) {
  const folder = mkdtempSync(join(home, `${name}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", overrides }));
  const startedMs = Date.now();
  try {
    const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball, ...packages];
    execFileSync("npm", install, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const installed = shownPackages
      .map((each) => readVersion(folder, each))
      .filter((each) => each !== undefined);
    console.log(`${name}: ${installed.join(", ")}`);
    if (!existsSync(join(folder, "node_modules/langchain-api-sources/dist/api-source.schema.json")))
      throw new Error("The schema that records name is not in the package.");
    copyFileSync("scripts/matrix-program.mjs", join(folder, "program.mjs"));
    execFileSync(process.execPath, ["program.mjs"], {
      cwd: folder,
      stdio: "inherit",
      timeout: 120_000,
      env: { ...process.env, LANGSMITH_TRACING: "false", LANGCHAIN_TRACING_V2: "false" },
    });
    return true;
  } catch (error) {
    console.log(`  FAIL  ${error.message}`);
    return false;
  } finally {
    console.log(`  ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  }
}

function readVersion(folder, name) {
  const file = join(folder, "node_modules", name, "package.json");
  return existsSync(file) ? `${name} ${JSON.parse(readFileSync(file, "utf8")).version}` : undefined;
}
