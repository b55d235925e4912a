/** Whether a job is finished, by what a response reports: the record's rule first, then the words that many APIs share. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../base/exact-number.js";
import type { JobSettings } from "../record/api-source.js";

export interface JobState {
  /** Absent where nothing in the response reports a state. */
  readonly phase?: "running" | "done" | "failed";
  /** The state as the API writes it. */
  readonly word?: string;
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
const runningWords = listWords("queued pending running inprogress processing started accepted scheduled");
const failedWords = listWords("failed failure error errored canceled cancelled aborted expired timedout");
const doneWords = listWords("succeeded success successful completed complete done finished ready ok");

function listWords(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Reads the state that a response reports of a job. */
export function readJobState({ status, document, rule, ruled }: StateFacts): JobState {
  const word = toWord(ruled);
  if (rule !== undefined && word !== undefined) return { word, phase: readRuled(rule, word) };
  if (isGoogleOperation(document)) return readGoogleState(document);
  const accepted: JobState = status === 202 ? { phase: "running" } : {};
  if (!isJsonObject(document)) return accepted;
  const own = listStates(document, /^stat(?:us|e)$/);
  const inner = listInner(document, /^stat(?:us|e)$/);
  // The "success" of an envelope is about the request.
  const isEnvelope = own.every(({ word }) => /^(?:success|ok)$/i.test(word));
  const states = isEnvelope && inner.length > 0 ? inner : own;
  const known = states.find(({ phase }) => phase !== undefined);
  if (known !== undefined) return known;
  // Under another name a state is only reported, and never judged.
  const [other] = [...states, ...listStates(document, looseName), ...listInner(document, looseName)];
  return other === undefined || other.phase === "done"
    ? accepted
    : { ...accepted, word: other.word, at: other.at ?? [] };
}

const looseName = /^(?:st|phase|stage|\w{1,20}(?:status|state))$/i;
/** A longer text is a sentence. */
const maxWordCharacters = 60;

interface WordFound extends JobState {
  readonly word: string;
}

/** The members of an object that hold a state. */
function listStates(object: JsonObject, name: RegExp, path: readonly string[] = []): WordFound[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const isWord = typeof value === "string" && value !== "" && value.length <= maxWordCharacters;
    return isWord && name.test(key) ? [{ ...readShared(value), at: [...path, key] }] : [];
  });
}

/** Those of the one object in a document that has any, as in `{"job":{"status":"running"}}`; with several it is not certain which is the job's. */
function listInner(document: JsonObject, name: RegExp): WordFound[] {
  const found = Object.entries(document).flatMap(([key, value]) => {
    const states = isJsonObject(value) ? listStates(value, name, [key]) : [];
    return states.length === 0 ? [] : [states];
  });
  return found.length === 1 ? (found[0] ?? []) : [];
}

function readRuled({ done, failed }: JobSettings, word: string): NonNullable<JobState["phase"]> {
  const isListed = (list: readonly string[]): boolean => list.some((each) => fold(each) === fold(word));
  if (isListed(done)) return "done";
  const isFailed = failed === undefined ? failedWords.has(fold(word)) : isListed(failed);
  return isFailed ? "failed" : "running";
}

function readShared(word: string): WordFound {
  const folded = fold(word);
  if (runningWords.has(folded)) return { word, phase: "running" };
  if (failedWords.has(folded)) return { word, phase: "failed" };
  return doneWords.has(folded) ? { word, phase: "done" } : { word };
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

function readGoogleState({ done, error }: GoogleOperation): JobState {
  if (done !== true) return { phase: "running" };
  return { phase: error === undefined || error === null ? "done" : "failed" };
}
