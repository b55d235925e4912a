/** Sends built requests of one source: quota first, then the wire, then what the answer says about limits. */

import { type ResponseBytes, readResponseBody } from "../body/read-response-body.js";
import type { ResponseBody } from "../body/response-body.js";
import { describeTruncation, explainFailure } from "../diagnosis/explain-failure.js";
import { ApiSourceError } from "../errors.js";
import type { Cooldown, CooldownKey } from "../limits/create-cooldowns.js";
import { createLimiter } from "../limits/create-limiter.js";
import { createSemaphore } from "../limits/create-semaphore.js";
import type { RateLimit } from "../limits/rate-limit.js";
import { readRateLimit } from "../limits/read-rate-limit.js";
import type { Clock } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { writeDuration } from "../text.js";
import type { Deadline } from "../transport/deadline.js";
import { SendError } from "../transport/send-failure.js";
import type { Exchange, SendOptions } from "../transport/transport.js";
import type { Waited } from "./answer.js";
import type { BuiltRequest } from "./build-request.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { openTransports } from "./open-transports.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactHeaders } from "./redact-headers.js";

/** What came back, with what failed in words. */
export interface ReceivedExchange extends Omit<Exchange, "failure" | "refusal"> {
  /** Why the body did not arrive whole; absent when it did. */
  readonly cut?: { readonly why: string };
  /** Why the answer can't be used as it is: it was cut, or is a redirect that was not followed. */
  readonly failure?: ApiSourceError;
}

/** A response that was read. */
export interface Reply {
  /** Its headers are redacted. */
  readonly exchange: ReceivedExchange;
  readonly body: ResponseBody;
  readonly rateLimit: RateLimit | undefined;
  /** Set when the call waited, or was sent more than once. */
  readonly waited?: Waited;
}

export interface SendLimits {
  readonly deadline: Deadline;
  /** Whether a call is refused without a request while the source is cooling down. @default true */
  readonly useCooldown?: boolean;
  /** Told once, when the request is about to go to the wire. */
  readonly onSend?: () => void;
}

export interface Sender {
  /** @throws ApiSourceError when nothing came back, or the request was not sent at all. */
  send(built: BuiltRequest, prepared: PreparedCall, limits: SendLimits): Promise<Reply>;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}

/** A body under 2xx that is larger than this is data. */
const maxHintBytes = 20_000;

export function createSender(source: ApiSource, runtime: ClientRuntime): Sender {
  const { limits } = source.api;
  const { clock, sleep, logger, redis } = runtime;
  const shared = { source: source.slug, redis, clock, sleep, logger };
  // A place is held for the whole call; the pace counts every request on the wire, retries and redirects included.
  const { concurrency, requestsPerMinute, maxWaitMs, quotaScope } = limits;
  const semaphore =
    concurrency === undefined ? undefined : createSemaphore({ ...shared, places: concurrency });
  const limiter =
    requestsPerMinute === undefined ? undefined : createLimiter({ ...shared, requests: requestsPerMinute });
  // Two processes that run the same record share a quota; another tenant's base URL is another API.
  const quotaKey = `${source.slug}@${source.api.baseUrl}`;
  const transports = openTransports(source, runtime);

  return {
    async send(built, prepared, sending) {
      const { deadline, useCooldown = true, onSend } = sending;
      const { wire, method, url } = built;
      const credential = runtime.fingerprint(source, prepared.credential, prepared.resolved.secrets);
      const key: CooldownKey = { source: source.slug, credential, path: url.path };
      const cooldown = useCooldown ? runtime.cooldowns.check(key) : undefined;
      if (cooldown !== undefined) throw new KnownLimitError(source.name, cooldown);
      const baseUrl = prepared.redactor.redact(prepared.resolved.baseUrl);
      const paceKey = quotaScope === "source" ? quotaKey : `${quotaKey}#${credential}`;
      const askedMs = clock.now();
      const leave = await semaphore?.enter({
        signal: deadline.callerSignal,
        maxWaitMs: Math.min(maxWaitMs, deadline.deadlineMs - clock.now()),
      });
      const placeMs = clock.now() - askedMs;
      try {
        const received = await transports
          .find(prepared)
          .send(wire, {
            baseUrl: prepared.resolved.baseUrl,
            redactor: prepared.redactor,
            deadline,
            redirects: toRedirectScope(source, built, prepared),
            idempotent: source.api.idempotencyHeader !== undefined,
            ...(onSend === undefined ? {} : { onSend }),
            ...(limiter && { pace: { limiter, key: paceKey } }),
            ...(prepared.authenticate === undefined ? {} : { authenticate: prepared.authenticate }),
          })
          .catch((error: unknown) => {
            throw error instanceof SendError ? explainFailure(error.failure, baseUrl) : error;
          });
        const { redactor } = prepared;
        const reply = await readReply(explainExchange(received, baseUrl), { method, redactor, clock });
        runtime.cooldowns.note(key, { status: received.status, headers: reply.exchange.headers }, maxWaitMs);
        const waited = describeWaits(received, placeMs);
        return waited === undefined ? reply : { ...reply, waited };
      } finally {
        leave?.();
      }
    },
    close: () => transports.close(),
  };
}

