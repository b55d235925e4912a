/** `log`: the calls of a journal, one readable line each, and what they add up to. */

import { plural, writeDuration } from "../core/base/text.js";
import { followJournal, type JournalLine, parseJournalLine } from "../toolkit/journal/journal.js";
import { cleanLine, readTextFile, terminal } from "./terminal.js";
import type { CommonFlags } from "./workspace.js";

export interface LogFlags extends CommonFlags {
  readonly journal: string;
  readonly follow?: boolean;
  readonly source?: string;
  readonly failed?: boolean;
}

/** @returns 0; 2 without a journal. */
export async function printLog(flags: LogFlags): Promise<number> {
  const { journal, follow = false } = flags;
  const text = await readTextFile(
    journal,
    "api-sources log --journal FILE, with the file of journalTo(FILE)",
  );
  const totals = { calls: 0, failures: 0, tokens: 0, waitedMs: 0, unreadable: 0 };
  const print = (text: string): void => {
    const line = parseJournalLine(text);
    if (line === undefined) {
      totals.unreadable += text === "" ? 0 : 1;
      return;
    }
    const { source, category, tokens = 0, waitedMs = 0 } = line;
    if (flags.source !== undefined && source !== flags.source) return;
    if (flags.failed === true && category === undefined) return;
    totals.calls += 1;
    totals.failures += category === undefined ? 0 : 1;
    totals.tokens += tokens;
    totals.waitedMs += waitedMs;
    terminal.print(flags.json === true ? JSON.stringify(line) : writeLine(line));
  };
  if (follow) await followJournal(journal, print, terminal.signal);
  else for (const line of text.split("\n")) print(line);
  const { calls, failures, tokens, waitedMs, unreadable } = totals;
  // Such as one of a process that was killed while it wrote.
  if (unreadable > 0) terminal.note(`${plural(unreadable, "line")} can't be read.`);
  if (flags.json === true) return 0;
  const waited =
    waitedMs === 0 ? "no waiting" : `${writeDuration(Math.ceil(waitedMs / 1_000))} of waiting`;
  terminal.print(
    `${plural(calls, "call")}, ${plural(failures, "failure")}, ${plural(tokens, "token")}, ${waited}`,
  );
  return 0;
}

function writeLine(line: JournalLine): string {
  const {
    time,
    source,
    method = "",
    path = "",
    status,
    category,
    ms,
    tokens,
    attempts = 1,
    approval,
  } = line;
  const parts = [
    time.replace("T", " ").slice(0, 19),
    cleanLine(`${source} ${method} ${path}`).trim(),
    ...(status === undefined ? [] : [String(status)]),
    ...(category === undefined ? [] : [category]),
    `${ms} ms`,
    ...(tokens === undefined ? [] : [plural(tokens, "token")]),
    ...(attempts > 1 ? [plural(attempts, "request")] : []),
    ...(approval === undefined ? [] : [`approval: ${approval}`]),
  ];
  return parts.map((part) => cleanLine(part)).join("  ");
}
