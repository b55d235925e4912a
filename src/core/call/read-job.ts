/** Knows what an answer reports of a job that its request started: where it is read, whether it is finished, and where its result is. */

import { ApiSourceError, type CallError } from "../base/errors.js";
import { isJsonObject, type JsonValue, listKeys, writeJson } from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { quoteText } from "../base/text.js";
import { explainFailedJob } from "../failure/call-error.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { findHeaderLink, isUrlLike, listHeaderLinks } from "../paging/read-links.js";
import { writeKey } from "../query/find-in-document.js";
import { buildRequest } from "./build-request.js";
import { readByRule, readWaitMs, usualWaitSeconds } from "./call-request.js";
import { continueAt, toOwnPath } from "./continue-call.js";
import { type JobState, readAzure, readGoogleOperation, readState, toWord } from "./job-state.js";
import { runUntil } from "./run-until.js";
import type { FoundJob, Page, RunningCall } from "./running-call.js";

/** The job that the answer to a request reports as started: the way to it, or the reason why it can't be read. */
export async function nameStartedJob(page: Page): Promise<Partial<Page> | undefined> {
  const job = await findStartedJob(page);
  if (job === undefined) return undefined;
  const { wait = usualWaitSeconds } = page.request;
  const { path, why } = job;
  if (path === undefined) return { job, notes: why === undefined ? [] : [why] };
  return { job, next: { ...continueAt(page, path), wait } };
}

/**
 * Looks for the job that a request has started: it was answered with 202, with a header that only jobs have, or with a place and a running
 * state. To a call that waits also a 201 with a place and without a body is one, and an order that is created with a running state.
 *
 * @returns undefined for a response that starts none.
 */
async function findStartedJob(page: Page): Promise<FoundJob | undefined> {
  const { call, request, built, exchange, body } = page;
  const { status, headers } = exchange;
  const isAccepted = status === 202;
  const waits = readWaitMs(request) > 0;
  const isRead = built.method === "GET";
  if (!isAccepted && (isRead || !waits)) return undefined;
  const ruled = await readRuledPlace(page);
  const state = await readState(page);
  const word = isAccepted ? state.word : undefined;
  const google = readGoogleOperation(body.document);
  if (!isRead && google !== undefined && state.phase === "running") {
    const [version = "/"] = /^\/v\d\w*\//.exec(built.url.path) ?? [];
    return checkReadable(call, version + google.name);
  }
  // Azure: the operation's own URL is polled, and `Location` leads to the result.
  const operation =
    readHeader(headers, "azure-asyncoperation") ?? readHeader(headers, "operation-location");
  const place = readHeader(headers, "location");
  const isOnlyPlace = status === 201 && place !== undefined && body.kind === "empty";
  const isStarted = isAccepted || operation !== undefined || state.phase === "running";
  if (!isStarted && !isOnlyPlace)
    return state.phase === undefined ? describeCreated(page) : undefined;
  const isOfResource = state.isOfResource === true && /^(?:PUT|PATCH)$/.test(built.method);
  const link =
    ruled ??
    operation ??
    place ??
    (isOfResource ? built.wire.url : undefined) ??
    (isAccepted ? findAcceptedLink(page) : undefined);
  const described = link === undefined && isAccepted ? await findDescribedPlace(page) : undefined;
  if (described !== undefined) return { word, ...checkReadable(call, described) };
  if (link === undefined) return isAccepted || waits ? { why: describeNoPlace(page) } : undefined;
  const result = ruled === undefined && operation !== undefined ? place : undefined;
  const path = toOwnPath(page, link);
  if (path !== undefined) return { result, word, ...checkReadable(call, path) };
  const where = `The job is at ${quoteText(link, 200)}, which is not below the base URL`;
  return { why: `${where}, and was not requested.` };
}

/** To a call that waits: a 201 with places, of which none is stated as that of a job. */
function describeCreated(page: Page): FoundJob | undefined {
  const paths = page.exchange.status === 201 ? listOwnPaths(page) : [];
  if (paths.length === 0) return undefined;
  const named = paths.map((path) => quoteText(path, 200)).join(", ");
  return {
    why: `The 201 does not state that work goes on, so there was nothing to wait for. If it does, send a GET of the path that has its state (the answer names ${named}) with \`until\`.`,
  };
}

