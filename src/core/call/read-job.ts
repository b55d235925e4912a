/** What a page reports of a job: where the job is read, its state, and where its result is. */

import { ApiSourceError, type CallError } from "../base/errors.js";
import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { quoteText } from "../base/text.js";
import { explainFailedJob } from "../failure/call-error.js";
import { findJob, readHref } from "../jobs/find-job.js";
import { type JobState, readJobState } from "../jobs/job-state.js";
import { resolveLink } from "../paging/resolve-link.js";
import { writeKey } from "../query/find-in-document.js";
import { isJmespathTrue } from "../query/kinds.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { buildRequest } from "./build-request.js";
import { readWaitMs } from "./call-request.js";
import type { FoundJob, Page, RunningCall } from "./running-call.js";

/**
 * Looks for the job that a request has started; undefined for a response that starts none. An order that is created with a running state
 * is a job only to a call that waits for it.
 */
export async function findStartedJob(call: RunningCall, page: Page): Promise<FoundJob | undefined> {
  const { request, built, exchange, body } = page;
  const { status, headers } = exchange;
  if (status !== 202 && readWaitMs(request) === 0) return undefined;
  const { method, url } = built;
  if (method === "GET" && status !== 202) return undefined;
  const rule = call.source.api.jobs;
  const location = await readMember(rule?.location, body);
  const state = await readState(call, page);
  const { document } = body;
  // A GET is repeated with its query.
  const asked = method === "GET" ? toOwnPath(call, page, built.wire.url) : undefined;
  const job = findJob({ method, path: asked ?? url.path, status, headers, document, state, location });
  if (job === undefined) return undefined;
  const { link, path = link === undefined ? undefined : toOwnPath(call, page, link), ...rest } = job;
  if (path !== undefined) return { ...rest, ...checkReadable(call, path) };
  if (link === undefined) {
    // A body that reports a state is a job's; many requests are only accepted.
    const isExpected = readWaitMs(request) > 0 && (request.until !== undefined || state.word !== undefined);
    return isExpected ? { why: "The API accepted the request, but reports no URL of its job." } : {};
  }
  return {
    why: `The job is at ${quoteText(link, 200)}, which is not below the base URL, and was not requested.`,
  };
}

/** The request policy judges the place of a job, and whatever is polled, like any path. */
export function checkReadable({ source, prepared }: RunningCall, path: string): FoundJob {
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

export async function readState(
  { source }: RunningCall,
  { exchange: { status }, body }: Page,
): Promise<JobState> {
  const rule = source.api.jobs;
  const ruled = await readMember(rule?.status, body);
  return readJobState({ status, document: body.document, rule, ruled });
}

/** The link to the result of a finished job, by the record's rule. */
export async function readResultLink(
  { source }: RunningCall,
  { body }: Pick<Page, "body">,
): Promise<string | undefined> {
  return readHref(await readMember(source.api.jobs?.result, body));
}

/** The value at a place of the record's rule; undefined where the place is missing. */
async function readMember(
  expression: string | undefined,
  { document, kind }: Page["body"],
): Promise<JsonValue | undefined> {
  if (expression === undefined || document === undefined) return undefined;
  const engine = await loadQueryEngine();
  try {
    return engine.run(document, expression, { kind }).value;
  } catch {
    return undefined;
  }
}

/** What a state means for a call that waits. */
export type JobVerdict =
  | { readonly is: "running" | "finished"; readonly word?: string; readonly notes?: readonly string[] }
  /** In no list. `place`: of the state, as JMESPath. */
  | { readonly is: "unknown"; readonly word: string; readonly place: string }
  | { readonly is: "failed"; readonly word?: string; readonly error: CallError };

/**
 * Judges a response of a job.
 *
 * @param until - The caller's own condition.
 */
export async function judgeJob(
  call: RunningCall,
  page: Page,
  until: string | undefined,
): Promise<JobVerdict> {
  const { body, exchange } = page;
  if (exchange.isSeeOther === true) return { is: "finished" };
  const { phase, word, at = [] } = await readState(call, page);
  if (phase === "failed")
    return { is: "failed", word, error: explainFailedJob(withInner(body.document, at), word) };
  if (until === undefined && phase === undefined && word !== undefined)
    return { is: "unknown", word, place: at.map(writeKey).join(".") };
  if (until === undefined) return { is: phase === "running" ? "running" : "finished", word };
  const { isTrue, notes } = await runUntil(until, body);
  return { is: isTrue ? "finished" : "running", word, notes };
}

/** With the members that are beside its state: the reason of a failed `{"job":{"status":"failed","error":…}}`. */
function withInner(
  document: JsonValue | undefined,
  [key = "", ...rest]: readonly string[],
): JsonValue | undefined {
  const inner = rest.length > 0 && isJsonObject(document) ? document[key] : undefined;
  return isJsonObject(document) && isJsonObject(inner) ? { ...document, ...inner } : document;
}

/** Whether a response of the API's own reports a failed job, whatever else is wrong with it. */
export async function isFailedJob(call: RunningCall, page: Page): Promise<boolean> {
  return page.exchange.status < 300 && (await readState(call, page)).phase === "failed";
}

/** An `until` that can't be run on this body is not true yet: the member that it reads may come later. */
async function runUntil(
  until: string,
  { document, kind }: Page["body"],
): Promise<{ readonly isTrue: boolean; readonly notes: readonly string[] }> {
  if (document === undefined) return { isTrue: false, notes: ["The response has no document for `until`."] };
  try {
    const { value, notes } = (await loadQueryEngine()).run(document, until, { kind });
    return { isTrue: isJmespathTrue(value), notes };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    return { isTrue: false, notes: [error.message.replace(/\bselect\b/, "until")] };
  }
}
