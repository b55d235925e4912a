/** Keeps grants in files that only their owner reads; a lock file is the lease. */

import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { notConfigured } from "../errors.js";
import { codeOf, removeAbandonedWrites, writeFileAtomically } from "../registry/write-file-atomically.js";
import { hashText } from "../text.js";
import type { Release, TokenEntry, TokenKey, TokenStore } from "./token-store.js";

/** Who has a lock, and until when it counts; one that can't be read counts no more. */
const lockSchema = z
  .object({ holder: z.string(), pid: z.number(), host: z.string(), untilMs: z.number() })
  .catch({ holder: "", pid: 0, host: "", untilMs: 0 });
type Lock = z.infer<typeof lockSchema>;

/** What begins an authorization is good for minutes; a file of it that is older was never finished. */
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
  const pathOf = (key: TokenKey): string => join(directory, nameOf(key));
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

function nameOf({ source, user, name }: TokenKey): string {
  return `${source.replace(/[^A-Za-z0-9_-]+/g, "_")}-${hashText(JSON.stringify([user, name]))}.json`;
}

async function readEntry(path: string): Promise<TokenEntry | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const entry = parseObject(text);
  if (entry !== undefined) return entry;
  throw notConfigured(
    "token_store_failed",
    `The token file ${path} holds no JSON object.`,
    "Remove the file and log in again.",
  );
}

/** Undefined for what is no JSON object: it may be half a token, and no message shows it. */
function parseObject(text: string): TokenEntry | undefined {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
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

/**
 * Takes a lock file; the lock of a process that died, or whose time is up, is taken over.
 *
 * @returns undefined while somebody else has it.
 */
export async function takeLock(path: string, leaseMs: number): Promise<Release | undefined> {
  const holder = randomUUID();
  const lock: Lock = { holder, pid: process.pid, host: hostname(), untilMs: Date.now() + leaseMs };
  const take = (): Promise<boolean> =>
    writeFileAtomically(path, JSON.stringify(lock), { mode: 0o600, exclusive: true });
  if (!(await take())) {
    const held = await readLock(path);
    if (held !== undefined && !(isOver(held) && (await removeLock(path, held)))) return undefined;
    if (!(await take())) return undefined;
  }
  return async () => {
    if ((await readLock(path))?.holder === holder) await rm(path, { force: true });
  };
}

/** Moved away first: of two processes that saw the same dead lock, one finds that it moved the other's new one, and puts it back. */
async function removeLock(path: string, { holder }: Lock): Promise<boolean> {
  const aside = `${path}.${randomUUID()}.over`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const isMeant = (await readLock(aside))?.holder === holder;
  if (!isMeant) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return isMeant;
}

async function readLock(path: string): Promise<Lock | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : lockSchema.parse(parseObject(text));
}

/** Its time is up, or its process is dead: signal 0 only asks whether it is there (POSIX.1-2017, kill). */
function isOver({ pid, host, untilMs }: Lock): boolean {
  if (!(untilMs > Date.now())) return true;
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}
