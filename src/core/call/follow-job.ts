/** Between steps 8 and 9 of a call: a job is polled until it is finished, and what a 303 leads to is read. Only reads are sent here. */

import type { JobRead, NextCall } from "../answer/answer.js";
import { isJsonObject } from "../base/exact-number.js";
import { quoteText } from "../base/text.js";
import { maxWaitSeconds, readWaitMs, usualWaitSeconds } from "./call-request.js";
import {
  describeProblem,
  type Polling,
  pollUntilFinished,
  readAskedPause,
  readElapsedMs,
  type SendPoll,
  tryToSend,
} from "./poll-job.js";
import { checkReadable, isFailedJob, type JobVerdict, readResultLink, toOwnPath } from "./read-job.js";
import type { Page, RunningCall } from "./running-call.js";

/** What became of a call that may have started a job. */
interface Followed {
  /** The result, the last state of the job, or the first response. */
  readonly page: Page;
  /** Present once polled. */
  readonly job?: JobRead;
}

/**
 * Waits for the job that a call has started, or repeats a GET until its work is finished. Rejects only when the caller cancels: the
 * first response is never lost, and a write is never sent again.
 */
export async function followJob(outer: RunningCall, first: Page, send: SendPoll): Promise<Followed> {
  const { request } = first;
  // A question to a person in the middle of a wait would make the run begin again, the write included.
  const { run: _run, ...context } = outer.context;
  const call = { ...outer, context };
  const waitMs = readWaitMs(request);
  const reduced =
    (request.wait ?? 0) > maxWaitSeconds ? [`\`wait\` was reduced to ${maxWaitSeconds} seconds.`] : [];
  try {
    const page = isSeeOther(first) ? await readSeeOther(call, first, send) : first;
    const noted = reduced.length === 0 ? page : { ...page, notes: [...page.notes, ...reduced] };
    const { poll, why } = waitMs === 0 ? {} : findPoll(call, page);
    // A first GET that failed is an answer, whatever was to be waited for.
    const isFailed = page.error !== undefined && !(await isFailedJob(call, page));
    if (poll === undefined || isFailed)
      return { page: why === undefined ? noted : { ...noted, notes: [...noted.notes, why] } };
    const startedMs = call.services.host.clock.now();
    const retryAfterSeconds = readAskedPause(call, page);
    const started = { call, send, first, waitMs, startedMs, poll, last: noted, retryAfterSeconds };
    return await finishPolling({ ...started, polls: 0, pausedMs: 0 });
  } finally {
    outer.prepared = call.prepared;
  }
}

function isSeeOther({ exchange, built }: Page): boolean {
  return exchange.status === 303 && built.method !== "GET";
}

/** RFC 9110, section 15.4.4: the write was carried out, and `Location` leads to what it gave. */
async function readSeeOther(call: RunningCall, first: Page, send: SendPoll): Promise<Page> {
  const [link = ""] = [first.exchange.headers["location"] ?? []].flat();
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
  const verdict = await pollUntilFinished(polling);
  const page = await describeLast(polling, verdict);
  if (polling.polls === 0) return { page };
  const { created, notes = [] } = await keepFirst(polling);
  const ms = readElapsedMs(polling);
  const job = { path: polling.poll.path, polls: polling.polls, ms };
  return {
    page: { ...page, notes: [...page.notes, ...notes] },
    job: { ...job, ...{ created } },
  };
}

/** The last state as the page of the answer: with the error of a failed job, the result of a finished one, or the way on. */
async function describeLast(polling: Polling, verdict: JobVerdict): Promise<Page> {
  const { first, last, poll, ended } = polling;
  const { request } = first;
  const notes = [...new Set([...(first.built.method === "GET" ? [] : first.notes), ...last.notes])];
  if (verdict.is === "failed") return { ...last, notes, next: undefined, error: verdict.error };
  if (verdict.is === "finished") return readResult(polling, { ...last, notes, request: { ...last.request } });
  const { wait = usualWaitSeconds, until } = request;
  if (verdict.is === "unknown") {
    const other = `${verdict.place} != '${verdict.word.replace(/['\\]/g, "\\$&")}'`;
    const note = `\`${verdict.place}\` is ${quoteText(verdict.word)}: whether that is finished is not known. If it is not, send \`next\`, which waits until it changes, or give another \`until\`.`;
    return { ...last, next: { ...poll, wait, until: other }, notes: [...notes, note] };
  }
  const next = ended?.mayGoOn === false ? undefined : { ...poll, ...{ wait, until } };
  const why = ended === undefined ? [] : [ended.why];
  return { ...last, next, notes: [...notes, ...why, ...(verdict.notes ?? [])] };
}

/** Where the API names a place for the result, it is read; a result that can't be read leaves the finished job. */
async function readResult(polling: Polling, page: Page): Promise<Page> {
  const { call, first } = polling;
  const finished = page.next?.wait === undefined ? page : { ...page, next: undefined };
  const link = (await readResultLink(call, page)) ?? first.job?.result;
  if (link === undefined || page.built.method !== "GET") return finished;
  return readResultAt(polling, finished, link, { subject: "The result", select: first.request.select });
}

/** Keeps the first response of a write where the last state lacks a member of it, such as an id or a key that is shown once. */
async function keepFirst({
  call,
  first,
  last,
}: Polling): Promise<{ readonly created?: string | undefined; readonly notes?: readonly string[] }> {
  const { services, source, context } = call;
  const [before, after] = [first.body.document, last.body.document];
  if (first.built.method === "GET" || !services.answers.readApiResponse || !isJsonObject(before)) return {};
  if (isJsonObject(after) && Object.keys(before).every((name) => Object.hasOwn(after, name))) return {};
  const { text, kind, contentType, partial } = first.body;
  const about = {
    source: source.slug,
    request: first.line,
    status: first.exchange.status,
  };
  const { id, why } = await services.kept.keep(
    { text, kind, ...about, ...{ contentType, partial } },
    context,
  );
  return { created: id, notes: why === undefined ? [] : [why] };
}
