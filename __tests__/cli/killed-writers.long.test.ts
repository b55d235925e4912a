/** Processes that are killed in the middle of a write, and two that write at once: never a broken file, and nothing lost. */

import { type ChildProcess, spawn } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { SourceDirectory } from "langchain-api-sources";
import { openCommandLine } from "../support/command-line.js";

/** More by `KILLS=100 npm run test:long -- __tests__/cli/killed-writers`, which takes minutes. */
const killsOfEach = Number(process.env["KILLS"] ?? 25);
/** Enough that a write takes more than one step of the disk. */
const long = "a tagline that takes a moment to write ".repeat(20);

const killed = JSON.stringify({
  name: "Killed",
  api: { baseUrl: "https://killed.example", authType: "bearer" },
});

const command = await openCommandLine("cli-killed");
const { put, read, list } = command;
const sources = join(command.cwd, "sources");
beforeEach(() => mkdir(sources));

/** Kills the process at the n-th change of the directories, or lets it end. */
async function killAt(
  child: ChildProcess,
  directories: readonly string[],
  changes: number,
): Promise<void> {
  let seen = 0;
  const watchers: FSWatcher[] = directories.map((directory) =>
    watch(directory, () => {
      seen += 1;
      if (seen === changes) child.kill("SIGKILL");
    }),
  );
  await new Promise((ended) => child.once("close", ended));
  for (const watcher of watchers) watcher.close();
}

/** Whether the process left something half done behind. */
async function isInTheMiddle(): Promise<boolean> {
  const names = [...(await list()), ...(await list("sources"))];
  return names.some((name) => /\.(?:tmp|lock)$/.test(name));
}

async function clearUp(): Promise<void> {
  for (const folder of [".", "sources"])
    for (const name of await list(folder))
      if (name.endsWith(".tmp")) await rm(join(command.cwd, folder, name));
}

async function readProblems(): Promise<unknown[]> {
  const directory = await SourceDirectory.open(sources);
  return (await directory.list()).flatMap(({ problems }) => problems);
}

it(`has no broken record and no broken .env after ${killsOfEach} kills in the middle of set`, async () => {
  const others = "# mine\r\nOTHER='one\nKILLED_TOKEN=no\n'\n";
  await put(".env", `${others}KILLED_TOKEN=tok-start-end\nLAST=1\n`);
  await put("sources/killed.json", killed);
  const args = ["--", command.program, "set", "killed", "--yes", "--secret-stdin", "--tagline"];
  let inTheMiddle = 0;
  for (let turn = 0; turn < killsOfEach; turn += 1) {
    const child = spawn(process.execPath, [...args, `${turn} ${long}`], { cwd: command.cwd });
    child.stdin.end(`tok-${turn}-end`);
    await killAt(child, [command.cwd, sources], 1 + (turn % 14));
    if (await isInTheMiddle()) inTheMiddle += 1;
    expect(await readProblems()).toEqual([]);
    const text = await read(".env");
    const [, token = ""] = /^KILLED_TOKEN=(tok-\w+-end)$/m.exec(text.slice(others.length)) ?? [];
    expect(text).toBe(`${others}KILLED_TOKEN=${token}\nLAST=1\n`);
    await clearUp();
  }
  console.info(`${inTheMiddle} of ${killsOfEach} kills were in the middle of set`);
  expect(inTheMiddle).toBeGreaterThan(killsOfEach / 4);
  // Whatever the last one left behind stops nobody.
  const { code } = await command.run([...args.slice(2), "whole"], { input: "tok-last-end" });
  expect(code).toBe(0);
}, 600_000);

it(`has the source or not, and no half of one, after ${killsOfEach} kills in the middle of remove`, async () => {
  for (let turn = 0; turn < killsOfEach; turn += 1) {
    await put("sources/killed.json", killed);
    await put(".env", "KILLED_TOKEN=tok-start-end\nLAST=1\n");
    const args = ["--", command.program, "remove", "killed", "--yes", "--drop-credential"];
    await killAt(
      spawn(process.execPath, args, { cwd: command.cwd }),
      [command.cwd, sources],
      1 + (turn % 7),
    );
    // A lock that is left is taken over by the next process that writes.
    const names = (await list("sources")).filter((name) => name.endsWith(".json"));
    expect(names.length === 0 || (await read("sources/killed.json")) === killed).toBe(true);
    expect(await read(".env")).toMatch(/^(?:KILLED_TOKEN=tok-start-end\n)?LAST=1\n$/);
    // The credential goes after the record: a source without its credential is never left.
    if (names.length > 0) expect(await read(".env")).toContain("KILLED_TOKEN");
    await clearUp();
  }
}, 600_000);

it("loses nothing when two processes add at once", async () => {
  const turns = 15;
  const add = async (name: string): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      const slug = `${name}_${turn}`;
      const args = [
        "add",
        "--base-url",
        `https://${name}.example`,
        "--slug",
        slug,
        "--auth",
        "bearer",
      ];
      const { code } = await command.run([...args, "--no-test", "--secret-stdin"], {
        input: `tok-${slug}`,
        ownProcess: true,
      });
      expect(code).toBe(0);
    }
  };
  await Promise.all([add("one"), add("two")]);
  const slugs = ["one", "two"].flatMap((name) =>
    Array.from({ length: turns }, (_, turn) => `${name}_${turn}`),
  );
  const entries = await (await SourceDirectory.open(sources)).list();
  expect(entries.map(({ slug }) => slug).sort()).toEqual([...slugs].sort());
  const lines = (await read(".env")).trimEnd().split("\n");
  expect(lines.sort()).toEqual(
    slugs.map((slug) => `${slug.toUpperCase()}_TOKEN=tok-${slug}`).sort(),
  );
}, 300_000);
