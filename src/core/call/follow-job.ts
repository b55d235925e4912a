/** Between steps 8 and 9 of a call: a job is polled until it is finished, and what a 303 leads to is read. Only reads are sent here. */

import type { JobRead, NextCall } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { quoteText } from "../base/text.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { readWaitMs, usualWaitSeconds } from "./call-request.js";
import { continueAt, toOwnPath } from "./continue-call.js";
import { findPauseMs } from "./find-pause.js";
import { changePrepared, prepareCall } from "./prepare-call.js";
import { findCreated, isFailedJob, type JobVerdict, judgeJob, readResultLink } from "./read-job.js";
import type { Page, RunningCall } from "./running-call.js";
import { showProgress } from "./show-progress.js";

/** The result of a call that may have started a job. */
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
  readonly send: SendPoll;
  readonly first: Page;
  readonly startedMs: number;
  /** The sum of the pauses. */
  pausedMs: number;
  /** The request of each poll. */
  poll: NextCall;
  last: Page;
  /** The meaning of the last response, once judged: the document is not asked again when the time of the call is over. */
  verdict: JobVerdict | undefined;
  polls: number;
  /** Whether a poll was answered with 202: then the API tells by the status whether the work is finished. */
  wasAccepted: boolean;
  /** The wait that the last response asks for. */
  retryAfterSeconds: number | undefined;
  /** Why polling ended before the job did. */
  ended?: string;
}

/**
 * Waits for the job that a call has started, or repeats a GET until its work is finished. Rejects only when the caller cancels: the
 * first response is never lost, and a write is never sent again.
 */
export async function followJob(answered: Page, send: SendPoll): Promise<Followed> {
  // A question to a person in the middle of a wait would make the run begin again, the write included.
  const { run: _run, ...context } = answered.call.context;
  const call = { ...answered.call, context };
  const first = { ...answered, call };
  const isSeeOther = first.exchange.status === 303 && first.built.method !== "GET";
  const last = isSeeOther ? await readSeeOther(first, send) : first;
  const poll = readWaitMs(first.request) === 0 ? undefined : findPoll(last);
  // A first GET that failed is an answer, whatever was to be waited for.
  const isFailed = last.error !== undefined && !(await isFailedJob(last));
  if (poll === undefined || isFailed) return { page: last };
  return pollUntilFinished({
    send,
    first,
    poll,
    last,
    verdict: undefined,
    startedMs: call.services.host.stopwatch.now(),
    pausedMs: 0,
    polls: 0,
    wasAccepted: false,
    retryAfterSeconds: last.rateLimit?.retryAfterSeconds,
  });
}

/** RFC 9110, section 15.4.4: the write was carried out, and `Location` leads to what it gave. */
async function readSeeOther(first: Page, send: SendPoll): Promise<Page> {
  const link = readHeader(first.exchange.headers, "location") ?? "";
  const done = `The ${first.built.method} was carried out.`;
  if (link === "")
    return {
      ...first,
      notes: [...first.notes, `${done} The API does not report where its result is.`],
    };
  const { select, pages } = first.request;
  return readResultAt(send, first, link, {
    subject: `${done} Its result`,
    select,
    pages,
  });
}

/** Reads the page that a link of this page leads to; where it can't be read, the page with the reason and the link. */
async function readResultAt(
  send: SendPoll,
  page: Page,
  link: string,
  { subject, ...asked }: { readonly subject: string } & Pick<Page["request"], "select" | "pages">,
): Promise<Page> {
  const path = toOwnPath(page, link);
  const note = (why: string): Page => ({ ...page, notes: [...page.notes, `${subject} ${why}`] });
  if (path === undefined)
    return note(
      `is at ${quoteText(link, 200)}, which is not below the base URL, and was not requested.`,
    );
  const next: NextCall = { ...continueAt(page, path), ...asked };
  const read = await tryToSend(send, page.call, next);
  if (typeof read !== "string" && read.error === undefined)
    return { ...read, notes: [...new Set([...page.notes, ...read.notes])] };
  return { ...note(`could not be read: ${describeProblem(read)}`), next };
}

