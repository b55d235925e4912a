/** Between steps 8 and 9 of a call: a job is polled until it is finished, and what a 303 leads to is read. Only reads are sent here. */

import type { JobRead, NextCall } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { quoteText } from "../base/text.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { readRetryAfter } from "../http/limits/read-rate-limit.js";
import { maxWaitSeconds, readWaitMs, usualWaitSeconds } from "./call-request.js";
import { prepareCall } from "./prepare-call.js";
import {
  checkReadable,
  isFailedJob,
  type JobVerdict,
  judgeJob,
  readResultLink,
  toOwnPath,
} from "./read-job.js";
import type { Page, RunningCall } from "./running-call.js";

/** What became of a call that may have started a job. */
interface Followed {
  /** The result, the last state of the job, or the first response. */
  readonly page: Page;
  /** Present once polled. */
  readonly job?: JobRead;
}

/** Sends one request through every step of a call but approval: approving the write covers its polls. */
type SendPoll = (call: RunningCall, input: NextCall) => Promise<Page>;

/** A job while it is polled. */
interface Polling {
  readonly call: RunningCall;
  readonly send: SendPoll;
  readonly first: Page;
  readonly waitMs: number;
  readonly startedMs: number;
  /** What is sent for each poll. */
  poll: NextCall;
  last: Page;
  polls: number;
  /** The sum of the pauses. */
  pausedMs: number;
  /** What the last response asks for. */
  retryAfterSeconds: number | undefined;
  /** Why polling ended before the job did, and whether the same poll may succeed later. */
  ended?: { readonly why: string; readonly mayGoOn: boolean };
}

/**
 * Waits for the job that a call has started, or repeats a GET until its work is finished. Rejects only when the caller cancels: the
 * first response is never lost, and a write is never sent again.
 */
export async function followJob(outer: RunningCall, first: Page, send: SendPoll): Promise<Followed> {
  // A question to a person in the middle of a wait would make the run begin again, the write included.
  const { run: _run, ...context } = outer.context;
  const call = { ...outer, context };
  const waitMs = readWaitMs(first.request);
  const { wait = 0 } = first.request;
  const reduced = wait > maxWaitSeconds ? [`\`wait\` was reduced to ${maxWaitSeconds} seconds.`] : [];
  const isSeeOther = first.exchange.status === 303 && first.built.method !== "GET";
  try {
    const page = isSeeOther ? await readSeeOther(call, first, send) : first;
    const { poll, why = [] } = waitMs === 0 ? {} : findPoll(call, page);
    const last = { ...page, notes: [...page.notes, ...reduced, ...[why].flat()] };
    // A first GET that failed is an answer, whatever was to be waited for.
    const isFailed = page.error !== undefined && !(await isFailedJob(call, page));
    if (poll === undefined || isFailed) return { page: last };
    const startedMs = call.services.host.clock.now();
    const retryAfterSeconds = readAskedPause(call, page);
    const started = { call, send, first, waitMs, startedMs, poll, last, retryAfterSeconds };
    return await finishPolling({ ...started, polls: 0, pausedMs: 0 });
  } finally {
    outer.prepared = call.prepared;
  }
}

/** RFC 9110, section 15.4.4: the write was carried out, and `Location` leads to what it gave. */
async function readSeeOther(call: RunningCall, first: Page, send: SendPoll): Promise<Page> {
  const link = readHeader(first.exchange.headers, "location") ?? "";
  const done = `The ${first.built.method} was carried out.`;
  if (link === "")
    return { ...first, notes: [...first.notes, `${done} The API does not report where its result is.`] };
  const { select, pages } = first.request;
  return readResultAt({ call, send }, first, link, { subject: `${done} Its result`, select, pages });
}

/** What a link of this page leads to; where it can't be read, the page with the reason, and with the way to it. */
async function readResultAt(
  polling: Pick<Polling, "call" | "send">,
  page: Page,
  link: string,
  { subject, ...asked }: { readonly subject: string } & Pick<Page["request"], "select" | "pages">,
): Promise<Page> {
  const path = toOwnPath(polling.call, page, link);
  const note = (why: string): Page => ({ ...page, notes: [...page.notes, `${subject} ${why}`] });
  if (path === undefined)
    return note(`is at ${quoteText(link, 200)}, which is not below the base URL, and was not requested.`);
  const next: NextCall = { method: "GET", path, ...asked };
  const read = await tryToSend(polling, next);
  if (typeof read !== "string" && read.error === undefined)
    return { ...read, notes: [...new Set([...page.notes, ...read.notes])] };
  return { ...note(`could not be read: ${describeProblem(read)}`), next };
}

