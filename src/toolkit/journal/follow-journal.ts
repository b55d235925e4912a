/** Follows a journal that applications append to. */

import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sizeOf } from "./journal-to.js";

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
    const added = size === from ? "" : await readFrom(file, from, size).catch(() => "");
    if (added === "") continue;
    const text = rest + added;
    from = size;
    const end = text.lastIndexOf("\n") + 1;
    for (const line of text.slice(0, end).split("\n")) if (line !== "") onLine(line);
    rest = text.slice(end);
  }
}

async function readFrom(path: string, from: number, to: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
