/** How the requests of one source travel: pooled connections, retries, redirects, one deadline, a cap on the body. */

import { refusedByPolicy } from "../base/errors.js";
import type { DownloadTarget } from "../request/resolve-redirect.js";
import type { WireRequest } from "../request/wire-request.js";
import { createAgents, createDownloadRoute } from "./create-agents.js";
import { followRedirects } from "./follow-redirects.js";
import { readHeader } from "./limits/rate-limit.js";
import { isRecorder } from "./own-transport.js";
import { type BodyRead, readBody } from "./read-body.js";
import { idempotentMethods } from "./retries.js";
import { type FailureCause, Fault, type SendFacts, toThrowable } from "./send-failure.js";
import { type CallState, sendWithRetries } from "./send-with-retries.js";
import type { Exchange, SendOptions, TransportOptions } from "./transport.js";
import type { AnswerHead } from "./wire.js";

/** How the requests of one source travel. */
export interface Transport {
  /**
   * Sends one request, with its retries and redirects, and reads its answer. Any status is a result.
   *
   * @throws SendError when no status came back, and for a cancelled call, whatever came back.
   * @throws ApiSourceError of a room below that refused to go on: the quota, the credential, the guard of host names.
   */
  send(request: WireRequest, call: SendOptions): Promise<Exchange>;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}

/**
 * Creates the transport of one source. Everything the package sends goes through one.
 *
 * @throws ApiSourceError `not_configured` for a certificate or key that can't be used.
 */
export function createTransport(options: TransportOptions): Transport {
  const agents = createAgents(options);
  const { origin } = new URL(options.baseUrl);
  let running = 0;
  let isClosed = false;
  const closeWhenIdle = (): void => {
    if (isClosed && running === 0) agents.close();
  };
  return {
    async send(request, call) {
      assertOrigin(request, origin);
      const isIdempotent = call.idempotent ?? idempotentMethods.has(request.method);
      const repeatable = call.getMayChange !== true && isIdempotent;
      const progress: CallState["progress"] = { phase: "dns", attempts: 0, retries: 0, waits: [] };
      const state = {
        call,
        repeatable,
        route: repeatable ? agents.shared : agents.single,
        progress,
        observed: [],
        readAnswerBody: createBodyReader(options, call),
        ...options,
      };
      running += 1;
      try {
        return await sendOnce(request, state);
      } catch (error) {
        // The only way out for an error of axios or Node.
        throw toThrowable(error, readFacts(request, state), readStop(call), progress.fault);
      } finally {
        running -= 1;
        closeWhenIdle();
        const { transport } = options;
        if (transport !== undefined && isRecorder(transport))
          await transport.record(state.observed);
      }
    },
    close() {
      isClosed = true;
      closeWhenIdle();
    },
  };
}

/** One call under one deadline. An answer that does not arrive whole is still an answer, but for the caller who cancelled. */
async function sendOnce(request: WireRequest, state: CallState): Promise<Exchange> {
  const { call, progress } = state;
  const { signal, stoppedBy } = call.deadline;
  signal.throwIfAborted();
  const { head, url, isSeeOther, refusal, isDownload } = await followRedirects(
    request,
    call,
    (hop) => sendWithRetries(hop, state),
    (target) => fetchDownload(target, state),
  );
  const status = checkStatus(head);
  const { headers } = head;
  const { bytes: body, failure } = await state.readAnswerBody(head);
  const last = state.observed.at(-1);
  if (last !== undefined) Object.assign(last, { body, isTruncated: failure !== undefined });
  if (stoppedBy() === "cancelled") signal.throwIfAborted();
  const { attempts, waits, mayBeDone } = progress;
  const facts = { status, ...readFacts(request, state) };
  // axios breaks the stream when the signal fires: that is a time-out and no broken connection.
  const isBroken = failure?.kind === "connection";
  const cause = isBroken ? (readStop(call) ?? { ...failure, ...progress.fault }) : failure;
  return {
    status,
    headers,
    body,
    url,
    isSeeOther,
    attempts,
    waits,
    mayBeDone,
    isDownload,
    failure: cause && { ...cause, ...facts },
    refusal: refusal && { ...refusal, ...facts },
  };
}

/** Reads the bodies of one call, each once: the wait that one states may be needed before the call ends with it. */
function createBodyReader(
  { limits, findMaxBytes = () => limits.maxBytes }: TransportOptions,
  call: SendOptions,
): CallState["readAnswerBody"] {
  const { signal } = call.deadline;
  let last: { readonly head: AnswerHead; readonly body: Promise<BodyRead> } | undefined;
  return (head) => {
    if (last?.head === head) return last.body;
    const { headers, message } = head;
    const maxBytes = findMaxBytes(readHeader(headers, "content-type"));
    const body = readBody(message, {
      headers,
      maxBytes,
      signal,
      streamMs: call.waitMs || undefined,
    });
    last = { head, body };
    return body;
  };
}

/** Sends a GET to another host by agents of its own; of the call it knows the deadline and the secrets to redact, and no credential and no trace. */
function fetchDownload(target: DownloadTarget, state: CallState): Promise<AnswerHead> {
  const { baseUrl, deadline, redactor } = state.call;
  const call = { baseUrl, deadline, redactor };
  const route = createDownloadRoute(state, target);
  const request = { method: "GET", url: target.url, headers: {} } as const;
  return sendWithRetries(request, { ...state, call, route, repeatable: true, isDownload: true });
}

/** Why the call was stopped, when it was. */
function readStop({ deadline }: SendOptions): FailureCause | undefined {
  const reason = deadline.stoppedBy();
  if (reason === undefined) return undefined;
  if (reason === "cancelled") return { kind: "cancelled" };
  return { kind: "timeout", ...(reason === "deadline" ? { limitMs: deadline.timeoutMs } : {}) };
}

function readFacts({ method }: WireRequest, { progress, repeatable }: CallState): SendFacts {
  const { phase, attempts } = progress;
  return { method, repeatable, phase, attempts };
}

/** RFC 9110 section 15: 100 to 599. A server can write any three digits, and axios takes `000` for a success. */
function checkStatus({ status, message }: AnswerHead): number {
  if (status >= 200 && status <= 599) return status;
  message.destroy();
  throw new Fault({ kind: "no_answer", given: status });
}

/** The policy and the interceptor judge the URL too; this is the last door before the wire. */
function assertOrigin(request: WireRequest, origin: string): void {
  if (URL.canParse(request.url) && new URL(request.url).origin === origin) return;
  throw refusedByPolicy(
    `A request to another origin than ${origin} was stopped.`,
    "Call only paths below the source's base URL.",
  );
}
