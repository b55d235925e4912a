/** `log`: the calls of a journal, one readable line each, and what they add up to. */

import { followJournal } from "../journal/follow-journal.js";
import { type JournalLine, parseJournalLine } from "../journal/journal-to.js";
import { plural, writeDuration } from "../text.js";
import { cleanLine, readTextFile, type Terminal } from "./terminal.js";
import type { CommonFlags } from "./workspace.js";

export interface LogFlags extends CommonFlags {
  readonly journal: string;
  readonly follow?: boolean;
  readonly source?: string;
  readonly failed?: boolean;
}

/** @returns 0; 2 without a journal. */
export async function printLog(flags: LogFlags, terminal: Terminal): Promise<number> {
  const { journal, follow = false } = flags;
  const text = await readTextFile(
    journal,
    "api-sources log --journal FILE, with the file of journalTo(FILE)",
  );
  const totals = createTotals();
  const print = (lines: string): void => {
    const shown = lines.split("\n").flatMap((line) => parseJournalLine(line) ?? []);
    for (const line of shown.filter((each) => isWanted(each, flags))) {
      totals.add(line);
      terminal.print(flags.json === true ? JSON.stringify(line) : writeLine(line));
    }
  };
  print(text);
  if (follow) await followJournal(journal, Buffer.byteLength(text), print, terminal.signal);
  if (flags.json !== true) terminal.print(totals.write());
  return 0;
}

function isWanted({ source, category }: JournalLine, flags: LogFlags): boolean {
  return (
    (flags.source === undefined || source === flags.source) &&
    (flags.failed !== true || category !== undefined)
  );
}

function writeLine(line: JournalLine): string {
  const { time, source, method = "", path = "", status, category, ms, tokens, attempts = 1, approval } = line;
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

function createTotals() {
  const total = { calls: 0, failures: 0, tokens: 0, waitedMs: 0 };
  return {
    add({ category, tokens = 0, waitedMs = 0 }: JournalLine): void {
      total.calls += 1;
      total.failures += category === undefined ? 0 : 1;
      total.tokens += tokens;
      total.waitedMs += waitedMs;
    },
    write(): string {
      const { calls, failures, tokens, waitedMs } = total;
      const waited =
        waitedMs === 0 ? "no waiting" : `${writeDuration(Math.ceil(waitedMs / 1_000))} of waiting`;
      return `${plural(calls, "call")}, ${plural(failures, "failure")}, ${plural(tokens, "token")}, ${waited}`;
    },
  };
}
