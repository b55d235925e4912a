/** Sends one request until an answer's head is there: axios for the wire, and axios-retry for what can't repeat a write. */

import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  Axios,
  AxiosHeaders,
  type AxiosInstance,
  type AxiosResponse,
  isAxiosError,
  type RawAxiosRequestConfig,
} from "axios";
import axiosRetry from "axios-retry";
import type { Random } from "../base/runtime.js";
import type { HttpMethod } from "../record/api-source.js";
import type { WireRequest } from "../request/wire-request.js";
import type { Route } from "./create-agents.js";
import { readRetryAfter } from "./limits/read-rate-limit.js";
import { isRecorder, type ObservedAttempt, observeRequest } from "./observed-attempt.js";
import { createObservingAdapter } from "./observing-adapter.js";
import { createOwnAdapter } from "./own-transport.js";
import { codeOf } from "./send-failure.js";
import type { SendOptions, TransportOptions } from "./transport.js";
import { type CallProgress, createWatchedTransport, type WatchedAnswer } from "./watch-request.js";
import { applyDefaultHeaders, downloadHeaders, readResponseHeaders } from "./wire-headers.js";

/** In CommonJS the package is an object with this function as `default`, and a bundle hands on the object. */
const applyRetries: typeof axiosRetry = Object(axiosRetry).default ?? axiosRetry;

/** What all requests of one call share. */
export interface CallState extends TransportOptions {
  readonly call: SendOptions;
  readonly progress: CallProgress;
  readonly route: Route;
  /** What a recorder is given when the call is over. */
  readonly observed: ObservedAttempt[];
  /** Whether the request may be sent again without doing anything twice. */
  readonly repeatable: boolean;
  /** Present when the request goes to a host for downloads. */
  readonly isDownload?: true;
}

/**
 * Returns the answer of the last attempt with its body unread. Whatever it throws, an AxiosError included, is for the
 * room's boundary to translate.
 */
export async function sendWithRetries(request: WireRequest, state: CallState): Promise<IncomingMessage> {
  const answer = createClient(request, state)
    .request<WatchedAnswer>(toAxiosConfig(request, state))
    .then((response) => response.data.message, takeAnswer);
  // An interceptor, the rate limit or a sleep may wait without observing the signal.
  return state.call.deadline.race(answer, (late) => late.destroy());
}

