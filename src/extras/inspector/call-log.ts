/** The calls that the page lists, in the order in which they ended, and the requests that are running. */

import { type CallDetails, readDetails } from "../../core/call/send-and-report.js";
import type { CallEvent, CallEventRequest } from "../../core/call/slots.js";
import {
  type JournalLine,
  parseJournalLine,
  toJournalLine,
} from "../../toolkit/journal/journal.js";
import { type ListedCall, maxCalls, type RunningRequest } from "./page-change.js";

/** The most that inputs, requests and answers of all calls take together, in characters; the oldest go first. */
const maxCharacters = 50_000_000;

/** @param onChange - Called when a call was added, and when a request begins or ends. */
export function createCallLog(onChange: () => void) {
  const calls: ListedCall[] = [];
  const details = new Map<number, { readonly held: CallDetails; readonly size: number }>();
  const ids = new WeakMap<object, number>();
  let running: { readonly event: CallEventRequest; readonly startedMs: number }[] = [];
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
    add(event: CallEvent): void {
      if (event.phase === "before") {
        running.push({ event, startedMs: Date.now() });
        onChange();
      }
      if (event.phase === "after") {
        // Of two that are the same either has ended.
        const ended = running.find((each) => isSameRequest(each.event, event));
        running = running.filter((each) => each !== ended);
        onChange();
      }
      if (event.phase !== "call") return;
      const id = push(toJournalLine(event, Date.now()), {});
      if (typeof event.context === "object" && event.context !== null) ids.set(event.context, id);
      const held = readDetails(event);
      if (held === undefined) return;
      const size = held.input.length + held.answer.length + (held.request?.body?.length ?? 0);
      details.set(id, { held, size });
      characters += size;
      while (characters > maxCharacters && details.size > 1) drop(details.keys().next().value ?? 0);
    },
    /** Adds a line of a journal, if it is one. */
    addLine(text: string): void {
      const line = parseJournalLine(text);
      if (line === undefined) return;
      // A file may contain anything: only plain members reach the page.
      const plain = Object.entries(line).filter(([, value]) =>
        /^(?:string|number)$/.test(typeof value),
      );
      push(Object.fromEntries(plain) as unknown as JournalLine, { isFromJournal: true });
    },
    /** The calls after this number. */
    listAfter: (id: number): readonly ListedCall[] => calls.filter((call) => call.id > id),
    listRunning: (): readonly RunningRequest[] =>
      running.map(({ event: { source, method, path }, startedMs }) => ({
        source,
        method,
        path,
        startedMs,
      })),
    /** What is still held of one call. */
    find(id: number): { readonly call: ListedCall; readonly details?: CallDetails } | undefined {
      const call = calls.find((each) => each.id === id);
      return call && { call, details: details.get(id)?.held };
    },
    /** The number of the call that had this run-time context. */
    findId: (context: object): number | undefined => ids.get(context),
  };
}

function isSameRequest(one: CallEventRequest, other: CallEventRequest): boolean {
  const members = ["source", "method", "path", "threadId", "context"] as const;
  return members.every((member) => one[member] === other[member]);
}
