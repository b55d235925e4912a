/** A folder of a test file's own. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "@jest/globals";

export interface TestFolder {
  /** Known from the first `beforeAll` on. */
  readonly path: string;
  /** @param content - A text as it is, anything else as JSON. @returns the path of the file. */
  write(name: string, content: unknown): Promise<string>;
}

/** Makes the folder before the tests of the file that calls it, and removes it after them. */
export function openTestFolder(): TestFolder {
  let path = "";
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), "test-"));
  });
  afterAll(() => rm(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
  };
}
