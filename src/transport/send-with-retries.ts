/** Sends one request until an answer's head is there: axios for the wire, axios-retry with our own rules around it. */

import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Axios, AxiosHeaders, type AxiosInstance, isAxiosError, type RawAxiosRequestConfig } from "axios";
import axiosRetry from "axios-retry";
import { readRetryAfter } from "../limits/read-rate-limit.js";
import type { WireRequest } from "../policy/wire-request.js";
import type { Route } from "./create-agents.js";
import type { ReuseGuard } from "./guard-reuse.js";
import { createOwnAdapter } from "./own-transport.js";
import { isBusyStatus, retryDelay, shouldRetry } from "./retry-rule.js";
import { readCode } from "./send-failure.js";
import type { SendOptions, TransportOptions } from "./transport.js";
import { type CallProgress, createWatchedTransport, type WatchedAnswer } from "./watch-request.js";
import { applyDefaultHeaders, readResponseHeaders } from "./wire-headers.js";

/** What all requests of one call share. */
export interface CallState extends Omit<TransportOptions, "network"> {
  readonly call: SendOptions;
  readonly progress: CallProgress;
  readonly route: Route;
  readonly reuse: ReuseGuard;
  /** Whether the request may be sent again without doing anything twice. */
  readonly repeatable: boolean;
}

/**
 * Returns the answer of the last attempt with its body unread. Whatever it throws, an AxiosError included, is for the
 * room's boundary to translate.
 */
export async function sendWithRetries(request: WireRequest, state: CallState): Promise<IncomingMessage> {
  const answer = createClient(request, state)
    .request<WatchedAnswer>(toAxiosConfig(request, state))
    .then((response) => response.data.message, takeAnswer);
  // An interceptor, the pace or a sleep may wait on something that knows no signal.
  return state.call.deadline.race(answer, (late) => late.destroy());
}

/** A client of this call alone, so that the credential lives in its interceptor and nowhere else. */
function createClient(request: WireRequest, state: CallState): AxiosInstance {
  const { call, limits, progress } = state;
  const client = createPlainClient();
  // Request interceptors run in reverse order: the pace first, the credential last.
  if (call.authenticate !== undefined) client.interceptors.request.use(call.authenticate);
  axiosRetry(client, {
    retries: limits.retries - progress.retries,
    // It waits here, with the injected sleep, and not by axios-retry's own timer.
    retryCondition: (error) => waitToRetry(error, state),
    retryDelay: () => 0,
  });
  client.interceptors.request.use(async (config) => {
    await takeTurn(state);
    // A retry comes with what the last attempt was sent with, the credential included: begin anew.
    config.url = request.url;
    config.headers = AxiosHeaders.from(applyDefaultHeaders(request.headers));
    return config;
  });
  return client;
}

/**
 * An axios without defaults: what an application set on `axios.defaults` (a header, a base URL, a proxy) is not for this API,
 * and `axios.create()` would copy it. axios-retry calls the client as a function.
 */
function createPlainClient(): AxiosInstance {
  const client = new Axios({});
  const { interceptors, defaults } = client;
  const request = (config: RawAxiosRequestConfig): Promise<unknown> => client.request(config);
  return Object.assign(request, { interceptors, defaults, request }) as AxiosInstance;
}

async function takeTurn({ call, limits, clock, progress }: CallState): Promise<void> {
  const { signal, deadlineMs } = call.deadline;
  const { maxWaitMs } = limits;
  if (call.pace !== undefined) {
    const startedMs = clock.now();
    await call.pace.limiter.take(call.pace.key, { signal, deadlineMs, maxWaitMs });
    const ms = clock.now() - startedMs;
    // The shortest wait of a limiter is a second; less is the time that asking takes.
    if (ms >= 1_000) progress.waits.push({ ms, why: "limits.requestsPerMinute of the source" });
  }
  // One turn of the event loop, in which Node reads what idle connections have sent unasked: those are closed then.
  await nextTurn();
  if (progress.attempts === 0) call.onSend?.();
}

/** Waits until the request may be sent again; false when it may not. */
async function waitToRetry(error: unknown, state: CallState): Promise<boolean> {
  const { call, limits, progress, random, logger, clock } = state;
  const { deadline } = call;
  const answer = messageOf(error);
  const headers = answer && readResponseHeaders(answer);
  const status = answer?.statusCode;
  const retryAfterSeconds = headers && readRetryAfter({ status: status ?? 0, headers, nowMs: clock.now() });
  const code = readCode(error);
  // What a reset header says delays a retry, but only `Retry-After` itself has a write sent again.
  const isAsked = headers?.["retry-after"] !== undefined;
  const failed = { status, code, retryAfterSeconds: isAsked ? retryAfterSeconds : undefined };
  if (deadline.signal.aborted || !shouldRetry(failed, state.repeatable)) return false;
  const retry = progress.retries + 1;
  const { maxWaitMs } = limits;
  const remainingMs = deadline.remainingMs();
  const delayMs = retryDelay({ retry, retryAfterSeconds, maxWaitMs, remainingMs, random });
  if (delayMs === undefined) return false;
  const reason = status === undefined ? { code } : { status };
  logger.debug("Sending a request again", { attempt: progress.attempts + 1, delayMs, ...reason });
  answer?.destroy();
  progress.retries = retry;
  const asked = isAsked ? `, Retry-After ${retryAfterSeconds}` : "";
  progress.waits.push({ ms: delayMs, why: `${status ?? code ?? "the connection broke"}${asked}` });
  await state.sleep(delayMs, deadline.signal);
  return !deadline.signal.aborted;
}

/** An answer that axios-retry gave up on is an answer all the same. */
function takeAnswer(error: unknown): IncomingMessage {
  const answer = messageOf(error);
  if (answer === undefined) throw error;
  return answer;
}

function messageOf(error: unknown): IncomingMessage | undefined {
  return isAxiosError<WatchedAnswer>(error) ? error.response?.data.message : undefined;
}

function toAxiosConfig(request: WireRequest, state: CallState): RawAxiosRequestConfig {
  const { call, progress, reuse, route } = state;
  const { signal } = call.deadline;
  // Its own body: a polluted `Object.prototype.body` is none.
  const body = Object.hasOwn(request, "body") ? request.body : undefined;
  return {
    ...route,
    adapter: state.transport === undefined ? "http" : createOwnAdapter(state.transport, progress, signal),
    method: request.method,
    ...(body === undefined ? {} : { data: Buffer.from(body) }),
    maxRedirects: 0,
    responseType: "stream",
    decompress: false,
    insecureHTTPParser: false,
    signal,
    transport: createWatchedTransport(progress, { signal, reuse }),
    // Only what may be retried goes to axios-retry as an error; every other status is an answer.
    validateStatus: (status) => !isBusyStatus(status),
  };
}
