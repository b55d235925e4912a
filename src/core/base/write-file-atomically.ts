/** Writes a file whole or not at all: a crash in the middle leaves what was there before. */

import { randomBytes } from "node:crypto";
import { link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A temporary file that a killed process left is removed after this time: no write takes nearly as long. */
const abandonedAfterMs = 600_000;

/**
 * Writes beside the target, flushes to disk, and then moves into place (`rename` is atomic, POSIX.1-2017).
 *
 * @param options - `mode`: permissions of a new file (default 0o644). `exclusive`: refuses to replace a file (default false).
 * @returns false when `exclusive` is set and the file is there already.
 */
export async function writeFileAtomically(
  path: string,
  text: string | Uint8Array,
  { mode = 0o644, exclusive = false }: { readonly mode?: number; readonly exclusive?: boolean } = {},
): Promise<boolean> {
  const directory = dirname(path);
  const temporary = join(
    directory,
    `.${basename(path)}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`,
  );
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // `link` fails where the name is taken; `rename` would replace it.
    if (exclusive) await link(temporary, path);
    else await rename(temporary, path);
    await syncDirectory(directory);
    return true;
  } catch (error) {
    if (exclusive && codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes what killed processes left beside the file. */
export async function removeAbandonedWrites(directory: string, nowMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!/^\..+\.\d+\.[0-9a-f]{12}\.tmp$/.test(name)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && nowMs - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

/** Makes the new name itself durable across a power failure; not every file system offers it. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows can't open a directory.
  }
}

export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}
