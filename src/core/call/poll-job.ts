/** Polls a job, or repeats a GET, until its work is finished, the wait is over, or a poll fails. */

import type { NextCall } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { readRetryAfter } from "../http/limits/read-rate-limit.js";
import { prepareCall } from "./prepare-call.js";
import { isFailedJob, type JobVerdict, judgeJob } from "./read-job.js";
import type { Page, RunningCall } from "./running-call.js";

/** Sends one request through every step of a call but approval: approving the write covers its polls. */
export type SendPoll = (call: RunningCall, input: NextCall) => Promise<Page>;

/** How long the API may not know a job that it has just accepted. */
const unknownForMs = 5_000;

/** A job while it is polled. */
export interface Polling {
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
  retryAfterSeconds: number | undefined;
  /** Why polling ended before the job did, and whether the same poll may succeed later. */
  ended?: { readonly why: string; readonly mayGoOn: boolean };
}

/** Polls until the verdict is another one than "running", or `ended` is set. */
export async function pollUntilFinished(polling: Polling): Promise<JobVerdict> {
  for (;;) {
    const verdict = await judge(polling);
    if (verdict.is !== "running" || polling.ended !== undefined) return verdict;
    const pauseMs = readNextPauseMs({ ...polling, leftMs: polling.waitMs - readElapsedMs(polling) });
    tellProgress(polling, verdict.word);
    if (pauseMs === undefined) polling.ended = describeEnd(polling);
    else await pollOnce(polling, pauseMs);
  }
}

/** The response of a write describes the request, and is never judged as the job. */
async function judge({ call, first, last }: Polling): Promise<JobVerdict> {
  const isOwn = last.built.method !== "GET";
  return isOwn ? { is: "running" } : judgeJob(call, last, first.request.until);
}

/** `Retry-After` of a response; undefined where it asks for nothing. */
export function readAskedPause({ services }: RunningCall, { exchange }: Page): number | undefined {
  const { status, headers } = exchange;
  if (headers["retry-after"] === undefined) return undefined;
  return readRetryAfter({ status, headers, nowMs: services.host.clock.now() });
}

/** By the clock, and at least the pauses: a clock may be set back. */
export function readElapsedMs({ call, startedMs, pausedMs }: Polling): number {
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
  if (error.retryable && error.retryAfterSeconds !== undefined) {
    polling.retryAfterSeconds = error.retryAfterSeconds;
    return;
  }
  polling.ended = describeFailedPoll(describeProblem(page), error.retryable);
}

function describeFailedPoll(problem: string, mayGoOn: boolean): NonNullable<Polling["ended"]> {
  return {
    why: `The job could not be read: ${problem.replace(/\.$/, "")}. The job itself may still run; \`data\` is its last known state.`,
    mayGoOn,
  };
}

/** The page, or the reason why it could not be read. The credential is resolved anew. @throws the signal's reason when the caller cancels */
export async function tryToSend(
  { call, send }: Pick<Polling, "call" | "send">,
  input: NextCall,
): Promise<Page | string> {
  const { source, services, context, deadline, progress } = call;
  try {
    const prepared = await deadline.race(prepareCall(source, services, context));
    call.prepared = prepared;
    progress.redactor = prepared.redactor;
    services.slots.document?.addNext(source, input);
    return await send(call, input);
  } catch (error) {
    if (deadline.stoppedBy() === "cancelled") throw error;
    return error instanceof ApiSourceError ? error.message : "something that the application provides failed";
  }
}

export function describeProblem(read: Page | string): string {
  return typeof read === "string" ? read : `${read.exchange.status}: ${read.error?.message ?? ""}`;
}

/** The first pauses; later ones are `longestPauseMs`. */
const firstPausesMs: readonly number[] = [1_000, 2_000, 4_000, 8_000];
const longestPauseMs = 10_000;
const shortestPauseMs = 1_000;

interface PauseFacts {
  /** How many polls there were. */
  readonly polls: number;
  /** What the last response asks for. */
  readonly retryAfterSeconds?: number | undefined;
  /** What is left of the time that the call may wait. */
  readonly leftMs: number;
}

/**
 * Gives the pause before the next poll in milliseconds: at least one second, what `Retry-After` asks for, else 1, 2, 4, 8, then 10 seconds.
 *
 * @returns undefined when no poll fits the time that is left. The last pause is shortened to it, unless the API asked for a longer one.
 */
function readNextPauseMs({ polls, retryAfterSeconds, leftMs }: PauseFacts): number | undefined {
  const askedMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
  const pauseMs =
    askedMs === undefined
      ? Math.min(firstPausesMs[polls] ?? longestPauseMs, leftMs)
      : Math.max(shortestPauseMs, askedMs);
  return pauseMs >= shortestPauseMs && pauseMs <= leftMs ? pauseMs : undefined;
}
