/** Sends one request until an answer's head is there: axios for the wire, and axios-retry for what can't repeat a write. */

import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  Axios,
  AxiosHeaders,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
  isAxiosError,
  type RawAxiosRequestConfig,
} from "axios";
import axiosRetry from "axios-retry";
import type { WireRequest } from "../request/wire-request.js";
import type { Route } from "./create-agents.js";
import { beginObserved, endObserved, type ObservedSending } from "./observe-attempt.js";
import {
  createOwnAdapter,
  isRecorder,
  type ObservedAttempt,
  observeRequest,
} from "./own-transport.js";
import type { BodyRead } from "./read-body.js";
import {
  type Attempt,
  type AttemptAnswer,
  busyStatuses,
  findMaxWait,
  findRetryWait,
  isWaitInBody,
  parseDocument,
} from "./retries.js";
import { codeOf } from "./send-failure.js";
import type { TransportOptions } from "./transport.js";
import {
  applyDefaultHeaders,
  createWatchedTransport,
  downloadHeaders,
  readResponseHeaders,
  type WatchedAnswer,
} from "./wire.js";

/** In CommonJS the package is an object with this function as `default`, and a bundle hands on the object. */
const applyRetries: typeof axiosRetry = Object(axiosRetry).default ?? axiosRetry;

/** What all requests of one call share. */
export interface CallState extends TransportOptions, Attempt {
  readonly client: RetryingClient;
  readonly route: Route;
  /** What a recorder is given when the call is over. */
  readonly observed: ObservedAttempt[];
  /** Present when the request goes to a host for downloads. */
  readonly isDownload?: true;
  /** Reads the body of an answer; the second time it gives what was read. */
  readonly readAnswerBody: (message: IncomingMessage) => Promise<BodyRead>;
}

/** One request on its way, with the waits that its retries take. */
interface Sending extends CallState, ObservedSending {
  readonly call: CallState["call"];
  readonly isDownload?: true;
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  delayMs: number;
}

/** The client of a source; each request finds its own call by its signal. */
export interface RetryingClient {
  readonly axios: AxiosInstance;
  readonly sendings: WeakMap<object, Sending>;
}

/**
 * Returns the answer of the last attempt with its body unread. Whatever it throws, an AxiosError included, is for the
 * room's boundary to translate.
 */
export async function sendWithRetries(
  request: WireRequest,
  state: CallState,
): Promise<IncomingMessage> {
  const { client, call, progress } = state;
  const { deadline } = call;
  // A signal of this request alone: two requests of one call must not take each other's credential.
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => controller.abort(deadline.signal.reason);
  deadline.signal.addEventListener("abort", stop, { once: true });
  const why = progress.attempts > 0 ? "a redirect" : call.why;
  client.sendings.set(signal, { ...state, request, signal, delayMs: 0, why });
  const answer = client.axios
    .request<WatchedAnswer>(toAxiosConfig(request, state, signal))
    .then(
      (response) => response.data.message,
      (error: unknown) => {
        const given = messageOf(error);
        if (given === undefined) throw error;
        return given;
      },
    )
    .finally(() => deadline.signal.removeEventListener("abort", stop));
  // An interceptor, the rate limit or a sleep may wait without observing the signal.
  return deadline.race(answer, (late) => late.destroy());
}

/**
 * The one client of a source. No credential is in it: its interceptors find what a request is sent with by the request's signal, the one object that
 * axios and axios-retry hand on from attempt to attempt.
 */
export function createRetryingClient({ limits }: Pick<TransportOptions, "limits">): RetryingClient {
  const axios = createPlainClient();
  const sendings = new WeakMap<object, Sending>();
  const find = (config: { readonly signal?: unknown } | undefined): Sending => {
    const sending = sendings.get(Object(config?.signal));
    // Never a request without its credential.
    if (sending === undefined) throw new Error("A request belongs to no call.");
    return sending;
  };
  // Request interceptors run in reverse order: the rate limit first, the credential last.
  axios.interceptors.request.use((config) => authenticateAttempt(config, find(config)));
  // Before that of axios-retry: it receives each attempt.
  axios.interceptors.response.use(
    async (response: AxiosResponse<WatchedAnswer>) => {
      noteEnd(find(response.config), response.data.message);
      return response;
    },
    async (error: unknown) => {
      if (isAxiosError(error)) noteEnd(find(error.config), messageOf(error), error);
      throw error;
    },
  );
  applyRetries(axios, {
    retries: limits.retries,
    retryCondition: (error) => mayRetry(error, find(error.config)),
    // `onRetry` waits, by the sleep that a replay skips.
    retryDelay: () => 0,
    onRetry: (_count, error) => waitToRetry(error, find(error.config)),
  });
  axios.interceptors.request.use((config) => beginAttempt(config, find(config)));
  return { axios, sendings };
}