/** The request to repeat: the GET itself, or a GET of the job that a write has started. */
function findPoll(page: Page): NextCall | undefined {
  const { built, job } = page;
  const own = built.method === "GET" ? toOwnPath(page, built.wire.url) : undefined;
  // A GET that started a job elsewhere would start another one.
  const path = job === undefined ? own : job.path;
  return path === undefined ? undefined : continueAt(page, path);
}

async function pollUntilFinished(polling: Polling): Promise<Followed> {
  const { first, startedMs } = polling;
  const { stopwatch } = first.call.services.host;
  // At least the pauses: a stopwatch that a test gives may stand.
  const elapsedMs = (): number => Math.max(polling.pausedMs, stopwatch.now() - startedMs);
  for (;;) {
    const verdict = polling.verdict ?? (await judgeLast(polling));
    polling.verdict = verdict;
    if (verdict.isRunning && polling.ended === undefined) {
      await pollOnce(polling, elapsedMs(), verdict.word);
      continue;
    }
    const page = await describeLast(polling, verdict);
    const { poll, polls } = polling;
    if (polls === 0) return { page };
    const { created, notes = [] } = await keepFirst(polling);
    const job = { path: poll.path, polls, ms: elapsedMs(), created };
    return { page: { ...page, notes: [...page.notes, ...notes] }, job };
  }
}

function judgeLast({ first, last, wasAccepted }: Polling): Promise<JobVerdict> {
  const { built, exchange, job, request } = first;
  const isWrite = built.method !== "GET";
  // The response of a write describes the request, and is never judged as the job.
  if (last.built.method !== "GET") return Promise.resolve({ isRunning: true });
  const isAccepted = exchange.status === 202;
  return judgeJob(last, {
    until: request.until,
    isStarted: isWrite || isAccepted || first.call.source.api.jobs !== undefined,
    startedAs: job?.word,
    needsState: isWrite && isAccepted && !wasAccepted,
    isAzure: readHeader(exchange.headers, "azure-asyncoperation") !== undefined,
  });
}

/** The last state as the page of the answer: with the error of a failed job, the result of a finished one, or the way on. */
async function describeLast(polling: Polling, verdict: JobVerdict): Promise<Page> {
  const { first, last, poll, ended } = polling;
  const { wait = usualWaitSeconds, until } = first.request;
  const notes = [...new Set([...(first.built.method === "GET" ? [] : first.notes), ...last.notes])];
  const { error, doubt } = verdict;
  if (error !== undefined) return { ...last, notes, next: undefined, error };
  if (doubt !== undefined) {
    const note = `${doubt.seen}: whether the work is finished is not known. If it is not, send \`next\`, which waits until the response changes, or give another \`until\`.`;
    const next = { ...poll, wait, until: doubt.until };
    return { ...last, next, notes: [...notes, note] };
  }
  if (verdict.isRunning) {
    const why = ended === undefined ? [] : [ended];
    const all = [...notes, ...why, ...(verdict.notes ?? [])];
    return { ...last, next: { ...poll, wait, until }, notes: all };
  }
  return readResult(polling, { ...last, notes });
}

/** The finished job, or its result where the API names a place for it. A result that can't be read leaves the finished job. */
async function readResult(polling: Polling, last: Page): Promise<Page> {
  const { first, send } = polling;
  const { select, until } = first.request;
  // A `next` that waits leads to the job that is finished.
  const next = last.next?.wait === undefined ? last.next : undefined;
  // A condition that is true is what the caller waited for: a state that means a failure is data then.
  const error = until === undefined ? last.error : undefined;
  const finished: Page = { ...last, next, error };
  const link = (await readResultLink(finished)) ?? first.job?.result ?? findCreated(finished);
  if (link === undefined || finished.built.method !== "GET") return finished;
  return readResultAt(send, finished, link, { subject: "The result", select });
}

