/** Sends one request until an answer's head is there: axios for the wire, axios-retry with our own rules around it. */

import type { IncomingMessage } from "node:http";
import { Axios, AxiosHeaders, type AxiosInstance, isAxiosError, type RawAxiosRequestConfig } from "axios";
import axiosRetry from "axios-retry";
import type { WireRequest } from "../policy/wire-request.js";
import type { Clock, Logger, Random, Sleep } from "../runtime.js";
import { applyDefaultHeaders } from "./apply-default-headers.js";
import type { Route } from "./create-agents.js";
import { createWatchedTransport, type WatchedAnswer } from "./create-watched-transport.js";
import type { CallDeadline } from "./open-deadline.js";
import { readCode } from "./read-code.js";
import { readResponseHeaders } from "./read-response-headers.js";
import { retryDelay } from "./retry-delay.js";
import { isBusyStatus, shouldRetry } from "./should-retry.js";
import type { CallProgress, SendOptions, TransportOptions } from "./transport.js";

/** What all requests of one call share. */
export interface CallState {
  readonly call: SendOptions;
  readonly limits: TransportOptions["limits"];
  readonly deadline: CallDeadline;
  readonly progress: CallProgress;
  readonly route: Route;
  /** Whether the request may be sent again without doing anything twice. */
  readonly repeatable: boolean;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * Returns the answer of the last attempt with its body unread. Whatever it throws, an AxiosError included, is for the
 * room's boundary to translate.
 */
export async function sendWithRetries(request: WireRequest, state: CallState): Promise<IncomingMessage> {
  const { deadline } = state;
  const answer = createClient(request, state)
    .request<WatchedAnswer>(toAxiosConfig(request, state))
    .then((response) => response.data.message, takeAnswer);
  // A hook or an interceptor may wait on something that knows no signal.
  return deadline.race(answer, (late) => late.destroy());
}

/** A client of this call alone, so that the credential lives in its interceptor and nowhere else. */
function createClient(request: WireRequest, state: CallState): AxiosInstance {
  const { call, limits, progress, deadline, sleep } = state;
  const client = createPlainClient();
  let delayMs: number | undefined;
  // Request interceptors run in reverse order: the wait and the quota first, the credential last.
  if (call.authenticate !== undefined) client.interceptors.request.use(call.authenticate);
  axiosRetry(client, {
    retries: limits.retries - progress.retries,
    retryCondition: (error) => {
      delayMs = decideDelay(error, state);
      return delayMs !== undefined;
    },
    // The wait itself is in the interceptor below, where the injected sleep can do it.
    retryDelay: () => 0,
    shouldResetTimeout: true,
    onRetry: (_count, error) => {
      progress.retries += 1;
      messageOf(error)?.destroy();
    },
  });
  client.interceptors.request.use(async (config) => {
    if (delayMs !== undefined) await deadline.race(sleep(delayMs, deadline.signal));
    await call.onAttempt?.(progress.attempts + 1, deadline.signal);
    // A retry comes with what the last attempt was sent with, the credential included: begin anew.
    config.url = request.url;
    config.headers = AxiosHeaders.from(applyDefaultHeaders(request.headers));
    return config;
  });
  return client;
}

/**
 * An axios without defaults: what an application set on `axios.defaults` (a header, a base URL, a proxy) is not for this API.
 * `axios.create()` would copy them, at more than the cost of the rest. axios-retry calls the client as a function.
 */
function createPlainClient(): AxiosInstance {
  const client = new Axios({});
  const { interceptors, defaults } = client;
  const request = (config: RawAxiosRequestConfig): Promise<unknown> => client.request(config);
  return Object.assign(request, { interceptors, defaults, request }) as AxiosInstance;
}

/** Milliseconds to wait before the next attempt; `undefined` for none. */
function decideDelay(error: unknown, state: CallState): number | undefined {
  const { call, limits, deadline, progress, random, logger } = state;
  const answer = messageOf(error);
  const failed = { status: answer?.statusCode, code: readCode(error) };
  if (deadline.signal.aborted || !shouldRetry(failed, state.repeatable)) return undefined;
  const head = answer && { status: answer.statusCode ?? 0, headers: readResponseHeaders(answer) };
  const delayMs = retryDelay({
    retry: progress.retries + 1,
    retryAfterSeconds: head && call.retryAfter?.(head),
    maxWaitMs: limits.maxWaitMs,
    remainingMs: deadline.remainingMs(),
    random,
  });
  if (delayMs !== undefined) {
    logger.debug("Sending a request again", {
      attempt: progress.attempts + 1,
      delayMs,
      ...withoutUndefined(failed),
    });
  }
  return delayMs;
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
  const { deadline, progress, route } = state;
  return {
    ...route,
    adapter: "http",
    method: request.method,
    // Its own body: a polluted `Object.prototype.body` is none.
    ...(Object.hasOwn(request, "body") && request.body !== undefined
      ? { data: Buffer.from(request.body) }
      : {}),
    maxRedirects: 0,
    responseType: "stream",
    decompress: false,
    insecureHTTPParser: false,
    signal: deadline.signal,
    transport: createWatchedTransport(progress, deadline.signal),
    // Only what may be retried goes to axios-retry as an error; every other status is an answer.
    validateStatus: (status) => !isBusyStatus(status),
  };
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
