/** Whether a job is finished, by what a response reports: the record's rule first, then the words that many APIs share. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../base/exact-number.js";
import type { JobSettings } from "../record/api-source.js";

export interface JobState {
  /** Absent for a state in no list, and where nothing in the response reports one. */
  readonly phase?: "running" | "done" | "failed" | undefined;
  /** The state as the API writes it. */
  readonly word?: string | undefined;
  /** The keys that lead to it; absent for a state by the record's rule. */
  readonly at?: readonly string[];
}

interface StateFacts {
  readonly status: number;
  readonly document?: JsonValue | undefined;
  /** The record's rule, and the value at its `status`. */
  readonly rule?: JobSettings | undefined;
  readonly ruled?: JsonValue | undefined;
}

/** Written without case and separators: `IN_PROGRESS`, `InProgress` and `in-progress` are one word. */
const words = {
  running: "queued pending running inprogress processing started accepted scheduled".split(" "),
  failed: "failed failure error errored canceled cancelled aborted expired timedout".split(" "),
  done: "succeeded success successful completed complete done finished ready ok".split(" "),
} as const;
const stateName = /^stat(?:us|e)$/;
/** Under another name a state is only reported, and never judged. */
const looseName = /^(?:st|phase|stage|\w{1,20}(?:status|state))$/i;
/** A longer text is a sentence. */
const maxWordCharacters = 60;

/** Reads the state that a response reports of a job. */
export function readJobState({ status, document, rule, ruled }: StateFacts): JobState {
  const word = toWord(ruled);
  if (rule !== undefined && word !== undefined) return { word, phase: readRuled(rule, word) };
  if (isGoogleOperation(document)) return { phase: readGoogleState(document) };
  const accepted = status === 202 ? ("running" as const) : undefined;
  const found = findState(document, stateName);
  const phase = (["running", "failed", "done"] as const).find((each) => isListed(found?.word, words[each]));
  if (phase !== undefined) return { ...found, phase };
  const other = found?.word === undefined ? findState(document, looseName) : found;
  return isListed(other?.word, words.done) ? { phase: accepted } : { ...other, phase: accepted };
}

/** The state of a document, or of the one object in it that has any, as in `{"job":{"status":"running"}}`. */
function findState(
  document: JsonValue | undefined,
  name: RegExp,
): Required<Pick<JobState, "word" | "at">> | undefined {
  if (!isJsonObject(document)) return undefined;
  const own = readWord(document, name);
  const inner = Object.entries(document).flatMap(([key, value]) => {
    const found = isJsonObject(value) ? readWord(value, name) : undefined;
    return found === undefined ? [] : [{ word: found.word, at: [key, ...found.at] }];
  });
  // The "success" of an envelope is about the request. With several objects it is not certain which is the job's.
  const isEnvelope = own === undefined || /^(?:success|ok)$/i.test(own.word);
  return isEnvelope && inner.length === 1 ? inner[0] : own;
}

function readWord(
  object: JsonObject,
  name: RegExp,
): { readonly word: string; readonly at: readonly string[] } | undefined {
  for (const [key, value] of Object.entries(object)) {
    const isWord = typeof value === "string" && value !== "" && value.length <= maxWordCharacters;
    if (isWord && name.test(key)) return { word: value, at: [key] };
  }
  return undefined;
}

function readRuled({ done, failed = words.failed }: JobSettings, word: string): JobState["phase"] {
  if (isListed(word, done)) return "done";
  return isListed(word, failed) ? "failed" : "running";
}

function isListed(word: string | undefined, list: readonly string[]): boolean {
  return word !== undefined && list.some((each) => fold(each) === fold(word));
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function toWord(value: JsonValue | undefined): string | undefined {
  const isScalar = typeof value === "string" || typeof value === "boolean" || isJsonNumber(value ?? null);
  return isScalar && value !== "" ? String(value) : undefined;
}

/** google.longrunning.Operation: `name`, and `done`, which its JSON leaves out while it is false (AIP-151). */
interface GoogleOperation {
  readonly name: string;
  readonly done?: JsonValue;
  readonly error?: JsonValue;
}

/** Whether a document is an operation in the form of Google's APIs, such as `{"name":"operations/7","done":false}`. */
export function isGoogleOperation(
  document: JsonValue | undefined,
): document is Extract<JsonValue, object> & GoogleOperation {
  if (!isJsonObject(document)) return false;
  const { name, done = false } = document;
  return typeof name === "string" && /(?:^|\/)operations\/[^/]+$/.test(name) && typeof done === "boolean";
}

function readGoogleState({ done, error = null }: GoogleOperation): JobState["phase"] {
  if (done !== true) return "running";
  return error === null ? "done" : "failed";
}