/** Keeps the first response of a write where the last state lacks a member of it, such as an id or a key that is shown once. */
async function keepFirst({ first: { call, built, body, line, exchange }, last }: Polling): Promise<{
  readonly created?: string | undefined;
  readonly notes?: readonly string[];
}> {
  const { services, source, context } = call;
  const [before, after] = [body.document, last.body.document];
  if (built.method === "GET" || !services.answers.readApiResponse || !isJsonObject(before))
    return {};
  if (isJsonObject(after) && Object.keys(before).every((name) => Object.hasOwn(after, name)))
    return {};
  const { text, kind, contentType, partial } = body;
  const about = { source: source.slug, request: line, status: exchange.status };
  const { id, why } = await services.kept.keep(
    { text, kind, contentType, partial, ...about },
    context,
  );
  return { created: id, notes: why === undefined ? [] : [why] };
}

/** How long the API may not know a job that it has just accepted. */
const unknownForMs = 5_000;

/** Pauses and polls, or notes why there is no time for it. @param state - As the API writes it. */
async function pollOnce(
  polling: Polling,
  elapsedMs: number,
  state: string | undefined,
): Promise<void> {
  const { send, first, last, poll, polls } = polling;
  const { source, prepared } = last.call;
  const waitMs = readWaitMs(first.request);
  const pauseMs = findPauseMs(polling, waitMs - elapsedMs);
  // Before each pause, so that the place of the job is known to a caller that goes away during it.
  const job = prepared.redactor.redact(poll.path);
  showProgress(last.call, { source: source.slug, job, polls, state, waitedMs: elapsedMs });
  if (pauseMs === undefined) {
    const { retryAfterSeconds = 0 } = polling;
    const asked =
      retryAfterSeconds > 0 ? `; the API asks to wait ${retryAfterSeconds} seconds more` : "";
    const after = `after ${Math.round(waitMs / 1_000)} seconds${asked}`;
    polling.ended =
      first.request.until === undefined
        ? `The work was not finished ${after}. It is still running; send \`next\` to wait for it.`
        : `\`until\` was not true ${after}. Send \`next\` to wait longer, or another \`until\` if the state shows that the work is over.`;
    return;
  }
  const page = await tryToSend(send, last.call, poll, pauseMs);
  polling.pausedMs += pauseMs;
  if (typeof page !== "string") {
    polling.polls += 1;
    polling.retryAfterSeconds = page.rateLimit?.retryAfterSeconds;
    const { error, exchange, job } = page;
    if (error === undefined || (await isFailedJob(page))) {
      polling.last = page;
      polling.verdict = undefined;
      polling.wasAccepted ||= exchange.status === 202;
      // Azure: each response of a running job may name another place for the next one.
      if (exchange.status === 202 && job?.path !== undefined)
        polling.poll = continueAt(page, job.path);
      return;
    }
    const isNew = first.built.method !== "GET" && elapsedMs + pauseMs < unknownForMs;
    if (error.category === "not_found" && isNew) return;
    if (error.retryable && error.retryAfterSeconds !== undefined) {
      polling.retryAfterSeconds = error.retryAfterSeconds;
      return;
    }
  }
  const problem = describeProblem(page).replace(/\.$/, "");
  polling.ended = `The job could not be read: ${problem}. The job itself may still run; \`data\` is its last known state.`;
  // A failure in the body of a 2xx is the state that the API reports.
  if (typeof page !== "string" && page.exchange.status < 300)
    polling.last = { ...page, error: undefined };
}

/** The page, or the reason why it could not be read. The credential is resolved anew. @throws the signal's reason when the caller cancels */
async function tryToSend(
  send: SendPoll,
  call: RunningCall,
  input: NextCall,
  pauseMs = 0,
): Promise<Page | string> {
  const { source, services, context, deadline } = call;
  try {
    if (pauseMs > 0) await services.host.sleep(pauseMs, deadline.signal);
    const prepared = await deadline.race(prepareCall(source, services, context));
    services.slots.document?.addNext(source, input);
    return await send(changePrepared(call, prepared), input);
  } catch (error) {
    const stopped = deadline.stoppedBy();
    if (stopped === "cancelled") throw error;
    if (stopped !== undefined) return "the time of the call is over";
    return error instanceof ApiSourceError
      ? error.message
      : "something that the application provides failed";
  }
}

function describeProblem(read: Page | string): string {
  return typeof read === "string" ? read : `${read.exchange.status}: ${read.error?.message ?? ""}`;
}