/** A client of this call alone, so that the credential lives in its interceptor and nowhere else. */
function createClient(request: WireRequest, state: CallState): AxiosInstance {
  const { call, limits, progress } = state;
  const client = createPlainClient();
  // Request interceptors run in reverse order: the rate limit first, the credential last.
  const { authenticate } = call;
  if (authenticate !== undefined) {
    client.interceptors.request.use(async (config) => {
      progress.phase = "sign";
      const authenticated = await authenticate(config);
      progress.phase = "dns";
      return authenticated;
    });
  }
  // Before that of axios-retry: it receives each attempt.
  client.interceptors.response.use(
    async (response: AxiosResponse<WatchedAnswer>) => {
      await noteHead(response.data.message, state);
      return response;
    },
    async (error: unknown) => {
      await noteHead(messageOf(error), state);
      throw error;
    },
  );
  applyRetries(client, {
    retries: limits.retries - progress.retries,
    // It waits here, with the injected sleep, and not by axios-retry's own timer.
    retryCondition: (error) => waitToRetry(error, state),
    retryDelay: () => 0,
  });
  client.interceptors.request.use(async (config) => {
    await takeTurn(state);
    // A retry comes with what the last attempt was sent with, the credential included: begin anew.
    config.url = request.url;
    config.headers = AxiosHeaders.from(
      state.isDownload ? { ...downloadHeaders } : applyDefaultHeaders(request.headers),
    );
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

function toAxiosConfig(request: WireRequest, state: CallState): RawAxiosRequestConfig {
  const { call, progress, route } = state;
  const { signal } = call.deadline;
  // Own members only: `Object.prototype.body` may be polluted.
  const body = Object.hasOwn(request, "body") ? request.body : undefined;
  return {
    ...route,
    adapter: chooseAdapter(request, state),
    method: request.method,
    ...(body === undefined ? {} : { data: Buffer.from(body) }),
    maxRedirects: 0,
    responseType: "stream",
    decompress: false,
    insecureHTTPParser: false,
    signal,
    transport: createWatchedTransport(progress, signal),
    // Only what may be retried goes to axios-retry as an error; every other status is an answer.
    validateStatus: (status) => !busyStatuses.has(status),
  };
}

/** The network, observed where a recorder is given; else what answers in its place. */
function chooseAdapter(
  request: WireRequest,
  state: CallState,
): NonNullable<RawAxiosRequestConfig["adapter"]> {
  const { call, transport, progress, observed, clock, source = "", isTokenCall = false } = state;
  if (transport === undefined) return "http";
  if (typeof transport === "function") return createOwnAdapter(transport, progress, call.deadline.signal);
  const { baseUrl, redactor } = call;
  const seen = observeRequest(request, { source, isTokenCall, baseUrl, redactor });
  if (isRecorder(transport)) return createObservingAdapter(seen, observed, clock);
  return createOwnAdapter(() => transport.replay(seen), progress, call.deadline.signal);
}

/** A call that may wait waits longer for a limit than the source asks of each. */
function findMaxWait({ call, limits }: CallState): number {
  return Math.max(limits.maxWaitMs, call.waitMs ?? 0);
}

async function takeTurn(state: CallState): Promise<void> {
  const { call, clock, progress } = state;
  const { signal, deadlineMs } = call.deadline;
  const maxWaitMs = findMaxWait(state);
  if (call.rateLimit !== undefined) {
    const startedMs = clock.now();
    await call.rateLimit.limiter.take(call.rateLimit.key, { signal, deadlineMs, maxWaitMs });
    const ms = clock.now() - startedMs;
    // The shortest wait of a limiter is a second; less is the time that asking takes.
    if (ms >= 1_000) progress.waits.push({ ms, why: "limits.requestsPerMinute of the source" });
  }
  // One turn of the event loop, in which Node reads, and drops, what idle connections have sent unasked. What it reads after it wrote the next
  // request is the answer of that one (RFC 9112, section 9.2).
  await nextTurn();
  if (progress.attempts === 0) call.onSend?.();
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

/** A host for downloads is another's: what it sets is not the API's. */
async function noteHead(message: IncomingMessage | undefined, state: CallState): Promise<void> {
  if (message === undefined || state.isDownload) return;
  await state.call.onHead?.(message.statusCode ?? 0, readResponseHeaders(message));
}

/** Waits until the request may be sent again; false when it may not. */
async function waitToRetry(error: unknown, state: CallState): Promise<boolean> {
  const { call, limits, progress, random, logger, clock } = state;
  const { deadline } = call;
  const answer = messageOf(error);
  const status = answer?.statusCode;
  const { code } = codeOf(error);
  const headers = answer && readResponseHeaders(answer);
  const retryAfterSeconds =
    headers &&
    readRetryAfter({ status: status ?? 0, headers, names: limits.rateLimitHeaders, nowMs: clock.now() });
  // A reset header delays a retry, but only `Retry-After` itself allows sending a write again.
  const isAsked = headers?.["retry-after"] !== undefined && retryAfterSeconds !== undefined;
  if (deadline.signal.aborted || !mayRepeat(status, code, isAsked, state.repeatable)) return false;
  // What an application's own transport sent before it failed is not known: it may have followed a redirect, or have a proxy.
  if (status === undefined && !state.repeatable && typeof state.transport === "function") return false;
  const retry = progress.retries + 1;
  const remainingMs = deadline.remainingMs();
  const delayMs = retryDelay({
    retry,
    retryAfterSeconds,
    maxWaitMs: findMaxWait(state),
    remainingMs,
    random,
  });
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

/** RFC 9110 section 9.2.2, of the methods an agent can use. */
const idempotentMethods: ReadonlySet<HttpMethod> = new Set<HttpMethod>(["GET", "PUT", "DELETE"]);
/** The server, or a gateway to it, is busy for the moment. */
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The connection was never made, so nothing was sent and any method may be sent again. */
const nothingSentCodes = new Set(["ECONNREFUSED", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);
/** The connection broke; the server may have carried out the request. */
const brokenConnectionCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** Whether a request can be repeated without doing anything twice: by its method, or by its idempotency key. */
export function isRepeatable(method: HttpMethod, hasIdempotencyKey: boolean): boolean {
  return hasIdempotencyKey || idempotentMethods.has(method);
}

/**
 * Whether the same request may be sent again after an answer with this status, or a failure with this code.
 *
 * Codes are allowed by name: a parse error, a TLS error, a cap that was exceeded or a cancelled call is never one. That a 429
 * with `Retry-After` was refused unprocessed, a write too, is inferred: RFC 6585, section 4, does not say so.
 */
function mayRepeat(
  status: number | undefined,
  code: string = "",
  isAsked: boolean,
  repeatable: boolean,
): boolean {
  if (status === 429 && isAsked) return true;
  if (status !== undefined) return repeatable && busyStatuses.has(status);
  return nothingSentCodes.has(code) || (repeatable && brokenConnectionCodes.has(code));
}

/** The shortest wait; a server with `Retry-After: 0` does not receive a burst of retries. */
const floorMs = 100;
/** The upper bound of the first wait; it doubles with each retry. */
const firstStepMs = 500;
/** The longest backoff. */
const longestStepMs = 8_000;

/**
 * Returns the wait in milliseconds before the given retry (from 1), or `undefined` when the call should not wait: the server asks for
 * longer than `maxWaitMs`, or than the call has left. The caller then reports when to come back.
 *
 * The server's hint is taken exactly; without one it is full jitter over a doubling step, so that clients that failed
 * together don't return together.
 */
export function retryDelay(given: {
  readonly retry: number;
  readonly retryAfterSeconds: number | undefined;
  readonly maxWaitMs: number;
  readonly remainingMs: number;
  readonly random: Random;
}): number | undefined {
  const { retry, retryAfterSeconds = Number.NaN, random } = given;
  const mostMs = Math.max(floorMs, given.maxWaitMs);
  const stepMs = Math.min(longestStepMs, firstStepMs * 2 ** (retry - 1));
  const backoffMs = Math.round(floorMs + random() * (stepMs - floorMs));
  // A hint of NaN or below zero asks nothing; Infinity is longer than any limit (a timer would fire at once for it).
  const isHint = retryAfterSeconds >= 0;
  const delayMs = isHint
    ? Math.max(floorMs, Math.ceil(retryAfterSeconds * 1_000))
    : Math.min(backoffMs, mostMs);
  return delayMs <= mostMs && delayMs < given.remainingMs ? delayMs : undefined;
}