/** What is to be repeated: the GET itself, or a GET of the job that a write has started. */
function findPoll(
  call: RunningCall,
  page: Page,
): { readonly poll?: NextCall; readonly why?: string | undefined } {
  const { built, request, job } = page;
  const { select, headers } = request;
  if (built.method !== "GET")
    return job?.path === undefined ? {} : { poll: { method: "GET", path: job.path, select } };
  const own = job?.path ?? toOwnPath(call, page, built.wire.url);
  const { path, why } = own === undefined ? {} : checkReadable(call, own);
  return path === undefined ? { why } : { poll: { method: "GET", path, select, headers } };
}

async function finishPolling(polling: Polling): Promise<Followed> {
  const page = await describeLast(polling, await pollUntilFinished(polling));
  const { poll, polls } = polling;
  if (polls === 0) return { page };
  const { created, notes = [] } = await keepFirst(polling);
  const job = { path: poll.path, polls, ms: readElapsedMs(polling), created };
  return { page: { ...page, notes: [...page.notes, ...notes] }, job };
}

/** Polls until the job is over, or `ended` is set. */
async function pollUntilFinished(polling: Polling): Promise<JobVerdict> {
  for (;;) {
    const { call, first, last } = polling;
    // The response of a write describes the request, and is never judged as the job.
    const isOwn = last.built.method !== "GET";
    const verdict = isOwn ? { isRunning: true } : await judgeJob(call, last, first.request.until);
    if (!verdict.isRunning || polling.ended !== undefined) return verdict;
    const pauseMs = readNextPauseMs(polling);
    tellProgress(polling, verdict.word);
    if (pauseMs === undefined) polling.ended = describeEnd(polling);
    else await pollOnce(polling, pauseMs);
  }
}

/** The last state as the page of the answer: with the error of a failed job, the result of a finished one, or the way on. */
async function describeLast(polling: Polling, verdict: JobVerdict): Promise<Page> {
  const { call, first, last, poll, ended } = polling;
  const { wait, until, select } = first.request;
  const notes = [...new Set([...(first.built.method === "GET" ? [] : first.notes), ...last.notes])];
  if (verdict.error !== undefined) return { ...last, notes, next: undefined, error: verdict.error };
  const { place, word = "" } = verdict;
  if (place !== undefined) {
    const other = `${place} != '${word.replace(/['\\]/g, "\\$&")}'`;
    const note = `\`${place}\` is ${quoteText(word)}: whether that is finished is not known. If it is not, send \`next\`, which waits until it changes, or give another \`until\`.`;
    return {
      ...last,
      next: { ...poll, wait: wait ?? usualWaitSeconds, until: other },
      notes: [...notes, note],
    };
  }
  if (verdict.isRunning) {
    const next = ended?.mayGoOn === false ? undefined : { ...poll, wait: wait ?? usualWaitSeconds, until };
    const why = ended === undefined ? [] : [ended.why];
    return { ...last, next, notes: [...notes, ...why, ...(verdict.notes ?? [])] };
  }
  // A `next` that waits leads to the job that is finished.
  const finished = { ...last, notes, next: last.next?.wait === undefined ? last.next : undefined };
  // Where the API names a place for the result, it is read; a result that can't be read leaves the finished job.
  const link = (await readResultLink(call, finished)) ?? first.job?.result;
  if (link === undefined || finished.built.method !== "GET") return finished;
  return readResultAt(polling, finished, link, { subject: "The result", select });
}

/** Keeps the first response of a write where the last state lacks a member of it, such as an id or a key that is shown once. */
async function keepFirst({
  call: { services, source, context },
  first: { built, body, line, exchange },
  last,
}: Polling): Promise<{ readonly created?: string | undefined; readonly notes?: readonly string[] }> {
  const [before, after] = [body.document, last.body.document];
  if (built.method === "GET" || !services.answers.readApiResponse || !isJsonObject(before)) return {};
  if (isJsonObject(after) && Object.keys(before).every((name) => Object.hasOwn(after, name))) return {};
  const { text, kind, contentType, partial } = body;
  const about = { source: source.slug, request: line, status: exchange.status };
  const { id, why } = await services.kept.keep({ text, kind, contentType, partial, ...about }, context);
  return { created: id, notes: why === undefined ? [] : [why] };
}

/** `Retry-After` of a response; undefined where it asks for nothing. */
function readAskedPause({ services }: RunningCall, { exchange }: Page): number | undefined {
  const { status, headers } = exchange;
  if (headers["retry-after"] === undefined) return undefined;
  return readRetryAfter({ status, headers, nowMs: services.host.clock.now() });
}

