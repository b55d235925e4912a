/** Knows the state that a response reports of a job: by the record's rule, by the API's document, or by words that many APIs share. */

import {
  isJsonNumber,
  isJsonObject,
  isMap,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { findAt } from "../paging/find-rows.js";
import type { JobSettings } from "../record/api-source.js";
import { readByRule } from "./call-request.js";
import type { Page } from "./running-call.js";

type Phase = "running" | "done" | "failed";

export interface JobState {
  /** Absent for a state of an unknown meaning, and where nothing in the response reports one. */
  readonly phase?: Phase | undefined;
  /** The state as the API writes it. */
  readonly word?: string | undefined;
  /** The keys that lead to it; absent for a state by the record's rule. */
  readonly at?: readonly string[] | undefined;
  /** Whether it is the state of the resource that was requested: a GET of the same path reads it again. */
  readonly isOfResource?: true;
}

/** A state that a member of a document reports. */
interface FoundState {
  readonly word: string;
  readonly at: readonly string[];
}

/**
 * Reads the state of a job. What is stated decides: the record's rule, a 202 (RFC 9110, section 15.3.3: the work is not finished), the
 * values that the API's document has for the member; only then the words that many APIs share.
 *
 * @param started - The state with which the API accepted the work: while a job has it, it is not finished.
 */
export async function readState(page: Page, started?: string): Promise<JobState> {
  const { jobs } = page.call.source.api;
  const { document } = page.body;
  const ruled = toWord(await readByRule(jobs?.status, page.body));
  if (jobs !== undefined && ruled !== undefined)
    return { word: ruled, phase: readRuled(jobs, ruled) };
  const google = readGoogleOperation(document);
  if (google !== undefined) return google;
  const resource = readProvisioningState(document);
  if (resource !== undefined) return resource;
  const accepted = page.exchange.status === 202 ? "running" : undefined;
  const found = findState(document, stateName) ?? findState(document, looseName);
  if (found === undefined) return { phase: accepted };
  const phase = await judgeWord(page, found, started);
  return { ...found, phase: phase ?? accepted };
}

/**
 * The state of a resource of Azure, at its top or in its `properties`, where `status` is about something else. Resource Manager has three
 * ends; every other word of a provider (`Creating`, `Scaling`) is one of running work.
 */
function readProvisioningState(document: JsonValue | undefined): JobState | undefined {
  const name = "provisioningState";
  for (const path of [[], ["properties"]]) {
    const object = findAt(document, path);
    const word = isJsonObject(object) ? object[name] : undefined;
    if (isWord(word))
      return { word, at: [...path, name], phase: readAzure(word), isOfResource: true };
  }
  return undefined;
}

/** The meaning of a state of Azure's Resource Manager. */
export function readAzure(word: string): Phase {
  if (isListed(word, ["succeeded"])) return "done";
  return isListed(word, ["failed", "canceled"]) ? "failed" : "running";
}

/** The meaning of a word; undefined where nothing states it. */
async function judgeWord(
  page: Page,
  { word, at }: FoundState,
  started: string | undefined,
): Promise<Phase | undefined> {
  const usual = findUsual(word);
  if (usual === "running" || isListed(word, started === undefined ? [] : [started]))
    return "running";
  const values = await listStates(page, at);
  if (isListed(word, values))
    return usual ?? (isListedAsRunning(word, values) ? "running" : undefined);
  // Under a name that is not one of a state, a usual word may be about something else: `payment_state: "failed"`.
  return at.some((key) => stateName.test(normalizeKey(key))) ? usual : undefined;
}

/** A word of the table, alone or before `with`: `COMPLETED_WITH_ERRORS`. */
function findUsual(word: string): Phase | undefined {
  const [main = ""] = normalizeKey(word).split(/(?<=.)with/, 1);
  return phases.find((phase) => isListed(main, words[phase]));
}

/**
 * A value that the document lists shows that the member has states, and not which of them are ends. A code (`Q`, `RUN`) is the beginning
 * of a word for running work, and of no other word; where one of the values is a known end, so is a verb that goes on (`LOADING`).
 */
function isListedAsRunning(word: string, values: readonly string[]): boolean {
  const start = normalizeKey(word);
  const begins = (phase: Phase): boolean => words[phase].some((each) => each.startsWith(start));
  if (begins("running") && !begins("failed") && !begins("done")) return true;
  const isEnd = (value: string): boolean => ["done", "failed"].includes(findUsual(value) ?? "");
  return goesOn.test(start) && values.some(isEnd);
}

/** `WARNING` and `MISSING` are results. */
const goesOn = /(?<!^(?:warn|miss))ing$/;

/** The values that the API's document has for a member of this response. */
async function listStates(
  { call, built, exchange }: Page,
  at: readonly string[],
): Promise<readonly string[]> {
  const { source, services, deadline } = call;
  const { document } = services.slots;
  if (source.api.openapi === undefined || document === undefined) return [];
  const { method, url } = built;
  const place = { method, path: url.path, status: exchange.status };
  return (await deadline.race(document.listValues(source, place, at))) ?? [];
}

const phases = ["running", "failed", "done"] as const;

/** Written without case and separators: `IN_PROGRESS`, `InProgress` and `in-progress` are one word. */
const words: Readonly<Record<Phase, readonly string[]>> = {
  running: "queued pending running inprogress processing started accepted scheduled".split(" "),
  failed: "failed failure error errored canceled cancelled aborted expired timedout".split(" "),
  done: "succeeded success successful completed complete done finished ready ok".split(" "),
};

const stateName = /^stat(?:us|e)$/;
/** Under another name a state is only reported, and judged by the API's document alone. */
const looseName = /^(?:st|phase|stage|\w{1,20}(?:status|state))$/;
/** The word of an envelope is about the request. */
const envelopeWord = /^(?:success|successful|ok|done)$/i;
/** A longer text is a sentence. */
const maxWordCharacters = 60;

/**
 * The state of a document, or of the one object in it that has any, as in `{"job":{"status":"running"}}` and in JSON:API's
 * `data.attributes`. With several objects it is not certain which is the job's.
 */
function findState(document: JsonValue | undefined, name: RegExp): FoundState | undefined {
  if (!isJsonObject(document) || isMap(document)) return undefined;
  const own = readWord(document, name);
  if (own !== undefined && !envelopeWord.test(own.word)) return own;
  const inner = listKeys(document).flatMap((key) => {
    const value = document[key] ?? null;
    const found = isJsonObject(value) ? findInner(value, name) : undefined;
    return found === undefined ? [] : [{ word: found.word, at: [key, ...found.at] }];
  });
  return inner.length === 1 ? inner[0] : own;
}

function findInner(object: JsonObject, name: RegExp): FoundState | undefined {
  const attributes = object["attributes"];
  const found = isJsonObject(attributes) ? readWord(attributes, name) : undefined;
  if (found !== undefined) return { word: found.word, at: ["attributes", ...found.at] };
  return readWord(object, name);
}

/** Prefers `state` to `status`, which in an envelope is about the request. */
function readWord(object: JsonObject, name: RegExp): FoundState | undefined {
  if (isMap(object)) return undefined;
  const found = listKeys(object).flatMap((key) => {
    const value = object[key] ?? null;
    if (!name.test(normalizeKey(key))) return [];
    if (isWord(value)) return [{ word: value, at: [key] }];
    const inner = isJsonObject(value) ? value["name"] : undefined;
    return isWord(inner) ? [{ word: inner, at: [key, "name"] }] : [];
  });
  return found.find(({ at }) => normalizeKey(at[0] ?? "") === "state") ?? found[0];
}

function isWord(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxWordCharacters;
}

function readRuled({ done, failed = words.failed }: JobSettings, word: string): Phase {
  if (isListed(word, done)) return "done";
  return isListed(word, failed) ? "failed" : "running";
}

function isListed(word: string, list: readonly string[]): boolean {
  return list.some((each) => normalizeKey(each) === normalizeKey(word));
}

/** A text or a number as text. */
export function toWord(value: JsonValue | undefined): string | undefined {
  const isScalar =
    typeof value === "string" || typeof value === "boolean" || isJsonNumber(value ?? null);
  return isScalar && value !== "" ? String(value) : undefined;
}

/**
 * An operation in the form of Google's APIs, such as `{"name":"operations/7","done":false}`. Its JSON leaves `done` out while it is false
 * (AIP-151).
 */
export function readGoogleOperation(
  document: JsonValue | undefined,
): { readonly name: string; readonly phase: Phase } | undefined {
  if (!isJsonObject(document)) return undefined;
  const { name, done = false, error = null } = document;
  if (typeof name !== "string" || !/(?:^|\/)operations\/[^/]+$/.test(name)) return undefined;
  if (typeof done !== "boolean") return undefined;
  if (!done) return { name, phase: "running" };
  return { name, phase: error === null ? "done" : "failed" };
}
