/** Sends one request until an answer's head is there: axios for the wire, and axios-retry for what can't repeat a write. */

import { setImmediate as nextTurn } from "node:timers/promises";
import {
  Axios,
  AxiosError,
  AxiosHeaders,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
  isAxiosError,
  type RawAxiosRequestConfig,
} from "axios";
import axiosRetry from "axios-retry";
import { dropUndefined } from "../base/input.js";
import type { WireRequest } from "../request/wire-request.js";
import type { Route } from "./create-agents.js";
import { createNetworkSender } from "./network-sender.js";
import { beginObserved, endObserved, type ObservedSending } from "./observe-attempt.js";
import {
  createOwnSender,
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
  mayBeDone,
  parseDocument,
} from "./retries.js";
import { codeOf } from "./send-failure.js";
import type { TransportOptions } from "./transport.js";
import { type AnswerHead, applyDefaultHeaders, downloadHeaders, type SendAttempt } from "./wire.js";

/** In CommonJS the package is an object with this function as `default`, and a bundle hands on the object. */
const applyRetries: typeof axiosRetry = Object(axiosRetry).default ?? axiosRetry;

/** The parts that all requests of one call share. */
export interface CallState extends TransportOptions, Attempt {
  readonly route: Route;
  /** The facts that a recorder gets when the call is over. */
  readonly observed: ObservedAttempt[];
  /** Present when the request goes to a host for downloads. */
  readonly isDownload?: true;
  /** Reads the body of an answer; the second time it gives what was read. */
  readonly readAnswerBody: (head: AnswerHead) => Promise<BodyRead>;
}

/** One request on its way, with the waits that its retries take. */
interface Sending extends CallState, ObservedSending {
  readonly call: CallState["call"];
  readonly isDownload?: true;
  readonly request: WireRequest;
  /** The network, or what answers in its place. */
  readonly sendAttempt: SendAttempt;
  delayMs: number;
  /** The answer whose body is read for the wait that it states. */
  judged?: AnswerHead | undefined;
}

/**
 * Returns the answer of the last attempt with its body unread. Whatever it throws, an AxiosError included, is for the
 * room's boundary to translate.
 */
export async function sendWithRetries(request: WireRequest, state: CallState): Promise<AnswerHead> {
  const { call, progress } = state;
  const why = progress.attempts > 0 ? "a redirect" : call.why;
  const sendAttempt = chooseSender(request, state);
  const sending: Sending = { request, sendAttempt, delayMs: 0, why, ...state };
  const client = createClient(sending);
  const answer = client
    .request<AnswerHead>({
      method: request.method,
      data: request.body && Buffer.from(request.body),
    })
    .then(
      (response) => response.data,
      (error: unknown) => {
        const given = answerOf(error);
        if (given === undefined) throw error;
        return given;
      },
    );
  // An interceptor, the rate limit or a sleep may wait without observing the signal.
  const raced = call.deadline.race(answer, (late) => late.message.destroy());
  return raced.catch((error: unknown) => {
    // Its status is known, though its body did not come in time.
    if (sending.judged === undefined || call.deadline.stoppedBy() === "cancelled") throw error;
    return sending.judged;
  });
}

/**
 * The client of one request: its attempts find what they are sent with in it, and no other request does. It has no defaults: what an application
 * set on `axios.defaults` (a header, a base URL, a proxy) is not for this API, and `axios.create()` would copy it.
 */
function createClient(sending: Sending): AxiosInstance {
  const client = new Axios({ adapter: (config) => sendObserved(config, sending) });
  // One interceptor: what an attempt needs is done in the order in which it is written there.
  client.interceptors.request.use((config) => beginAttempt(config, sending));
  const { interceptors, defaults } = client;
  const request = (config: RawAxiosRequestConfig): Promise<unknown> => client.request(config);
  // axios-retry calls the client as a function.
  const callable = Object.assign(request, { interceptors, defaults, request }) as AxiosInstance;
  applyRetries(callable, {
    retries: sending.limits.retries,
    retryCondition: (error) => mayRetry(error, sending),
    // `onRetry` waits, by the sleep that ends with the call, and that a replay skips: axios-retry has a timer of its own.
    retryDelay: () => 0,
    onRetry: (_count, error) => waitToRetry(error, sending),
  });
  return callable;
}

/** Gives an attempt its place, its headers and, last, its credential. A retry comes with those of the attempt before: it begins anew. */
async function beginAttempt(
  config: InternalAxiosRequestConfig,
  sending: Sending,
): Promise<InternalAxiosRequestConfig> {
  const { request, isDownload, call, progress } = sending;
  // axios-retry goes on with a call that ended while it waited.
  call.deadline.signal.throwIfAborted();
  await takeTurn(sending);
  config.url = request.url;
  config.headers = AxiosHeaders.from(
    isDownload ? { ...downloadHeaders } : applyDefaultHeaders(request.headers),
  );
  if (call.onAttempt !== undefined || call.trace !== undefined)
    beginObserved(sending, config.headers);
  if (call.authenticate === undefined) return config;
  progress.phase = "sign";
  const authenticated = await call.authenticate(config);
  progress.phase = "dns";
  return authenticated;
}

