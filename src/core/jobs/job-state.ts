/** Whether a job is finished, by what a response reports: the record's rule first, then the words that many APIs share. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../base/exact-number.js";
import type { JobSettings } from "../record/api-source.js";

export interface JobState {
  /** Absent for a finished job, and where nothing in the response reports a state. */
  readonly phase?: "running" | "failed";
  /** The state as the API writes it. */
  readonly word?: string;
  /** The object that has it, where that is not the document itself. */
  readonly holder?: JsonObject;
}

interface StateFacts {
  readonly status: number;
  readonly document?: JsonValue | undefined;
  /** The record's rule, and the value at its `status`. */
  readonly rule?: JobSettings | undefined;
  readonly ruled?: JsonValue | undefined;
}

/** Written without case and separators: `IN_PROGRESS`, `InProgress` and `in-progress` are one word. */
const runningWords = "queued pending running inprogress processing started accepted scheduled".split(" ");
const failedWords = "failed failure error errored canceled cancelled aborted expired timedout".split(" ");

/** Reads the state that a response reports of a job. */
export function readJobState({ status, document, rule, ruled }: StateFacts): JobState {
  const word = toWord(ruled);
  if (rule !== undefined && word !== undefined) return { word, phase: readRuled(rule, word) };
  const found = findState(document);
  const phase = isListed(found?.word, runningWords) ? "running" : undefined;
  const failed = isListed(found?.word, failedWords) ? "failed" : undefined;
  return { ...found, phase: failed ?? phase ?? (status === 202 ? "running" : undefined) };
}

/** The state of a document, or of the one object in it that has any, as in `{"job":{"status":"running"}}`. */
function findState(document: JsonValue | undefined): Pick<JobState, "word" | "holder"> | undefined {
  if (!isJsonObject(document)) return undefined;
  const word = readWord(document);
  // The "success" of an envelope is about the request.
  if (word !== undefined && !/^(?:success|ok)$/i.test(word)) return { word };
  const inner = Object.values(document).flatMap((holder) => {
    const own = isJsonObject(holder) ? readWord(holder) : undefined;
    return isJsonObject(holder) && own !== undefined ? [{ word: own, holder }] : [];
  });
  return inner.length === 1 ? inner[0] : { word };
}

function readWord({ status, state }: JsonObject): string | undefined {
  return [status, state].find((value) => typeof value === "string" && value !== "") as string | undefined;
}

function readRuled({ done, failed = failedWords }: JobSettings, word: string): JobState["phase"] {
  if (isListed(word, done)) return undefined;
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