/** The rules of the record, and our own query parameters with what we send in them: a server may repeat those. */
function toRedirectScope(
  source: ApiSource,
  built: BuiltRequest,
  { resolved, credential }: PreparedCall,
): NonNullable<SendOptions["redirects"]> {
  const token = credential?.kind === "token" ? credential.token : undefined;
  return {
    rules: built.hasRules ? source.api : undefined,
    ownParameters: new Map(built.reservedQueryNames.map((name) => [name, resolved.query[name] ?? token])),
  };
}

/** A wait for a place that nobody notices. */
const shortPlaceMs = 500;

function describeWaits({ waits, attempts }: Exchange, placeMs: number): Waited | undefined {
  const place = placeMs < shortPlaceMs ? [] : [{ ms: placeMs, why: "limits.concurrency of the source" }];
  const all = [...place, ...waits];
  if (all.length === 0) return undefined;
  const ms = all.reduce((sum, wait) => sum + wait.ms, 0);
  return { ms, requests: attempts, why: [...new Set(all.map(({ why }) => why))].join("; ") };
}

function explainExchange({ failure, refusal, ...received }: Exchange, baseUrl: string): ReceivedExchange {
  const why = failure && describeTruncation(failure);
  const failed = refusal ?? failure;
  return {
    ...received,
    ...(why === undefined ? {} : { cut: { why } }),
    ...(failed === undefined ? {} : { failure: explainFailure(failed, baseUrl) }),
  };
}

async function readReply(
  received: ReceivedExchange,
  { clock, ...how }: Pick<ResponseBytes, "method" | "redactor"> & { readonly clock: Clock },
): Promise<Reply> {
  const headers = redactHeaders(received.headers, how.redactor);
  const { status, cut, body: bytes } = received;
  const body = await readResponseBody({ ...how, bytes, headers, ...(cut === undefined ? {} : { cut }) });
  const rateLimit = readRateLimit({ status, headers, nowMs: clock.now(), ...bodyOf(status, body) });
  return { exchange: { ...received, headers }, body, rateLimit };
}

/** Bodies speak of limits in errors, and in small ones under 200 that mean failure: a large one is not read twice. */
function bodyOf(status: number, { bytes, text, document }: ResponseBody): { body?: unknown } {
  if (status >= 400) return { body: document ?? text };
  return bytes > maxHintBytes || document === undefined ? {} : { body: document };
}

export class KnownLimitError extends ApiSourceError {
  readonly rateLimit: RateLimit;

  /** @param sourceName - Who the quota belongs to, for the message. */
  constructor(sourceName: string, { retryAfterSeconds, reason }: Cooldown) {
    super({
      message:
        reason === "limit"
          ? `The rate limit of ${sourceName} is used up; no request was sent.`
          : `${sourceName} is unavailable and said when to come back; no request was sent.`,
      category: reason === "limit" ? "rate_limited" : "server_error",
      retryable: true,
      retryAfterSeconds,
      hint: `Wait ${writeDuration(retryAfterSeconds)} before you try again. Other parts of the API may still answer.`,
    });
    this.rateLimit =
      reason === "limit"
        ? { remaining: 0, resetInSeconds: retryAfterSeconds, retryAfterSeconds }
        : { retryAfterSeconds };
  }
}