function describeNoPlace(page: Page): string {
  const paths = listOwnPaths(page).map((path) => quoteText(path, 200));
  const seen =
    paths.length === 0
      ? "reports no URL of its job: find where its state is read"
      : `does not state which URL is that of its job: see which of these reads its state, ${paths.join(", ")}`;
  return `The API accepted the request, and may carry it out later, but ${seen}, and send a GET of that path with \`until\`.`;
}

const maxNamedPaths = 5;

/** The URLs of an answer that are below the base URL, as paths. */
function listOwnPaths(page: Page): string[] {
  const { headers } = page.exchange;
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    name === "link" ? listHeaderLinks(headers) : value,
  );
  const texts = [...inHeaders, ...listTexts(page.body.document)].filter(
    (text) => typeof text === "string" && isUrlLike(text),
  );
  const paths = texts.flatMap((text) => toOwnPath(page, text) ?? []);
  return [...new Set(paths)].slice(0, maxNamedPaths);
}

/** The texts of a document, at most three members deep. */
function listTexts(value: JsonValue | undefined, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (!isJsonObject(value) || depth === 3) return [];
  return listKeys(value).flatMap((key) => listTexts(value[key], depth + 1));
}

/**
 * The place of a job that the API's document has: an operation that reads the id of the answer below the path of a POST, or the very
 * path of a PUT or a PATCH.
 */
async function findDescribedPlace({
  call: { source, services, deadline },
  built,
  body: { document },
}: Page): Promise<string | undefined> {
  const facts = services.slots.document;
  if (facts === undefined || source.api.openapi === undefined) return undefined;
  const { path } = built.url;
  const id = toWord(isJsonObject(document) ? document["id"] : undefined);
  const below =
    id === undefined ? undefined : `${path.replace(/\/$/, "")}/${encodeURIComponent(id)}`;
  const place = built.method === "POST" ? below : path;
  if (place === undefined) return undefined;
  const operation = await deadline.race(facts.findOperation(source, "GET", place));
  return operation === undefined ? undefined : place;
}

/** The place by the record's rule: a path is one below the base URL, as every path of a call. */
async function readRuledPlace({ call, body, exchange }: Page): Promise<string | undefined> {
  const { source, prepared } = call;
  const rule = source.api.jobs?.location;
  const place = rule?.startsWith("header:")
    ? readHeader(exchange.headers, rule.slice("header:".length).toLowerCase())
    : readHref(await readByRule(rule, body));
  if (place === undefined || !/^\/(?!\/)/.test(place)) return place;
  const { baseUrl } = prepared.resolved;
  const { pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/$/, "");
  return place.startsWith(`${base}/`) ? place : `${base}${place}`;
}

/**
 * The job of a 202 without a header of its own for it: `Content-Location` of FHIR's asynchronous requests, a link whose relation says so,
 * a member of the body. A GET is repeated with its query only where the answer states no other place: it may start the work again.
 */
function findAcceptedLink(page: Page): string | undefined {
  const { built, exchange } = page;
  const content = readHeader(exchange.headers, "content-location");
  const isOther =
    content !== undefined && toOwnPath(page, content) !== toOwnPath(page, built.wire.url);
  if (isOther) return content;
  const own = built.method === "GET" ? built.wire.url : undefined;
  return findHeaderLink(exchange.headers, jobRelations) ?? findBodyLink(page) ?? own;
}

const jobRelations = ["monitor", "status"];
/** `status_url`, `statusUrl`, and `statusQueryGetUri` of Azure's durable functions. */
const jobLinkName = /^(?:status|monitor)(?:queryget)?ur[il]$/;

