/** How the requests of one source travel: pooled connections, retries, redirects, one deadline, a cap on the body. */

import type { IncomingMessage } from "node:http";
import { ApiSourceError } from "../errors.js";
import type { WireRequest } from "../policy/wire-request.js";
import { createAgents } from "./create-agents.js";
import { readContentCoding } from "./create-decoder.js";
import { createSpareMemory, type SpareMemory } from "./create-spare-memory.js";
import type { Exchange } from "./exchange.js";
import { explainCut } from "./explain-cut.js";
import { type FinalAnswer, followRedirects } from "./follow-redirects.js";
import { openDeadline } from "./open-deadline.js";
import { readBody } from "./read-body.js";
import { readResponseHeaders } from "./read-response-headers.js";
import { type CallState, sendWithRetries } from "./send-with-retries.js";
import { isRepeatable } from "./should-retry.js";
import { type FailureFacts, toTransportError } from "./to-transport-error.js";
import type { CallProgress, SendOptions, Transport, TransportOptions } from "./transport.js";

export type { SendOptions, Transport, TransportOptions } from "./transport.js";

/**
 * Creates the transport of one source. Everything the package sends goes through one.
 *
 * @throws ApiSourceError `not_configured` for a proxy URL, certificate or key that can't be used.
 */
export function createTransport(options: TransportOptions): Transport {
  const agents = createAgents(options);
  const { origin } = new URL(options.baseUrl);
  const memory = createSpareMemory();
  let running = 0;
  let isClosed = false;
  const closeWhenIdle = (): void => {
    if (isClosed && running === 0) agents.close();
  };
  return {
    async send(request, call) {
      assertOrigin(request, { origin, redactor: call.redactor });
      const repeatable = isRepeatable(request.method, call.idempotent ?? false);
      const route = agents.route({ url: request.url, repeatable });
      running += 1;
      try {
        return await sendOnce(request, { ...options, memory, call, repeatable, route });
      } finally {
        running -= 1;
        closeWhenIdle();
      }
    },
    close() {
      isClosed = true;
      closeWhenIdle();
    },
  };
}

type SendParts = Omit<TransportOptions, "network"> &
  Pick<CallState, "call" | "repeatable" | "route"> & {
    readonly memory: SpareMemory;
  };

/** One call under one deadline; the only way out for an error of axios is through `toTransportError`. */
async function sendOnce(request: WireRequest, parts: SendParts): Promise<Exchange> {
  const { call, clock } = parts;
  const startedMs = clock.now();
  const progress: CallProgress = { phase: "dns", attempts: 0, retries: 0 };
  const deadline = call.deadline ?? openDeadline({ deadlineMs: call.deadlineMs, clock, signal: call.signal });
  const state = { ...parts, deadline, progress };
  try {
    deadline.signal.throwIfAborted();
    const send = (hop: WireRequest): Promise<IncomingMessage> => sendWithRetries(hop, state);
    const answer = await followRedirects(request, { call, send });
    const exchange = await readExchange(answer, { request, state, memory: parts.memory });
    return { ...exchange, attempts: progress.attempts, durationMs: clock.now() - startedMs };
  } catch (error) {
    throw toTransportError(error, toFacts(request, state));
  } finally {
    if (deadline !== call.deadline) deadline.close();
  }
}

/** Reads the body; an answer that is cut short is still an answer, but for the caller who cancelled. */
async function readExchange(
  answer: FinalAnswer,
  {
    request,
    state,
    memory,
  }: { readonly request: WireRequest; readonly state: CallState; readonly memory: SpareMemory },
): Promise<Omit<Exchange, "attempts" | "durationMs">> {
  const { message } = answer;
  const { maxBytes } = state.limits;
  const status = assertStatus(message);
  const headers = readResponseHeaders(message);
  const coding = readContentCoding(headers);
  const { signal } = state.deadline;
  const declaredBytes = coding === "identity" ? Number(headers["content-length"] ?? 0) : 0;
  const read = await readBody(message, { coding, maxBytes, signal, declaredBytes, memory });
  const facts = toFacts(request, state);
  if (facts.stoppedBy === "cancelled") state.deadline.signal.throwIfAborted();
  const url = state.call.redactor.redact(answer.url);
  const head = { status, headers, body: read.bytes, releaseBody: read.release, url };
  if (read.cut === undefined) {
    return { ...head, ...(answer.failure === undefined ? {} : { failure: answer.failure }) };
  }
  const encodings = [headers["content-encoding"] ?? ""].flat().join(", ");
  const encoding = state.call.redactor.redact(encodings).slice(0, 60);
  const { why, failure } = explainCut({ ...read, cut: read.cut }, { ...facts, status, maxBytes, encoding });
  return { ...head, cut: { why }, failure: answer.failure ?? failure };
}

function toFacts(request: WireRequest, state: CallState): FailureFacts {
  const { call, deadline, limits, progress, repeatable } = state;
  return {
    method: request.method,
    url: request.url,
    repeatable,
    phase: progress.phase,
    attempts: progress.attempts,
    stoppedBy: deadline.stoppedBy(),
    timeoutMs: limits.timeoutMs,
    redactor: call.redactor,
  };
}

/** RFC 9110 section 15: 100 to 599. A server can write any three digits, and axios takes `000` for a success. */
function assertStatus(message: IncomingMessage): number {
  const status = message.statusCode ?? 0;
  if (status >= 200 && status <= 599) return status;
  message.destroy();
  throw new ApiSourceError({
    message: `The server answered with status ${status}, which is not the status of an HTTP answer.`,
    category: "unexpected_content",
    hint: "Check that the base URL and the path belong to an HTTP API and not to a WebSocket or another service.",
  });
}

/** The wall and the interceptor judge the URL too; this is the last door before the wire. */
function assertOrigin(
  request: WireRequest,
  { origin, redactor }: { readonly origin: string; readonly redactor: SendOptions["redactor"] },
): void {
  // An origin and then a slash is that origin to every parser.
  if (request.url.startsWith(`${origin}/`)) return;
  if (URL.canParse(request.url) && new URL(request.url).origin === origin) return;
  throw new ApiSourceError({
    message: redactor.redact(`A request to another origin than ${origin} was stopped.`),
    category: "refused_by_policy",
    hint: "Call only paths below the source's base URL.",
  });
}
