/** Sends built requests of one source: quota first, then the wire, then the limits that the response reports. */

import type { Waited } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { writeDuration } from "../base/text.js";
import { parseMediaType } from "../body/read-media-type.js";
import { readResponse } from "../body/read-response-body.js";
import { describeTruncation, explainFailure } from "../failure/explain-failure.js";
import { createTransport, type Transport } from "../http/create-transport.js";
import type { Cooldown } from "../http/limits/cooldowns.js";
import { createLimiter, createSemaphore } from "../http/limits/own-limits.js";
import { addBodyWait, readRateLimit } from "../http/limits/rate-limit.js";
import { isReplay, observeRequest } from "../http/own-transport.js";
import { SendError, type SendFailure } from "../http/send-failure.js";
import type { Exchange, SendOptions } from "../http/transport.js";
import type { ApiSource } from "../record/api-source.js";
import { type BuiltRequest, type ShownRequest, showRequest } from "../request/wire-request.js";
import {
  dropSessionIds,
  listSessionCookies,
  listSessionSecrets,
} from "../secrets/issued-secrets.js";
import { Secret } from "../secrets/secret.js";
import { maxWaitSeconds } from "./call-request.js";
import { applyKeptKey } from "./idempotency-keys.js";
import type { PreparedCall, Sender, SenderServices } from "./running-call.js";

/** In the name of every header of a quota or a wait. */
const signOfLimit = /limit|retry-after/i;