/** Sends one attempt, which those who observe it learn of. A recorder is given the request as it is without the credential. */
async function sendObserved(
  config: InternalAxiosRequestConfig,
  sending: Sending,
): Promise<AxiosResponse<AnswerHead>> {
  const { transport, observed, request } = sending;
  if (transport !== undefined && isRecorder(transport))
    observed.push({ request: observeRequest(request, findSubject(sending)) });
  try {
    const head = await sending.sendAttempt(config);
    noteEnd(sending, head);
    return toResponse(config, head);
  } catch (error) {
    if (isAxiosError(error) && error.response === undefined) noteEnd(sending, codeOf(error));
    throw error;
  }
}

/**
 * Hands an answer to axios, which is shown none of its headers and copies none.
 *
 * @throws AxiosError for an answer that may be retried: axios-retry looks at nothing else. Every other status is an answer.
 */
function toResponse(
  config: InternalAxiosRequestConfig,
  head: AnswerHead,
): AxiosResponse<AnswerHead> {
  const { status } = head;
  const response = { data: head, status, statusText: "", headers: {}, config };
  if (!busyStatuses.has(status)) return response;
  throw new AxiosError("The answer may be retried.", undefined, config, undefined, response);
}

/** How an attempt ended: the head of its answer, or the code of what broke it off. */
type AttemptEnd = Partial<Pick<AnswerHead, "status" | "headers">> & { readonly code?: string };

/** Tells those who observe. A download has no `onHead`: what another host sets is not the API's. */
function noteEnd(sending: Sending, { status, headers, code }: AttemptEnd): void {
  const { call, observed } = sending;
  const last = observed.at(-1);
  if (last !== undefined) Object.assign(last, dropUndefined({ status, headers, code }));
  if (headers !== undefined) call.onHead?.(headers);
  if (sending.attempt !== undefined) endObserved(sending, { status, code });
}

function findSubject({ source = "", isTokenCall = false, call: { baseUrl, redactor } }: CallState) {
  return { source, isTokenCall, baseUrl, redactor };
}

/** The network, or what answers in its place. */
function chooseSender(request: WireRequest, state: CallState): SendAttempt {
  const { transport, application, source, progress, route, call } = state;
  const { signal } = call.deadline;
  if (transport === undefined || isRecorder(transport))
    return createNetworkSender({ route, progress, signal });
  if (typeof transport === "function") {
    const given = { what: "The application's transport", source };
    const explain = (thrown: unknown): Promise<never> =>
      application.ask(given, () => Promise.reject(thrown));
    return createOwnSender({ answer: transport, explain, progress, signal });
  }
  const seen = observeRequest(request, findSubject(state));
  return createOwnSender({ answer: () => transport.replay(seen), progress, signal });
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
function answerOf(error: unknown): AnswerHead | undefined {
  return isAxiosError<AnswerHead>(error) ? error.response?.data : undefined;
}

/** Whether the request may be sent again; after which wait is noted. */
async function mayRetry(error: unknown, sending: Sending): Promise<boolean> {
  const { call, limits, progress } = sending;
  const head = answerOf(error);
  if (call.deadline.signal.aborted || progress.retries >= limits.retries) return false;
  const answer = head && (await readAttempt(head, sending));
  const wait = findRetryWait(answer, codeOf(error).code ?? "", sending);
  if (wait === undefined) return false;
  if (mayBeDone(head?.status, progress.phase)) progress.mayBeDone = true;
  progress.waits.push(wait);
  sending.delayMs = wait.ms;
  sending.why = wait.why;
  return true;
}

/** The answer that decides about the next attempt; the body is read where it alone may state a wait. */
async function readAttempt(head: AnswerHead, sending: Sending): Promise<AttemptAnswer> {
  if (!isWaitInBody(head, sending)) return head;
  sending.judged = head;
  const { bytes } = await sending.readAnswerBody(head);
  return { ...head, document: parseDocument(bytes) };
}

async function waitToRetry(error: unknown, sending: Sending): Promise<void> {
  const { call, progress, logger, sleep, delayMs } = sending;
  sending.judged = undefined;
  const answer = answerOf(error);
  const reason = answer === undefined ? codeOf(error) : { status: answer.status };
  logger.debug("Sending a request again", { attempt: progress.attempts + 1, delayMs, ...reason });
  // Unread, it would hold its connection.
  answer?.message.destroy();
  progress.retries += 1;
  await sleep(delayMs, call.deadline.signal);
}
