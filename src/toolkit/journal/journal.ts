/** One line per call in a file, for people who want to see what happened: it is written, read and followed. */

import { closeSync, mkdirSync, openSync } from "node:fs";
import { mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, takeLock } from "../../core/base/disk.js";
import { notConfigured } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";
import type { CallEvent, CallEventRequest, CallEventSummary } from "../../core/call/call-event.js";

/** From this size in bytes the file is renamed to `FILE.1`, in place of an earlier one, and begun anew. */
const maxBytes = 10_000_000;

/** How long a process may hold the lock while it renames the file, in milliseconds. */
const leaseMs = 5_000;

/**
 * Makes an `onCall` that appends one JSON line per call to a file, as the call ends: time, source, method, path, status, ms, bytes, tokens,
 * attempts, waitedMs, category, approval, digest, thread and user. No body and no credential is in it. Several processes may write to one file. The call does
 * not wait for the file; what goes wrong with it is a warning in the log.
 *
 * @param file - The file. It is made, and its directory.
 * @throws ApiSourceError `not_configured`, code `wrong_journal`, for a directory, and for a place that can't be written.
 *
 * @example
 * const toolkit = await ApiSourceToolkit.fromDirectory("sources", { onCall: journalTo("calls.jsonl") });
 */
export function journalTo(file: string): (event: CallEvent) => Promise<void> | undefined {
  checkWritable(file);
  let waiting: JournalLine[] = [];
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    try {
      await mkdir(dirname(file), { recursive: true });
      while (waiting.length > 0) {
        const lines = waiting;
        waiting = [];
        await rotate(file);
        await append(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      }
    } finally {
      writing = undefined;
    }
  };
  return (event) => {
    if (event.phase !== "call") return undefined;
    waiting.push(toJournalLine(event, Date.now()));
    writing ??= write();
    return writing;
  };
}

/** Addresses and users are for the owner alone, as tokens are. */
const mode = 0o600;

function checkWritable(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a", mode));
  } catch (error) {
    const why = codeOf(error) ?? "it is no path";
    throw notConfigured(
      "wrong_journal",
      `journalTo can't write to ${JSON.stringify(file)} (${why}).`,
      "Give the path of a file, in a directory where this process may write.",
    );
  }
}

async function rotate(file: string): Promise<void> {
  if ((await sizeOf(file)) < maxBytes) return;
  const release = await takeLock(`${file}.lock`, leaseMs);
  // Another process is renaming the file.
  if (release === undefined) return;
  try {
    if ((await sizeOf(file)) >= maxBytes) await rename(file, `${file}.1`);
  } finally {
    await release();
  }
}

/** Begins with a line end where a process that was killed left a part of a line. */
async function append(file: string, lines: string): Promise<void> {
  const handle = await open(file, "a+", mode);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isWhole = size === 0 || buffer.toString() === "\n";
    // Another process may be writing just now.
    const hasPart = !isWhole && (await handle.stat()).size === size;
    // One write in append mode: lines of several processes do not mix.
    await handle.appendFile(hasPart ? `\n${lines}` : lines);
  } finally {
    await handle.close();
  }
}

/** In bytes; 0 for a file that is not there. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** One call, as `journalTo` writes it. */
export interface JournalLine
  extends Partial<Pick<CallEventRequest, "method" | "path">>,
    Omit<CallEventSummary, "durationMs" | "reason" | "confidential" | "category" | "approval"> {
  /** When the call ended, as ISO 8601 in UTC. */
  readonly time: string;
  /** The tool's name. */
  readonly source: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Why the call failed: any word, for another version of this package may have written the file. */
  readonly category?: string;
  /** A person's decision about the call. */
  readonly approval?: string;
  /** The conversation, where the call belongs to one. */
  readonly thread?: string;
  /** The user of the call, by the option `userOf`. */
  readonly user?: string;
}

/** @param nowMs - When the call ended, in milliseconds since the Unix epoch. */
export function toJournalLine(
  event: CallEvent & { readonly phase: "call" },
  nowMs: number,
): JournalLine {
  const { source, method, path, status, durationMs, bytes, tokens, attempts, waitedMs } = event;
  const { category, approval, digest, threadId, user } = event;
  return {
    time: new Date(nowMs).toISOString(),
    source,
    method,
    path,
    status,
    ms: durationMs,
    bytes,
    tokens,
    attempts,
    waitedMs,
    category,
    approval,
    digest,
    thread: threadId,
    user,
  };
}

/**
 * Reads one line of a journal.
 *
 * @returns undefined for a line that is not one of a journal, such as one that is incomplete because a process was killed.
 * @example
 * const lines = readFileSync("calls.jsonl", "utf8").split("\n").flatMap((line) => parseJournalLine(line) ?? []);
 */
export function parseJournalLine(text: string): JournalLine | undefined {
  const line: Partial<JournalLine> = Object(readPlainJson(text));
  const isWhole = [line.time, line.source].every((each) => typeof each === "string");
  return isWhole && typeof line.ms === "number" ? (line as JournalLine) : undefined;
}

/** How often the file is read, in milliseconds. */
const pollMs = 300;

/**
 * Gives each line of a journal, and each that is appended, until the signal is aborted. A file that became shorter was begun anew; one that is not
 * there yet is waited for.
 *
 * @param file - A file that `journalTo` writes.
 * @param onLine - Receives a line as it is in the file, for `parseJournalLine`.
 * @example
 * await followJournal("calls.jsonl", (line) => console.log(parseJournalLine(line)?.path), AbortSignal.timeout(60_000));
 */
export async function followJournal(
  file: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let from = 0;
  let rest = "";
  for (; !signal.aborted; await sleep(pollMs, undefined, { signal }).catch(() => undefined)) {
    const size = await sizeOf(file);
    if (size < from) [from, rest] = [0, ""];
    // It may be renamed before it is opened.
    const added = size === from ? "" : await readPart(file, from, size).catch(() => "");
    if (added === "") continue;
    const text = rest + added;
    from = size;
    const end = text.lastIndexOf("\n") + 1;
    for (const line of text.slice(0, end).split("\n")) if (line !== "") onLine(line);
    rest = text.slice(end);
  }
}

async function readPart(file: string, from: number, to: number): Promise<string> {
  return readText((await open(file)).createReadStream({ start: from, end: to - 1 }));
}
