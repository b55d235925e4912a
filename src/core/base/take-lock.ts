/** A lock file: of several processes on one machine, one at a time. */

import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { z } from "zod";
import { notConfigured } from "./errors.js";
import { readPlainJson } from "./input.js";
import { systemSleep } from "./runtime.js";
import { codeOf, writeFileAtomically } from "./write-file-atomically.js";

/** Who has a lock, and until when it counts; a lock that cannot be read has expired. */
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

/** Moves the lock away first: of two processes that saw the same dead lock, one finds that it moved the new lock of the other, and puts it back. */
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
  return text === undefined ? undefined : lockSchema.parse(readPlainJson(text));
}

/** Its time is up, or its process is dead: signal 0 only checks whether the process exists (POSIX.1-2017, kill). */
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