/** In a body: a member that is named so, else the link to the state or to the answer itself of HAL and JSON:API. */
function findBodyLink({ body: { document } }: Page): string | undefined {
  if (!isJsonObject(document)) return undefined;
  const named = listKeys(document)
    .filter((key) => jobLinkName.test(normalizeKey(key)))
    .map((key) => document[key]);
  const linked = [document["links"], document["_links"]].flatMap((links) =>
    isJsonObject(links) ? [...jobRelations, "self"].map((relation) => links[relation]) : [],
  );
  return [...named, ...linked].map(readHref).find(Boolean);
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

/** The link to the result of a finished job, by the record's rule. */
export async function readResultLink({ call, body }: Page): Promise<string | undefined> {
  return readHref(await readByRule(call.source.api.jobs?.result, body));
}

/** The place of what a job has made, where a poll is answered so: by a 201 that has no body. */
export function findCreated({ exchange: { status, headers }, body }: Page): string | undefined {
  return status === 201 && body.kind === "empty" ? readHeader(headers, "location") : undefined;
}

/** The meaning of a job's response for a call that waits. */
export interface JobVerdict {
  readonly isRunning: boolean;
  /** Why it failed, where it did. */
  readonly error?: CallError;
  /** The state as the API writes it. */
  readonly word?: string | undefined;
  /** Set where it is not known whether the work is finished. */
  readonly doubt?: JobDoubt;
  readonly notes?: readonly string[] | undefined;
}

interface JobDoubt {
  /** The observation, as the beginning of a sentence. */
  readonly seen: string;
  /** A condition that is true when the response has changed; absent where that would be too long. */
  readonly until?: string | undefined;
}

/** How a call waits. */
interface Waiting {
  /** The caller's own condition. */
  readonly until: string | undefined;
  /** Whether this call started the job: then its failure is the call's. */
  readonly isStarted: boolean;
  /** The state with which the API accepted the work. */
  readonly startedAs: string | undefined;
  /** Whether a response without a state may be one of work that is not finished: so it is until a poll was answered with 202. */
  readonly needsState: boolean;
  /** Whether the job is an operation of Azure, which has three words for its ends. */
  readonly isAzure: boolean;
}

/** Judges a response that was polled. The caller's own condition is looked at first, and wins. */
export async function judgeJob(
  page: Page,
  { until, isStarted, startedAs, needsState, isAzure }: Waiting,
): Promise<JobVerdict> {
  const isOver = page.exchange.isSeeOther === true || findCreated(page) !== undefined;
  if (isOver) return { isRunning: false };
  const state = await readState(page, startedAs);
  const { word } = state;
  const condition = until === undefined ? undefined : await runUntil(until, page.body);
  if (condition?.isTrue === true) return { isRunning: false, word };
  if (state.phase === "failed" && isStarted)
    return { isRunning: false, word, error: describeFailedJob(page, state) };
  if (condition !== undefined) return { isRunning: true, word, notes: condition.notes };
  if (state.phase === undefined && word !== undefined && isAzure)
    return { isRunning: readAzure(word) === "running", word };
  const isUnknown = state.phase === undefined && (word !== undefined || needsState);
  if (isUnknown) return { isRunning: false, word, doubt: findDoubt(page, state) };
  return { isRunning: state.phase === "running", word };
}

/** Adds the reason that may be beside its state: `{"job":{"status":"failed","error":…}}`. */
function describeFailedJob({ body: { document } }: Page, { word, at = [] }: JobState): CallError {
  const inner = isJsonObject(document) ? document[at[0] ?? ""] : undefined;
  const isNested = isJsonObject(document) && isJsonObject(inner);
  return explainFailedJob(isNested ? { ...document, ...inner } : document, word);
}

/** A longer body is no state: it is the result of the work. */
const maxComparedCharacters = 500;

function findDoubt({ body }: Page, { word, at }: JobState): JobDoubt {
  if (word !== undefined && at !== undefined) {
    const place = at.map(writeKey).join(".");
    const until = `${place} != '${word.replace(/['\\]/g, "\\$&")}'`;
    return { seen: `\`${place}\` is ${quoteText(word)}`, until };
  }
  const text = body.document === undefined ? undefined : writeJson(body.document);
  const isShort = text !== undefined && text.length <= maxComparedCharacters;
  const until = isShort ? `@ != \`${text.replace(/`/g, "\\`")}\`` : undefined;
  return { seen: "The response reports no state", until };
}

/** Whether a response of the API's own reports a failed job, whatever else is wrong with it. */
export async function isFailedJob(page: Page): Promise<boolean> {
  return page.exchange.status < 300 && (await readState(page)).phase === "failed";
}