export function createSender(source: ApiSource, { host, traffic }: SenderServices): Sender {
  const {
    concurrency,
    requestsPerMinute: requests,
    maxWaitMs,
    quotaScope,
    rateLimitHeaders,
  } = source.api.limits;
  const session = source.api.login?.cookie;
  const { clock, sleep, logger } = host;
  const { redis, cooldowns } = traffic;
  const shared = { source: source.slug, redis, clock, sleep, logger };
  // A slot is held for the whole call; the rate limit counts every request on the wire, retries and redirects included.
  const enter = concurrency === undefined ? undefined : createSemaphore(shared, concurrency);
  const isLimited = requests !== undefined && !isReplay(traffic.transport);
  const limiter = isLimited ? createLimiter({ ...shared, requests }) : undefined;
  // Two processes that run the same record share a quota; another tenant's base URL is another API.
  const quotaKey = `${source.slug}@${source.api.baseUrl}`;
  const transports = new Map<string, Transport>();
  const answered = createAnsweredPaths();

  return {
    async send(built, prepared, { deadline, useCooldown = true, waitMs = 0, onSend }) {
      const { resolved, redactor, authenticate } = prepared;
      const credential = traffic.fingerprint(source, prepared.credential, resolved.secrets);
      const key = { source: source.slug, credential, path: built.url.path };
      const sent = { source: source.slug, isTokenCall: false, baseUrl: resolved.baseUrl, redactor };
      const { transport: own } = traffic;
      // A replay skips the time in which a cooldown ended: a request that has a recording was sent after it.
      const isRecorded = isReplay(own) && own.has(observeRequest(built.wire, sent));
      const mayCool = useCooldown && !isRecorded;
      let cooldownMs = 0;
      for (let next = mayCool && cooldowns.check(key); next; next = cooldowns.check(key)) {
        const ms = 1_000 * next.retryAfterSeconds;
        if (cooldownMs + ms > waitMs) throw describeCooldown(source.name, next);
        await deadline.race(sleep(ms, deadline.signal));
        cooldownMs += ms;
      }
      const rateLimitKey = quotaScope === "source" ? quotaKey : `${quotaKey}#${credential}`;
      const askedMs = clock.now();
      const leave = await enter?.({
        signal: deadline.callerSignal,
        maxWaitMs: Math.min(Math.max(maxWaitMs, waitMs), deadline.deadlineMs - askedMs),
      });
      const placeMs = clock.now() - askedMs;
      const show = (above?: string): ShownRequest =>
        showRequest(built, resolved.baseUrl, redactor, above);
      const explain = (failure: SendFailure): ApiSourceError =>
        explainFailure(failure, show().baseUrl);
      let keyed: ReturnType<typeof applyKeptKey> | undefined;
      try {
        if (built.generatedHeader !== undefined)
          keyed = applyKeptKey(built, [quotaKey, credential], prepared.context, askedMs);
        const issued: string[] = [];
        const onHead: SendOptions["onHead"] = (headers) => {
          issued.push(...listSessionSecrets(headers));
          // A login has another session only by another login; one that an answer sets is a secret all the same.
          const set =
            session === undefined ? [] : listSessionCookies(headers, session, clock.now());
          prepared.learn(set.map(({ value }) => new Secret(value)));
        };
        const sending = {
          baseUrl: resolved.baseUrl,
          redactor,
          deadline,
          redirects: toRedirectScope(source, built, prepared),
          // A connection test is about the API's own host only.
          downloadHosts: built.hasRules ? resolved.network.downloadHosts : undefined,
          idempotent: source.api.idempotencyHeader !== undefined || built.isRead,
          isWrite: built.method === "GET" && !built.isRead,
          waitMs,
          onSend,
          onHead,
          rateLimit: limiter && { limiter, key: rateLimitKey },
          authenticate,
        };
        const transport = openTransport(transports, source, { host, traffic }, resolved);
        const { failure, refusal, ...received } = await transport.send(
          keyed?.wire ?? built.wire,
          sending,
        );
        keyed?.note(received.status);
        // Many answers may arrive at once, and each is read without a pause.
        await host.takeTurn();
        const { status, body: bytes } = received;
        redactor.learn(listRepeated(issued, received));
        const incomplete = failure && describeTruncation(failure);
        // RFC 9110, section 15.4.4: a 303 to a write is its success, and is read by the call.
        const isDone = received.status === 303 && built.method !== "GET";
        const failed = (isDone ? undefined : refusal) ?? failure;
        const { headers, body } = await readResponse({
          ...{ redactor, bytes, incomplete },
          headers: dropSessionIds(received.headers),
          maxOpenedBytes: source.api.limits.maxBytes,
        });
        // Another host's limits are not the API's.
        const isDownload = received.isDownload === true;
        const mayLimit =
          rateLimitHeaders !== undefined || signOfLimit.test(Object.keys(headers).join());
        const head = { status, headers, names: rateLimitHeaders, nowMs: clock.now() };
        const rateLimit = isDownload || !mayLimit ? undefined : readRateLimit(head);
        if (!isDownload) cooldowns.note(key, { status, rateLimit }, maxWaitMs);
        return {
          exchange: { ...received, headers, incomplete, failure: failed && explain(failed) },
          body,
          shown: show(answered.note(built, status)),
          rateLimit: isDownload ? undefined : addBodyWait(rateLimit, status, body.document),
          waited: describeWaits(received, cooldownMs, placeMs),
        };
      } catch (error) {
        if (error instanceof SendError) keyed?.note(undefined);
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

/** How many paths are remembered; the oldest are forgotten first. */
const maxAnswered = 200;

/** The paths that GET was answered at, for a hint about a path below one of them that does not exist. */
function createAnsweredPaths() {
  const paths = new Set<string>();
  return {
    /** @returns after a 404 the nearest path above. */
    note({ method, url: { path } }: BuiltRequest, status: number): string | undefined {
      if (status === 404) {
        const segments = path.split("/");
        const above = segments.map((_, length) => segments.slice(0, length).join("/"));
        return above.findLast((each) => each !== "" && paths.has(each));
      }
      if (method !== "GET" || status !== 200) return undefined;
      paths.add(path);
      const [oldest = path] = paths;
      if (paths.size > maxAnswered) paths.delete(oldest);
      return undefined;
    },
  };
}

/** A redactor is made anew for what it learns, so it learns of sessions only what the answer repeats. */
function listRepeated(
  issued: readonly string[],
  { headers, body }: Pick<Exchange, "headers" | "body">,
): Secret[] {
  if (issued.length === 0) return [];
  const { "set-cookie": _, ...others } = headers;
  const head = JSON.stringify(others);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return issued
    .filter((value) => bytes.includes(value) || head.includes(value))
    .map((value) => new Secret(value));
}

/** Tenants with base URLs or proxies of their own each need a connection pool; more than this many don't stay open. */
const maxTransports = 16;

/** The transport of the host and network that a call resolves to; it is kept for the next one. */
function openTransport(
  transports: Map<string, Transport>,
  { slug, api: { limits } }: ApiSource,
  { host: { clock, sleep, random, logger }, traffic: { transport } }: SenderServices,
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
  const findMaxBytes = (type: string | undefined): number =>
    parseMediaType(type).promises === "json" ? limits.maxBytes : limits.maxFileBytes;
  const means = { clock, sleep, random, logger, transport, source: slug };
  const opened = createTransport({ network, limits, findMaxBytes, baseUrl, ...means });
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
    ownParameters: new Map(
      built.reservedQueryNames.map((name) => [name, resolved.query[name] ?? token]),
    ),
  };
}

/** A shorter wait for the quota is not reported. */
const shortPlaceMs = 500;

function describeWaits(
  { waits, attempts }: Pick<Exchange, "waits" | "attempts">,
  cooldownMs: number,
  placeMs: number,
): Waited | undefined {
  const all = [...waits];
  if (placeMs >= shortPlaceMs)
    all.unshift({ ms: placeMs, why: "limits.concurrency of the source" });
  if (cooldownMs > 0)
    all.unshift({ ms: cooldownMs, why: `the API's rate limit, ${cooldownMs / 1_000} s` });
  if (all.length === 0) return undefined;
  const ms = all.reduce((sum, wait) => sum + wait.ms, 0);
  return { ms, requests: attempts, why: [...new Set(all.map(({ why }) => why))].join("; ") };
}

/** @param sourceName - Who the quota belongs to, for the message. */
function describeCooldown(
  sourceName: string,
  { retryAfterSeconds, reason }: Cooldown,
): ApiSourceError {
  const isLimit = reason === "limit";
  const asWait =
    retryAfterSeconds > maxWaitSeconds ? "" : `, or give \`wait\`: ${retryAfterSeconds}`;
  const why = isLimit
    ? `The rate limit of ${sourceName} is used up`
    : `${sourceName} is unavailable and reported when to try again`;
  return new ApiSourceError({
    message: `${why}; no request was sent.`,
    category: isLimit ? "rate_limited" : "server_error",
    retryable: true,
    retryAfterSeconds,
    hint: `Wait ${writeDuration(retryAfterSeconds)} before you try again${asWait}. Other parts of the API may still answer.`,
  });
}
