/** A directory for the files of one test: new before each, and removed after it. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "@jest/globals";

/** Makes one for every test of the file. @returns what gives the path of a name in it; without a name that of the directory. */
export function useDirectory(): (...names: readonly string[]) => string {
  let directory = "";
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "test-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  return (...names) => join(directory, ...names);
}
