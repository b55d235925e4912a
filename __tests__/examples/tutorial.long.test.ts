/** The tutorial, command by command, as a reader types it. `UPDATE_DOCS=1` writes what the commands print into the page. */

import { type ChildProcess, spawn } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { compilePrograms } from "../support/compiled-programs.js";
import { readBlocks } from "../support/documents.js";
import { findFreePort } from "../support/find-free-port.js";
import { playPage } from "../support/played-page.js";

const page = "docs/tutorial.md";
const shownPort = "4640";
const files = "examples/tutorial";
const blocks = readBlocks(page);
let folder = "";
let port = "";
let path = "";
let api: ChildProcess | undefined;

beforeAll(async () => {
  const { directory } = await compilePrograms({ folder: "tutorial" });
  const home = resolve(directory, "..");
  folder = join(home, "notes");
  await cp(files, folder, { recursive: true });
  port = String(await findFreePort());
  for (const name of ["notes-api.mjs", "notes.openapi.json", "sources/notes.json"])
    await change(name, (text) => text.replaceAll(shownPort, port));
  // `npx api-sources` is the command of the package under test.
  const command = join(directory, "src/cli/main.js");
  await mkdir(join(home, "bin"));
  await writeFile(
    join(home, "bin/npx"),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${command}" "$@"\n`,
  );
  await chmod(join(home, "bin/npx"), 0o755);
  path = [join(home, "bin"), resolve(process.execPath, ".."), process.env["PATH"]].join(delimiter);
}, 60_000);
afterAll(() => {
  api?.kill();
});

it("prints what the page shows, command by command", async () => {
  const played = await playPage(page, type);
  expect(played.map(({ printed }) => printed)).toEqual(played.map(({ shown }) => shown));
});

it("shows its files as they are", async () => {
  const names = (await readdir(files, { recursive: true })).filter((name) =>
    /\.(?:mjs|json)$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(files, name), "utf8")));
  const shown = blocks.filter(({ language }) => language === "js" || language === "json");
  expect(shown.filter(({ text }) => !texts.includes(text))).toEqual([]);
  expect(shown).toHaveLength(2);
});

it("leaves no token in the recording", async () => {
  const recording = await readFile(join(folder, "recordings/notes.json"), "utf8");
  expect(recording).toContain("Note 3");
  expect(recording).not.toContain("notes-demo-token");
});

/** What a terminal shows of these lines: the API stays, the question is answered with y, and it is stopped before the last test. */
async function type(lines: string): Promise<string> {
  if (lines.startsWith("node notes-api.mjs")) {
    api = spawn(process.execPath, ["notes-api.mjs"], {
      cwd: folder,
      env: { PATH: path, PORT: port },
    });
    await new Promise((resolve) => api?.stdout?.once("data", resolve));
    return "";
  }
  if (lines.startsWith("node --test")) {
    api?.kill();
    await rm(join(folder, ".env"));
  }
  // One pipe for both, as a terminal has it: two would lose their order.
  const shell = spawn("sh", ["-c", `exec 2>&1\n${lines}`], {
    cwd: folder,
    env: { PATH: path, LANGSMITH_TRACING: "false" },
  });
  let output = "";
  const add = (chunk: Buffer): void => {
    output += chunk;
    if (output.endsWith("(y/n) ")) {
      output += "y\n";
      shell.stdin.write("y\n");
    }
  };
  shell.stdout.on("data", add);
  const code = await new Promise((resolve) => shell.once("close", resolve));
  if (lines.includes("node --test")) expect([lines, code]).toEqual([lines, 0]);
  return (
    output
      .replaceAll(port, shownPort)
      .replaceAll(/\S*\/notes\/sources/g, "/home/ada/notes/sources")
      .replaceAll(/\d+ ms +/g, "31 ms  ")
      .replaceAll(/TIME +/g, "TIME   ")
      // The command reports a wait on a slow machine.
      .replaceAll(/^.*: waiting, \d+ s\n/gm, "")
  );
}

async function change(name: string, edit: (text: string) => string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, edit(await readFile(file, "utf8")));
}
