/** Keeps grants in files that only their owner reads; a lock file is the lease. */

import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  codeOf,
  removeAbandonedWrites,
  takeLock,
  writeFileAtomically,
} from "../../core/base/disk.js";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { hashText } from "../../core/base/text.js";
import type { TokenEntry, TokenKey, TokenStore } from "./token-store.js";

/** The beginning of an authorization is good for minutes; an older file of it was never finished. */
const forgottenAfterMs = 3_600_000;

/**
 * Keeps tokens in a directory, one file for each source and user, readable by its owner alone (0600, the directory 0700), written
 * whole or not at all. Processes that share the directory renew a token once: a lock file is the lease, and the lock of a process
 * that died is taken over.
 *
 * @param directory - Made when the first token is kept. A `.gitignore` in it keeps it out of a repository.
 *
 * @example
 * const toolkit = await ApiSourceToolkit.fromDirectory("sources", { tokenStore: fileTokenStore(".api-sources/tokens") });
 */
export function fileTokenStore(directory: string): TokenStore {
  const pathOf = ({ source, user, name }: TokenKey): string => {
    const own = hashText(JSON.stringify([user, name]));
    return join(directory, `${source.replace(/[^A-Za-z0-9_-]+/g, "_")}-${own}.json`);
  };
  return {
    read: (key) => readEntry(pathOf(key)),
    write: async (key, entry) => {
      await openDirectory(directory);
      await writeFileAtomically(pathOf(key), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    lease: async (key, leaseMs) => {
      await openDirectory(directory);
      return takeLock(`${pathOf(key)}.lock`, leaseMs);
    },
  };
}

async function readEntry(path: string): Promise<TokenEntry | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const entry = readPlainJson(text);
  // A broken file keeps nothing: a new token takes its place, or a person is asked to agree again.
  return isPlainObject(entry) ? entry : undefined;
}

async function openDirectory(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await writeFileAtomically(join(directory, ".gitignore"), "*\n");
  await removeAbandonedWrites(directory, Date.now());
  for (const name of await readdir(directory)) {
    if (!name.startsWith("0authorization-")) continue;
    const found = await stat(join(directory, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > forgottenAfterMs) {
      await rm(join(directory, name), { force: true });
    }
  }
}
