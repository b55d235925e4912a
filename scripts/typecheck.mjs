// `npm run typecheck`: sources, tests, examples and the programs of README and docs in one run of the compiler, which reads the types of
// LangChain only once; then the page of the inspector. A program is checked as in a project that is `strict`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOwnPrograms } from "./documented-programs.mjs";

const folder = ".cache/types";
const programs = join(folder, "programs");

mkdirSync(programs, { recursive: true });
writePrograms(readOwnPrograms());
const { include, exclude } = JSON.parse(readFileSync("tsconfig.json", "utf8"));
const fromFolder = (path) => join("../..", path);
const config = {
  extends: fromFolder("tsconfig.json"),
  include: [...include.map(fromFolder), "programs"],
  exclude: exclude.map(fromFolder),
};
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
// One thread takes a quarter less of the processors, which the tests need.
const compiler = ["node_modules/typescript/bin/tsc", "-b", "--singleThreaded"];
const { status } = spawnSync(process.execPath, [...compiler, folder, "tsconfig.page.json"], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;

/** A program that is the same keeps its file, and one that is gone loses it. */
function writePrograms(texts) {
  for (const name of readdirSync(programs)) if (!(name in texts)) rmSync(join(programs, name));
  for (const [name, text] of Object.entries(texts)) {
    const file = join(programs, name);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
}
