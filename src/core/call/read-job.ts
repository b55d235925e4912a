/** What a page reports of a job: where the job is read, its state, and where its result is. */

import { ApiSourceError, type CallError } from "../base/errors.js";
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { quoteText } from "../base/text.js";
import { explainFailedJob } from "../failure/call-error.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { resolveLink } from "../paging/find-next-link.js";
import { writeKey } from "../query/find-in-document.js";
import { isJmespathTrue } from "../query/kinds.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { JobSettings } from "../record/api-source.js";
import { buildRequest } from "./build-request.js";
import { readByRule, readWaitMs, usualWaitSeconds } from "./call-request.js";
import type { FoundJob, Page, RunningCall } from "./running-call.js";

/** What the answer to a request reports of the job that it has started: the way to it, or the reason why it can't be read. */
export async function nameStartedJob(
  call: RunningCall,
  page: Page,
): Promise<Partial<Page> | undefined> {
  const job = await findStartedJob(call, page);
  if (job === undefined) return undefined;
  const { select, wait = usualWaitSeconds } = page.request;
  const { path, why } = job;
  if (path === undefined) return { job, notes: why === undefined ? [] : [why] };
  return { job, next: { method: "GET", path, select, wait } };
}

/**
 * Looks for the job that a request has started: it was answered with 202, with a header that only jobs have, or with a place and a running state. An
 * order that is created with a running state is a job only to a call that waits for it.
 *
 * @returns undefined for a response that starts none.
 */
async function findStartedJob(call: RunningCall, page: Page): Promise<FoundJob | undefined> {
  const { request, built, exchange, body } = page;
  const { status, headers } = exchange;
  const isAccepted = status === 202;
  const waits = readWaitMs(request) > 0;
  const isRead = built.method === "GET";
  if (!isAccepted && (isRead || !waits)) return undefined;
  const ruled = readHref(await readByRule(call.source.api.jobs?.location, body));
  const state = await readState(call, page);
  const google = readGoogleOperation(body.document);
  if (!isRead && google !== undefined && state.phase === "running") {
    const [version = "/"] = /^\/v\d\w*\//.exec(built.url.path) ?? [];
    return checkReadable(call, version + google.name);
  }
  // Azure: the operation's own URL is polled, and `Location` leads to the result.
  const operation =
    readHeader(headers, "azure-asyncoperation") ?? readHeader(headers, "operation-location");
  if (!isAccepted && operation === undefined && state.phase !== "running") return undefined;
  const place = readHeader(headers, "location");
  // A GET is repeated with its query.
  const link = ruled ?? operation ?? place ?? (isRead ? built.wire.url : findBodyLink(page));
  if (link === undefined) {
    // A body that reports a state is a job's; many requests are only accepted.
    const isExpected = waits && (request.until !== undefined || state.word !== undefined);
    if (isExpected) return { why: "The API accepted the request, but reports no URL of its job." };
    return isAccepted ? {} : undefined;
  }
  const result = ruled === undefined && operation !== undefined ? place : undefined;
  const path = toOwnPath(call, page, link);
  if (path !== undefined) return { result, ...checkReadable(call, path) };
  const where = `The job is at ${quoteText(link, 200)}, which is not below the base URL`;
  return { why: `${where}, and was not requested.` };
}

/** In the body of a 202: `status_url` and `statusUrl`, and the link to itself of HAL and JSON:API. */
function findBodyLink({ exchange: { status }, body: { document } }: Page): string | undefined {
  if (status !== 202 || !isJsonObject(document)) return undefined;
  const selves = [document["links"], document["_links"]].map((links) =>
    isJsonObject(links) ? links["self"] : undefined,
  );
  return [document["status_url"], document["statusUrl"], ...selves].map(readHref).find(Boolean);
}

/** A link as a string, or as an object with `href`. */
function readHref(value: JsonValue | undefined): string | undefined {
  const href = isJsonObject(value) ? value["href"] : value;
  return typeof href === "string" && href !== "" ? href : undefined;
}

/** The request policy judges the place of a job, and whatever is polled, like any path. */
function checkReadable({ source, prepared }: RunningCall, path: string): FoundJob {
  try {
    buildRequest(source, prepared.resolved, { method: "GET", path }, { isFollowed: true });
    return { path };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    return { why: `The job at ${quoteText(path, 200)} can't be read: ${error.message}` };
  }
}

/** A link of a response as the path of a call; undefined for one that leads elsewhere. */
export function toOwnPath(
  { prepared }: RunningCall,
  { built: { wire, url, reservedQueryNames } }: Pick<Page, "built">,
  link: string,
): string | undefined {
  const { baseUrl } = prepared.resolved;
  return resolveLink(link, { url: wire.url, baseUrl, path: url.path, reservedQueryNames });
}

