/** What serves a rare case begins with a sign: a small GET enters few files and functions (`npm run meter -- --list` names them). */

import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { compilePrograms } from "./support/compiled-programs.js";

it("a small GET enters few files and functions", async () => {
  const { directory } = await compilePrograms({ folder: "one-call" });
  const rooms = await realpath(join(directory, "src"));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "bench/one-call.mjs",
    "--json",
    "--rooms",
    rooms,
  ]);
  const { files, entries } = JSON.parse(stdout);
  expect(files).toBeLessThanOrEqual(58);
  expect(entries).toBeLessThanOrEqual(480);
});
