/** Files that several processes use: written whole or not at all, so that a crash in the middle leaves what was there before, and locks. */

import { randomBytes, randomUUID } from "node:crypto";
import { link, open, readdir, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { notConfigured } from "./errors.js";
import { readPlainJson } from "./input.js";
import { systemSleep } from "./runtime.js";

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
  {
    mode = 0o644,
    exclusive = false,
  }: { readonly mode?: number; readonly exclusive?: boolean } = {},
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
    if (found !== undefined && nowMs - found.mtimeMs > abandonedAfterMs)
      await rm(path, { force: true });
  }
}

export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error
    ? String(error.code)
    : undefined;
}

/**
 * Names the processes among which a process id means one process: those of one host name, one start of the system and one process
 * namespace. Containers that share a folder often share the host name, and each counts its processes from 1.
 */
export async function nameProcessSpace(): Promise<string> {
  // Linux alone has these files; elsewhere the host name is all there is.
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const bootId = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return [hostname(), bootId.trim(), namespace].filter(Boolean).join(" ");
}

/** The holder of a lock, and until when it counts; a lock that cannot be read has expired. */
const lockSchema = z
  .object({ holder: z.string(), pid: z.number(), host: z.string(), untilMs: z.number() })
  .catch({ holder: "", pid: 0, host: "", untilMs: 0 });
type Lock = z.infer<typeof lockSchema>;

/** Gives a lock back. */
export type Release = () => Promise<void>;

/**
 * Takes a lock file; the lock of a process that died, or whose time is up, is taken over.
 *
 * @param leaseMs - How long it counts, in milliseconds.
 * @returns what gives the lock back; undefined while another process has it.
 */
export async function takeLock(path: string, leaseMs: number): Promise<Release | undefined> {
  const holder = randomUUID();
  const host = await nameProcessSpace();
  const lock: Lock = { holder, pid: process.pid, host, untilMs: Date.now() + leaseMs };
  const take = (): Promise<boolean> =>
    writeFileAtomically(path, JSON.stringify(lock), { mode: 0o600, exclusive: true });
  if (!(await take())) {
    const held = await readLock(path);
    if (held !== undefined && !(isOver(held, host) && (await removeLock(path, held))))
      return undefined;
    if (!(await take())) return undefined;
  }
  return async () => {
    if ((await readLock(path))?.holder === holder) await rm(path, { force: true });
  };
}

/** How long a lock counts, and the pause before it is tried again, in milliseconds: reading and writing a file takes far less. */
const [workMs, pauseMs] = [10_000, 10];

/**
 * Reads and writes what others read and write, too: processes take turns.
 *
 * @throws ApiSourceError `not_configured` when the lock cannot be had, such as in a directory where a file of another user cannot be removed.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  for (let waitedMs = 0; waitedMs < 3 * workMs; waitedMs += pauseMs) {
    const release = await takeLock(path, workMs);
    if (release !== undefined) return work().finally(release);
    await systemSleep(pauseMs);
  }
  throw notConfigured("locked", `${path} exists for too long.`, "Remove it.");
}

/**
 * Gives the file a second name first, which one process has at a time: of those that saw the same dead lock one removes it, and the others find
 * the name taken, or the new lock under it, which stays at its place.
 */
async function removeLock(path: string, { holder }: Lock): Promise<boolean> {
  const second = `${path}.over`;
  try {
    await link(path, second);
  } catch {
    // A process that was killed may have left it: `link` sets this time.
    const found = await stat(second).catch(() => undefined);
    if (found !== undefined && Date.now() - found.ctimeMs > workMs)
      await rm(second, { force: true });
    return false;
  }
  try {
    const isMeant = (await readLock(second))?.holder === holder;
    if (isMeant) await rm(path, { force: true });
    return isMeant;
  } finally {
    await rm(second, { force: true });
  }
}

async function readLock(path: string): Promise<Lock | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : lockSchema.parse(readPlainJson(text));
}

/**
 * Whether the time of a lock is up, or its process is dead: signal 0 only checks whether the process exists (POSIX.1-2017, kill).
 *
 * @param ownHost - Where this process runs: a process elsewhere cannot be seen, so its lock counts until its time is up.
 */
function isOver({ pid, host, untilMs }: Lock, ownHost: string): boolean {
  if (!(untilMs > Date.now())) return true;
  if (host !== ownHost) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}