/** By the record's rule first, then by the words that many APIs share. */
async function readState(
  { source: { api } }: RunningCall,
  { exchange: { status }, body }: Page,
): Promise<JobState> {
  const word = toWord(await readByRule(api.jobs?.status, body));
  if (api.jobs !== undefined && word !== undefined)
    return { word, phase: readRuled(api.jobs, word) };
  const google = readGoogleOperation(body.document);
  if (google !== undefined) return google;
  const accepted = status === 202 ? ("running" as const) : undefined;
  const found = findState(body.document, stateName);
  const phase = (["running", "failed", "done"] as const).find((each) =>
    isListed(found?.word, words[each]),
  );
  if (phase !== undefined) return { ...found, phase };
  const other = found ?? findState(body.document, looseName);
  return isListed(other?.word, words.done) ? { phase: accepted } : { ...other, phase: accepted };
}

/** The link to the result of a finished job, by the record's rule. */
export async function readResultLink(
  { source }: RunningCall,
  { body }: Page,
): Promise<string | undefined> {
  return readHref(await readByRule(source.api.jobs?.result, body));
}

/** What a response of a job means for a call that waits. */
export interface JobVerdict {
  readonly isRunning: boolean;
  /** Why it failed, where it did. */
  readonly error?: CallError;
  /** The state as the API writes it. */
  readonly word?: string;
  /** Of a state in no list: whether it is a finished one is not known. As JMESPath. */
  readonly place?: string;
  readonly notes?: readonly string[];
}

/** @param until - The caller's own condition. */
export async function judgeJob(
  call: RunningCall,
  page: Page,
  until: string | undefined,
): Promise<JobVerdict> {
  const { exchange, body } = page;
  if (exchange.isSeeOther === true) return { isRunning: false };
  const { phase, word, at = [] } = await readState(call, page);
  if (phase === "failed") {
    // With the reason that may be beside its state: `{"job":{"status":"failed","error":…}}`.
    const { document } = body;
    const inner = isJsonObject(document) ? document[at[0] ?? ""] : undefined;
    const all =
      isJsonObject(document) && isJsonObject(inner) ? { ...document, ...inner } : document;
    return { isRunning: false, word, error: explainFailedJob(all, word) };
  }
  if (until === undefined && phase === undefined && word !== undefined)
    return { isRunning: false, word, place: at.map(writeKey).join(".") };
  if (until === undefined) return { isRunning: phase === "running", word };
  const { isTrue, notes } = await runUntil(until, body);
  return { isRunning: !isTrue, word, notes };
}

/** Whether a response of the API's own reports a failed job, whatever else is wrong with it. */
export async function isFailedJob(call: RunningCall, page: Page): Promise<boolean> {
  return page.exchange.status < 300 && (await readState(call, page)).phase === "failed";
}

/** An `until` that can't be run on this body is not true yet: the member that it reads may come later. */
async function runUntil(until: string, { document, kind }: Page["body"]) {
  if (document === undefined)
    return { isTrue: false, notes: ["The response has no document for `until`."] };
  try {
    const { value, notes } = (await loadQueryEngine()).run(document, until, {
      kind,
      name: "until",
    });
    return { isTrue: isJmespathTrue(value), notes };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    return { isTrue: false, notes: [error.message] };
  }
}

interface JobState {
  /** Absent for a state in no list, and where nothing in the response reports one. */
  readonly phase?: "running" | "done" | "failed";
  /** The state as the API writes it. */
  readonly word?: string;
  /** The keys that lead to it; absent for a state by the record's rule. */
  readonly at?: readonly string[];
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

/** The state of a document, or of the one object in it that has any, as in `{"job":{"status":"running"}}`. */
function findState(document: JsonValue | undefined, name: RegExp) {
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

function readWord(object: JsonObject, name: RegExp) {
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
  return word !== undefined && list.some((each) => normalizeKey(each) === normalizeKey(word));
}

function toWord(value: JsonValue | undefined): string | undefined {
  const isScalar =
    typeof value === "string" || typeof value === "boolean" || isJsonNumber(value ?? null);
  return isScalar && value !== "" ? String(value) : undefined;
}

/**
 * An operation in the form of Google's APIs, such as `{"name":"operations/7","done":false}`. Its JSON leaves `done` out while it is false
 * (AIP-151).
 */
function readGoogleOperation(
  document: JsonValue | undefined,
): { readonly name: string; readonly phase: JobState["phase"] } | undefined {
  if (!isJsonObject(document)) return undefined;
  const { name, done = false, error = null } = document;
  if (typeof name !== "string" || !/(?:^|\/)operations\/[^/]+$/.test(name)) return undefined;
  if (typeof done !== "boolean") return undefined;
  return { name, phase: !done ? "running" : error === null ? "done" : "failed" };
}