/** By the clock, and at least the pauses: a clock may be set back. */
function readElapsedMs({ call, startedMs, pausedMs }: Polling): number {
  return Math.max(pausedMs, call.services.host.clock.now() - startedMs);
}

/** Before each pause, so that the place of the job is known to a caller that goes away during it. */
function tellProgress({ call, poll, polls, pausedMs }: Polling, state: string | undefined): void {
  const { source, context, prepared } = call;
  const job = prepared.redactor.redact(poll.path);
  context.onProgress?.({ source: source.slug, job, polls, state, waitedMs: pausedMs });
}

function describeEnd({ waitMs, retryAfterSeconds = 0 }: Polling): NonNullable<Polling["ended"]> {
  const asked = retryAfterSeconds > 0 ? `; the API asks to wait ${retryAfterSeconds} seconds more` : "";
  const why = `The work was not finished after ${Math.round(waitMs / 1_000)} seconds${asked}. It is still running; send \`next\` to wait for it.`;
  return { why, mayGoOn: true };
}

/** How long the API may not know a job that it has just accepted. */
const unknownForMs = 5_000;

async function pollOnce(polling: Polling, pauseMs: number): Promise<void> {
  const { call, first } = polling;
  const { services, deadline } = call;
  const slept = await services.host.sleep(pauseMs, deadline.signal).catch(() => "stopped" as const);
  if (deadline.stoppedBy() === "cancelled") deadline.signal.throwIfAborted();
  polling.pausedMs += pauseMs;
  const page = slept === "stopped" ? "the time of the call is over" : await tryToSend(polling, polling.poll);
  if (typeof page === "string") {
    polling.ended = describeFailedPoll(page, true);
    return;
  }
  polling.polls += 1;
  polling.retryAfterSeconds = readAskedPause(call, page);
  const { error, exchange, job } = page;
  if (error === undefined || (await isFailedJob(call, page))) {
    polling.last = page;
    // Azure: each response of a running job may name another place for the next one.
    if (exchange.status === 202 && job?.path !== undefined)
      polling.poll = { ...polling.poll, path: job.path };
    return;
  }
  const isNew = first.built.method !== "GET" && readElapsedMs(polling) < unknownForMs;
  if (error.category === "not_found" && isNew) return;
  if (error.retryable && error.retryAfterSeconds !== undefined)
    polling.retryAfterSeconds = error.retryAfterSeconds;
  else polling.ended = describeFailedPoll(describeProblem(page), error.retryable);
}

function describeFailedPoll(problem: string, mayGoOn: boolean): NonNullable<Polling["ended"]> {
  return {
    why: `The job could not be read: ${problem.replace(/\.$/, "")}. The job itself may still run; \`data\` is its last known state.`,
    mayGoOn,
  };
}

/** The page, or the reason why it could not be read. The credential is resolved anew. @throws the signal's reason when the caller cancels */
async function tryToSend(
  { call, send }: Pick<Polling, "call" | "send">,
  input: NextCall,
): Promise<Page | string> {
  const { source, services, context, deadline, progress } = call;
  try {
    call.prepared = await deadline.race(prepareCall(source, services, context));
    progress.redactor = call.prepared.redactor;
    services.slots.document?.addNext(source, input);
    return await send(call, input);
  } catch (error) {
    if (deadline.stoppedBy() === "cancelled") throw error;
    return error instanceof ApiSourceError ? error.message : "something that the application provides failed";
  }
}

function describeProblem(read: Page | string): string {
  return typeof read === "string" ? read : `${read.exchange.status}: ${read.error?.message ?? ""}`;
}

/** The first pauses; later ones are `longestPauseMs`. */
const firstPausesMs: readonly number[] = [1_000, 2_000, 4_000, 8_000];
const longestPauseMs = 10_000;
const shortestPauseMs = 1_000;

/**
 * The pause before the next poll in milliseconds: at least one second, what `Retry-After` asks for, else 1, 2, 4, 8, then 10 seconds.
 *
 * @returns undefined when no poll fits the time that is left. The last pause is shortened to it, unless the API asked for a longer one.
 */
function readNextPauseMs(polling: Polling): number | undefined {
  const { polls, retryAfterSeconds, waitMs } = polling;
  const leftMs = waitMs - readElapsedMs(polling);
  const usualMs = Math.min(firstPausesMs[polls] ?? longestPauseMs, leftMs);
  const pauseMs =
    retryAfterSeconds === undefined ? usualMs : Math.max(shortestPauseMs, 1_000 * retryAfterSeconds);
  return pauseMs >= shortestPauseMs && pauseMs <= leftMs ? pauseMs : undefined;
}
