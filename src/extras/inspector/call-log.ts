/** The calls that the page lists, in the order in which they ended. */

import { type CallDetails, readDetails } from "../../core/call/call-details.js";
import type { CallEvent } from "../../core/call/call-event.js";
import { type JournalLine, toJournalLine } from "../../toolkit/journal/journal-to.js";

/** One call in the list. */
export interface ListedCall extends JournalLine {
  /** Its number, from 1. */
  readonly id: number;
  /** Whether it comes from a journal, which has no more of it than this. */
  readonly isFromJournal?: true;
}

export interface CallLog {
  add(event: CallEvent): void;
  addLine(line: JournalLine): void;
  /** The calls after this number. */
  listAfter(id: number): readonly ListedCall[];
  /** What is still held of one call. */
  find(id: number): { readonly call: ListedCall; readonly details?: CallDetails } | undefined;
}

/** The oldest calls go first. */
const maxCalls = 10_000;
/** The most that inputs, requests and answers of all calls take together, in characters; the oldest go first. */
const maxCharacters = 50_000_000;

/** @param onChange - Called when a call was added. */
export function createCallLog(onChange: () => void): CallLog {
  const calls: ListedCall[] = [];
  const details = new Map<number, { readonly held: CallDetails; readonly size: number }>();
  let [last, characters] = [0, 0];
  const drop = (id: number): void => {
    characters -= details.get(id)?.size ?? 0;
    details.delete(id);
  };
  const push = (line: JournalLine, more: Pick<ListedCall, "isFromJournal">): number => {
    last += 1;
    calls.push({ ...line, ...more, id: last });
    if (calls.length > maxCalls) drop(calls.shift()?.id ?? 0);
    onChange();
    return last;
  };
  return {
    add(event) {
      if (event.phase !== "call") return;
      const id = push(toJournalLine(event, Date.now()), {});
      const held = readDetails(event);
      if (held === undefined) return;
      const size = held.input.length + held.answer.length + (held.request?.body?.length ?? 0);
      details.set(id, { held, size });
      characters += size;
      while (characters > maxCharacters && details.size > 1) drop(details.keys().next().value ?? 0);
    },
    addLine(line) {
      // A file may contain anything: only plain members reach the page.
      const plain = Object.entries(line).filter(([, value]) => /^(?:string|number)$/.test(typeof value));
      push(Object.fromEntries(plain) as unknown as JournalLine, { isFromJournal: true });
    },
    listAfter: (id) => calls.slice(findIndexAfter(calls, id)),
    find(id) {
      const call = calls[findIndexAfter(calls, id - 1)];
      if (call?.id !== id) return undefined;
      const held = details.get(id)?.held;
      return { call, ...(held && { details: held }) };
    },
  };
}

/** Numbers are consecutive. */
function findIndexAfter(calls: readonly ListedCall[], id: number): number {
  const first = calls[0]?.id ?? 1;
  return Math.max(0, id + 1 - first);
}
