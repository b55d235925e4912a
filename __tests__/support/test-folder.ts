/** A folder of a test file's own. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "@jest/globals";

/** Makes the folder before the tests of the file that calls it, and removes it after them. */
export function openTestFolder() {
  let path = "";
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), "test-"));
  });
  afterAll(() => rm(path, { recursive: true }));
  return {
    /** Known from the first `beforeAll` on. */
    get path(): string {
      return path;
    },
    /** @param content - A text as it is, anything else as JSON. @returns the path of the file. */
    async write(name: string, content: unknown): Promise<string> {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
  };
}