async function authenticateAttempt(
  config: InternalAxiosRequestConfig,
  sending: Sending,
): Promise<InternalAxiosRequestConfig> {
  const { call, progress } = sending;
  progress.phase = "sign";
  const authenticated = (await call.authenticate?.(config)) ?? config;
  progress.phase = "dns";
  // A recorder is given the request as it is before the credential is put on it.
  if (sending.transport !== undefined && isRecorder(sending.transport))
    sending.observed.push({ request: observeRequest(sending.request, findSubject(sending)) });
  return authenticated;
}

/** For a recorder, and for who learns of the headers: a download has no one, since what another host sets is not the API's. */
function noteEnd(sending: Sending, message: IncomingMessage | undefined, error?: unknown): void {
  const { call, observed } = sending;
  const seen =
    message === undefined
      ? codeOf(error)
      : { status: message.statusCode ?? 0, headers: readResponseHeaders(message) };
  Object.assign(observed.at(-1) ?? {}, seen);
  if ("headers" in seen) call.onHead?.(seen.headers);
  if (sending.attempt !== undefined) endObserved(sending, seen);
}

function findSubject({ source = "", isTokenCall = false, call: { baseUrl, redactor } }: CallState) {
  return { source, isTokenCall, baseUrl, redactor };
}

async function beginAttempt(
  config: InternalAxiosRequestConfig,
  sending: Sending,
): Promise<InternalAxiosRequestConfig> {
  const { request, isDownload, signal, call } = sending;
  // axios-retry goes on with a call that ended while it waited.
  signal.throwIfAborted();
  await takeTurn(sending);
  // A retry comes with what the last attempt was sent with, the credential included: begin anew.
  config.url = request.url;
  config.headers = AxiosHeaders.from(
    isDownload ? { ...downloadHeaders } : applyDefaultHeaders(request.headers),
  );
  if (call.onAttempt !== undefined || call.trace !== undefined)
    beginObserved(sending, config.headers);
  return config;
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

function toAxiosConfig(
  request: WireRequest,
  state: CallState,
  signal: AbortSignal,
): RawAxiosRequestConfig {
  const { progress, route } = state;
  const { body } = request;
  return {
    ...route,
    adapter: chooseAdapter(request, state, signal),
    method: request.method,
    data: body && Buffer.from(body),
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

/** The network, or what answers in its place. */
function chooseAdapter(request: WireRequest, state: CallState, signal: AbortSignal) {
  const { transport, progress, application, source } = state;
  if (transport === undefined || isRecorder(transport)) return "http";
  if (typeof transport === "function") {
    const given = { what: "The application's transport", source };
    const explain = (thrown: unknown): Promise<never> =>
      application.ask(given, () => Promise.reject(thrown));
    return createOwnAdapter({ answer: transport, explain, progress, signal });
  }
  const seen = observeRequest(request, findSubject(state));
  return createOwnAdapter({ answer: () => transport.replay(seen), progress, signal });
}

async function takeTurn(sending: Sending): Promise<void> {
  const { call, clock, progress } = sending;
  if (call.rateLimit !== undefined) {
    const { signal, deadlineMs } = call.deadline;
    const maxWaitMs = findMaxWait(sending);
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
function messageOf(error: unknown): IncomingMessage | undefined {
  return isAxiosError<WatchedAnswer>(error) ? error.response?.data.message : undefined;
}

/** Whether the request may be sent again; after which wait is noted. */
async function mayRetry(error: unknown, sending: Sending): Promise<boolean> {
  const { call, limits, progress, transport, repeatable } = sending;
  const message = messageOf(error);
  if (call.deadline.signal.aborted || progress.retries >= limits.retries) return false;
  // What an application's own transport sent before it failed is not known: it may have followed a redirect, or have a proxy.
  if (message === undefined && !repeatable && typeof transport === "function") return false;
  const answer = message && (await readAttempt(message, sending));
  const wait = findRetryWait(answer, codeOf(error).code ?? "", sending);
  if (wait === undefined) return false;
  progress.waits.push(wait);
  sending.delayMs = wait.ms;
  sending.why = wait.why;
  return true;
}

/** What decides about the next attempt; the body is read where it alone may state a wait. */
async function readAttempt(message: IncomingMessage, sending: Sending): Promise<AttemptAnswer> {
  const answer = { status: message.statusCode ?? 0, headers: readResponseHeaders(message) };
  if (!isWaitInBody(answer, sending)) return answer;
  const { bytes } = await sending.readAnswerBody(message);
  return { ...answer, document: parseDocument(bytes) };
}

async function waitToRetry(
  error: unknown,
  { progress, logger, sleep, delayMs, signal }: Sending,
): Promise<void> {
  const answer = messageOf(error);
  const reason = answer === undefined ? codeOf(error) : { status: answer.statusCode };
  logger.debug("Sending a request again", { attempt: progress.attempts + 1, delayMs, ...reason });
  // Unread, it would hold its connection.
  answer?.destroy();
  progress.retries += 1;
  await sleep(delayMs, signal);
}
