/** The package as another process has it: nothing that its modules hold is shared. */

import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Imports it by another path: Node.js knows a module by its path, and the tests run with `--preserve-symlinks`. */
export async function importAnew(): Promise<typeof import("langchain-api-sources")> {
  const manifest = import.meta.resolve("langchain-api-sources/package.json");
  const entry = import.meta.resolve("langchain-api-sources");
  const folder = dirname(fileURLToPath(manifest));
  // Below the project, where its dependencies are found.
  await mkdir(resolve(".cache"), { recursive: true });
  const link = join(await mkdtemp(resolve(".cache/anew-")), "package");
  await symlink(folder, link);
  return import(join(link, relative(folder, fileURLToPath(entry))));
}
