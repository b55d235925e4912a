/** The calls that the page lists, in the order in which they ended, and the requests that are running. */

import type { CallEvent, CallEventRequest } from "../../core/call/call-event.js";
import { type CallDetails, readDetails } from "../../core/call/report-call.js";
import {
  type JournalLine,
  parseJournalLine,
  toJournalLine,
} from "../../toolkit/journal/journal.js";
import { type ListedCall, maxCalls, type RunningRequest } from "./page-change.js";

/** The most that inputs, requests and answers of all calls take together, in characters; the oldest go first. */
const maxCharacters = 50_000_000;

type CallEndEvent = Extract<CallEvent, { readonly phase: "call" }>;

export interface CallLog {
  /** Takes an event of `onCall`. */
  add(event: CallEvent): void;
  /** Adds a line of a journal, if it is one. */
  addLine(text: string): void;
  /** The calls after this number. */
  listAfter(id: number): readonly ListedCall[];
  listRunning(): readonly RunningRequest[];
  /** A call with what is still held of it. */
  find(id: number): LoggedCall | undefined;
  /** The number of the call that had this run-time context. */
  findId(context: object): number | undefined;
}

export interface LoggedCall {
  readonly call: ListedCall;
  readonly details?: CallDetails | undefined;
}

/** @param onChange - Called when a call was added, and when a request begins or ends. */
export function createCallLog(onChange: () => void): CallLog {
  const calls: ListedCall[] = [];
  const details = createHeldDetails();
  const running = createRunningRequests();
  const ids = new WeakMap<object, number>();
  let last = 0;
  const push = (line: JournalLine, more: Pick<ListedCall, "isFromJournal">): number => {
    last += 1;
    calls.push({ ...line, ...more, id: last });
    if (calls.length > maxCalls) details.drop(calls.shift()?.id ?? 0);
    onChange();
    return last;
  };
  const addCall = (event: CallEndEvent): void => {
    const id = push(toJournalLine(event, Date.now()), {});
    if (typeof event.context === "object" && event.context !== null) ids.set(event.context, id);
    const held = readDetails(event);
    if (held !== undefined) details.hold(id, held);
  };
  return {
    add(event) {
      if (event.phase === "call") return addCall(event);
      // The list shows what runs, and how it ended, not how often it was tried.
      if (event.phase === "attempt") return;
      if (event.phase === "before") running.begin(event);
      else running.end(event);
      onChange();
    },
    addLine(text) {
      const line = parseJournalLine(text);
      if (line !== undefined) push(toPlainLine(line), { isFromJournal: true });
    },
    listAfter: (id) => calls.filter((call) => call.id > id),
    listRunning: running.list,
    find(id) {
      const call = calls.find((each) => each.id === id);
      return call && { call, details: details.find(id) };
    },
    findId: (context) => ids.get(context),
  };
}

/** A file may contain anything: only plain members reach the page. */
function toPlainLine(line: JournalLine): JournalLine {
  const plain = Object.entries(line).filter(([, value]) =>
    /^(?:string|number)$/.test(typeof value),
  );
  return Object.fromEntries(plain) as unknown as JournalLine;
}

interface HeldDetails {
  hold(id: number, details: CallDetails): void;
  find(id: number): CallDetails | undefined;
  drop(id: number): void;
}

/** Inputs, requests and answers of calls: the newest always, older ones while there is room. */
function createHeldDetails(): HeldDetails {
  const entries = new Map<number, { readonly held: CallDetails; readonly size: number }>();
  let characters = 0;
  const drop = (id: number): void => {
    characters -= entries.get(id)?.size ?? 0;
    entries.delete(id);
  };
  return {
    hold(id, held) {
      const size = held.input.length + held.answer.length + (held.request?.body?.length ?? 0);
      entries.set(id, { held, size });
      characters += size;
      while (characters > maxCharacters && entries.size > 1) drop(entries.keys().next().value ?? 0);
    },
    find: (id) => entries.get(id)?.held,
    drop,
  };
}

interface RunningRequests {
  begin(event: CallEventRequest): void;
  end(event: CallEventRequest): void;
  list(): readonly RunningRequest[];
}

function createRunningRequests(): RunningRequests {
  let running: { readonly event: CallEventRequest; readonly startedMs: number }[] = [];
  return {
    begin(event) {
      running.push({ event, startedMs: Date.now() });
    },
    end(event) {
      // A call has one request at a time.
      running = running.filter((each) => each.event.callId !== event.callId);
    },
    list: () =>
      running.map(({ event: { source, method, path }, startedMs }) => ({
        source,
        method,
        path,
        startedMs,
      })),
  };
}
