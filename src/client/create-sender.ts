/** Sends built requests of one source: quota first, then the wire, then what the answer says about limits. */

import { readResponseBody } from "../body/read-response-body.js";
import type { ResponseBody } from "../body/response-body.js";
import { describeTruncation, explainFailure } from "../diagnosis/explain-failure.js";
import { ApiSourceError } from "../errors.js";
import type { Cooldown } from "../limits/create-cooldowns.js";
import { createLimiter } from "../limits/create-limiter.js";
import { createSemaphore } from "../limits/create-semaphore.js";
import type { RateLimit } from "../limits/rate-limit.js";
import { readRateLimit } from "../limits/read-rate-limit.js";
import type { BuiltRequest } from "../policy/wire-request.js";
import type { ApiSource } from "../source/api-source.js";
import { writeDuration } from "../text.js";
import { createTransport, type Transport } from "../transport/create-transport.js";
import { SendError, type SendFailure } from "../transport/send-failure.js";
import type { Exchange, SendOptions } from "../transport/transport.js";
import type { Waited } from "./answer.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { dropUndefined } from "./drop-undefined.js";
import type { PreparedCall, Sender } from "./running-call.js";

/** A body under 2xx that is larger than this is data. */
const maxHintBytes = 20_000;

export function createSender(source: ApiSource, runtime: ClientRuntime): Sender {
  const { concurrency, requestsPerMinute, maxWaitMs, quotaScope } = source.api.limits;
  const { clock, sleep, logger, redis, cooldowns } = runtime;
  const shared = { source: source.slug, redis, clock, sleep, logger };
  // A place is held for the whole call; the pace counts every request on the wire, retries and redirects included.
  const semaphore =
    concurrency === undefined ? undefined : createSemaphore({ ...shared, places: concurrency });
  const limiter =
    requestsPerMinute === undefined ? undefined : createLimiter({ ...shared, requests: requestsPerMinute });
  // Two processes that run the same record share a quota; another tenant's base URL is another API.
  const quotaKey = `${source.slug}@${source.api.baseUrl}`;
  const transports = new Map<string, Transport>();

  return {
    async send(built, prepared, { deadline, useCooldown = true, onSend }) {
      const { resolved, redactor, authenticate } = prepared;
      const credential = runtime.fingerprint(source, prepared.credential, resolved.secrets);
      const key = { source: source.slug, credential, path: built.url.path };
      const cooldown = useCooldown ? cooldowns.check(key) : undefined;
      if (cooldown !== undefined) throw new KnownLimitError(source.name, cooldown);
      const paceKey = quotaScope === "source" ? quotaKey : `${quotaKey}#${credential}`;
      const askedMs = clock.now();
      const leave = await semaphore?.enter({
        signal: deadline.callerSignal,
        maxWaitMs: Math.min(maxWaitMs, deadline.deadlineMs - askedMs),
      });
      const placeMs = clock.now() - askedMs;
      const explain = (failure: SendFailure): ApiSourceError =>
        explainFailure(failure, redactor.redact(resolved.baseUrl));
      try {
        const sending = dropUndefined({
          baseUrl: resolved.baseUrl,
          redactor,
          deadline,
          redirects: toRedirectScope(source, built, prepared),
          idempotent: source.api.idempotencyHeader !== undefined,
          onSend,
          pace: limiter && { limiter, key: paceKey },
          authenticate,
        });
        const transport = openTransport(transports, source, runtime, resolved);
        const { failure, refusal, ...received } = await transport.send(built.wire, sending);
        const { status, body: bytes } = received;
        // A server may echo what it was sent in any header: a policy's name, an error's text, a content type's parameter.
        const headers = redactor.redactValue(received.headers);
        const why = failure && describeTruncation(failure);
        const cut = why === undefined ? {} : { cut: { why } };
        const failed = refusal ?? failure;
        const body = await readResponseBody({ method: built.method, redactor, bytes, headers, ...cut });
        cooldowns.note(key, { status, headers }, maxWaitMs);
        const limited = { status, headers, nowMs: clock.now(), body: readLimitBody(status, body) };
        return {
          exchange: dropUndefined({ ...received, headers, ...cut, failure: failed && explain(failed) }),
          body,
          rateLimit: readRateLimit(limited),
          waited: describeWaits(received, placeMs),
        };
      } catch (error) {
        throw error instanceof SendError ? explain(error.failure) : error;
      } finally {
        leave?.();
      }
    },
    close() {
      for (const transport of transports.values()) transport.close();
      transports.clear();
    },
  };
}

/** Tenants with base URLs or proxies of their own each need a connection pool; more than this many don't stay open. */
const maxTransports = 16;

/** The transport of the host and network that a call resolves to; it is kept for the next one. */
function openTransport(
  transports: Map<string, Transport>,
  { api: { limits } }: ApiSource,
  { clock, sleep, random, logger, transport }: ClientRuntime,
  { network, baseUrl }: PreparedCall["resolved"],
): Transport {
  const key = JSON.stringify([network, new URL(baseUrl).host]);
  const known = transports.get(key);
  if (known !== undefined) return known;
  const [oldest] = transports;
  if (transports.size >= maxTransports && oldest !== undefined) {
    transports.delete(oldest[0]);
    oldest[1].close();
  }
  const opened = createTransport({ network, limits, baseUrl, clock, sleep, random, logger, transport });
  transports.set(key, opened);
  return opened;
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

function describeWaits(
  { waits, attempts }: Pick<Exchange, "waits" | "attempts">,
  placeMs: number,
): Waited | undefined {
  const place = placeMs < shortPlaceMs ? [] : [{ ms: placeMs, why: "limits.concurrency of the source" }];
  const all = [...place, ...waits];
  if (all.length === 0) return undefined;
  const ms = all.reduce((sum, wait) => sum + wait.ms, 0);
  return { ms, requests: attempts, why: [...new Set(all.map(({ why }) => why))].join("; ") };
}

/** Bodies speak of limits in errors, and in small ones under 200 that mean failure: a large one is not read twice. */
function readLimitBody(status: number, { bytes, text, document }: ResponseBody): unknown {
  if (status >= 400) return document ?? text;
  return bytes > maxHintBytes ? undefined : document;
}

export class KnownLimitError extends ApiSourceError {
  readonly rateLimit: RateLimit;

  /** @param sourceName - Who the quota belongs to, for the message. */
  constructor(sourceName: string, { retryAfterSeconds, reason }: Cooldown) {
    const isLimit = reason === "limit";
    const why = isLimit
      ? `The rate limit of ${sourceName} is used up`
      : `${sourceName} is unavailable and said when to come back`;
    super({
      message: `${why}; no request was sent.`,
      category: isLimit ? "rate_limited" : "server_error",
      retryable: true,
      retryAfterSeconds,
      hint: `Wait ${writeDuration(retryAfterSeconds)} before you try again. Other parts of the API may still answer.`,
    });
    this.rateLimit = {
      ...(isLimit ? { remaining: 0, resetInSeconds: retryAfterSeconds } : {}),
      retryAfterSeconds,
    };
  }
}
