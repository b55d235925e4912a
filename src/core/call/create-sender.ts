/** Sends built requests of one source: quota first, then the wire, then the limits that the response reports. */

import type { Waited } from "../answer/answer.js";
import type { ApiSourceError } from "../base/errors.js";
import { readResponse } from "../body/read-response-body.js";
import { describeTruncation, explainFailure } from "../failure/explain-failure.js";
import type { CooldownKey } from "../http/limits/cooldowns.js";
import {
  type ResponseHeaders,
  readRateLimit,
  signOfLimit,
  statesWaitInBody,
} from "../http/limits/rate-limit.js";
import { isReplay, observeRequest } from "../http/own-transport.js";
import { idempotentMethods } from "../http/retries.js";
import { type RepeatFacts, SendError, type SendFailure } from "../http/send-failure.js";
import type { Exchange, SendOptions } from "../http/transport.js";
import type { ApiSource } from "../record/api-source.js";
import { type BuiltRequest, type ShownRequest, showRequest } from "../request/wire-request.js";
import {
  dropSessionIds,
  listSessionCookies,
  listSessionSecrets,
} from "../secrets/issued-secrets.js";
import { Secret } from "../secrets/secret.js";
import { overridesMethod } from "./build-request.js";
import { describeCooldown, describeWaits, type WaitsBefore } from "./describe-waits.js";
import { type EndedRequest, type HeldKey, showsEffect } from "./idempotency-keys.js";
import { mayReportFailure } from "./judge-reply.js";
import type { PreparedCall, Reply, Sender, SenderServices, SendLimits } from "./running-call.js";
import { openTraffic, type SourceTraffic } from "./source-traffic.js";

/** One request on its way. */
interface Sending extends SourceTraffic {
  readonly built: BuiltRequest;
  readonly prepared: PreparedCall;
  readonly limits: SendLimits;
  /** The key of its cooldown. */
  readonly resource: CooldownKey;
  /** Whether the method that the API carries out is idempotent. */
  readonly isIdempotent: boolean;
  /** The sessions that its responses have set, those of retries and followed redirects too. */
  readonly issued: string[];
}

export function createSender(source: ApiSource, services: SenderServices): Sender {
  const traffic = openTraffic(source, services);
  return {
    send(built, prepared, limits) {
      const { caller } = prepared;
      const resource = { source: source.slug, credential: caller, path: built.url.path };
      const isIdempotent = hasIdempotentMethod(built);
      const own = { built, prepared, limits, resource, isIdempotent };
      return sendRequest({ issued: [], ...own, ...traffic });
    },
    close: () => traffic.transports.close(),
  };
}

/** RFC 9110, section 9.2.2. A PUT that a framework carries out as a POST (`_method`) is not idempotent. */
function hasIdempotentMethod(built: BuiltRequest): boolean {
  return idempotentMethods.has(built.method) && (built.isRead || !overridesMethod(built));
}

async function sendRequest(sending: Sending): Promise<Reply> {
  const { host, built } = sending;
  const mayGo = sending.traffic.cooldowns.check(sending.resource) === undefined;
  const cooldownMs = mayGo ? 0 : await waitForCooldown(sending);
  const startedMs = host.clock.now();
  const place = enterQueue(sending);
  const leave = place === undefined ? undefined : await place;
  const queueMs = place === undefined ? 0 : host.clock.now() - startedMs;
  const held = built.generatedHeader === undefined ? undefined : holdKey(sending, startedMs);
  let ended: EndedRequest | undefined;
  try {
    const exchange = await transmit(sending, held);
    ended = { status: exchange.status, isWhole: exchange.failure === undefined };
    // Many answers may arrive at once, and each is read without a pause.
    await host.takeTurn();
    const mayBeDone = exchange.mayBeDone === true && !built.isRead && built.method !== "GET";
    const repeat = { mayBeDone, ...readRepeat(sending, held, ended) };
    return await readReply(sending, exchange, { cooldownMs, queueMs, repeat });
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    throw explain(sending, error.failure, readRepeat(sending, held, ended));
  } finally {
    held?.release(ended);
    leave?.();
  }
}

/**
 * Waits until the API may be asked again.
 *
 * @returns the milliseconds that this took. @throws ApiSourceError `rate_limited` or `server_error` when the call may not wait as long.
 */
async function waitForCooldown(sending: Sending): Promise<number> {
  const { source, host, traffic, built, prepared, resource } = sending;
  const { deadline, useCooldown = true, waitMs = 0 } = sending.limits;
  if (!useCooldown) return 0;
  const { transport, cooldowns } = traffic;
  const { baseUrl } = prepared.resolved;
  const subject = { source: source.slug, isTokenCall: false, baseUrl, redactor: prepared.redactor };
  // A replay skips the time in which a cooldown ended: a request that has a recording was sent after it.
  if (
    transport !== undefined &&
    isReplay(transport) &&
    transport.has(observeRequest(built.wire, subject))
  )
    return 0;
  let waitedMs = 0;
  for (let next = cooldowns.check(resource); next !== undefined; next = cooldowns.check(resource)) {
    const ms = 1_000 * next.retryAfterSeconds;
    if (waitedMs + ms > waitMs) throw describeCooldown(source.name, next);
    await deadline.race(host.sleep(ms, deadline.signal));
    waitedMs += ms;
  }
  return waitedMs;
}

/** Waits for a place among the requests that run at the same time. @returns what gives the place back. */
function enterQueue(sending: Sending): Promise<() => void> | undefined {
  const { deadline, waitMs = 0 } = sending.limits;
  const mostMs = Math.max(sending.source.api.limits.maxWaitMs, waitMs);
  return sending.enter?.({
    signal: deadline.callerSignal,
    maxWaitMs: Math.min(mostMs, deadline.remainingMs()),
  });
}

function holdKey(sending: Sending, nowMs: number): HeldKey {
  const { traffic, built, prepared, quotaKey } = sending;
  return traffic.openKeys.hold(built, [quotaKey, prepared.caller], prepared.context, nowMs);
}

/** Hands the request to the transport, with all that its attempts need. */
function transmit(sending: Sending, held: HeldKey | undefined): Promise<Exchange> {
  const { source, built, prepared, limits, limiter, quotaKey } = sending;
  const { resolved, redactor, authenticate } = prepared;
  const quota =
    source.api.limits.quotaScope === "source" ? quotaKey : `${quotaKey}#${prepared.caller}`;
  return sending.transports.open(resolved).send(held?.wire ?? built.wire, {
    baseUrl: resolved.baseUrl,
    redactor,
    deadline: limits.deadline,
    redirects: toRedirectScope(source, built, prepared),
    // A connection test is about the API's own host only.
    downloadHosts: built.hasRules ? resolved.network.downloadHosts : undefined,
    idempotent: sending.isIdempotent || built.isRead || source.api.idempotencyHeader !== undefined,
    getMayChange: built.method === "GET" && !built.isRead,
    waitMs: limits.waitMs ?? 0,
    onSend: limits.onSend,
    onAttempt: limits.onAttempt,
    trace: limits.trace,
    why: limits.why,
    onHead: (headers) => learnSessions(sending, headers),
    rateLimit: limiter && { limiter, key: quota },
    authenticate,
  });
}

/** A login has another session only by another login; a session that an answer sets is a secret all the same. */
function learnSessions(sending: Sending, headers: ResponseHeaders): void {
  const { source, host, prepared, issued } = sending;
  issued.push(...listSessionSecrets(headers));
  const name = source.api.login?.cookie;
  if (name === undefined) return;
  const set = listSessionCookies(headers, name, host.clock.now());
  prepared.learn(set.map(({ value }) => new Secret(value)));
}

async function readReply(
  sending: Sending,
  exchange: Exchange,
  known: WaitsBefore & { readonly repeat: RepeatFacts },
): Promise<Reply> {
  const { source, host, traffic, built, prepared, resource, answered } = sending;
  const { redactor } = prepared;
  const { failure, refusal, ...received } = exchange;
  const { status } = received;
  redactor.learn(listRepeated(sending.issued, received));
  const incomplete = failure && describeTruncation(failure);
  // RFC 9110, section 15.4.4: a 303 to a write is its success, and is read by the call.
  const isDone = status === 303 && built.method !== "GET";
  const failed = (isDone ? undefined : refusal) ?? failure;
  const reading = readResponse({
    redactor,
    bytes: received.body,
    incomplete,
    headers: dropSessionIds(received.headers),
    maxOpenedBytes: source.api.limits.maxBytes,
  });
  const { headers, body } = reading instanceof Promise ? await reading : reading;
  const { rateLimitHeaders, maxWaitMs } = source.api.limits;
  // Another host's limits are not the API's.
  const isDownload = received.isDownload === true;
  const mayLimit =
    rateLimitHeaders !== undefined ||
    statesWaitInBody(status) ||
    signOfLimit.test(Object.keys(headers).join());
  const { document } = body;
  const head = { status, headers, names: rateLimitHeaders, nowMs: host.clock.now(), document };
  const rateLimit = isDownload || !mayLimit ? undefined : readRateLimit(head);
  const above = answered.note(built, status);
  if (!isDownload) traffic.cooldowns.note(resource, { status, rateLimit }, maxWaitMs);
  return {
    exchange: {
      incomplete,
      failure: failed && explain(sending, failed, known.repeat),
      ...received,
      headers,
    },
    body,
    mayFail: mayReportFailure(status, body),
    repeat: known.repeat,
    show: () => show(sending, above),
    rateLimit,
    waited: describeOwnWaits(sending, received, known),
  };
}

/** Undefined for a request that waited for nothing. */
function describeOwnWaits(
  { source, built }: Sending,
  exchange: Pick<Exchange, "attempts" | "waits">,
  before: WaitsBefore,
): Waited | undefined {
  const { waits } = exchange;
  if (waits.length === 0 && before.cooldownMs === 0 && before.queueMs === 0) return undefined;
  const key = built.isRead ? undefined : source.api.idempotencyHeader;
  return describeWaits(exchange, before, key);
}

function show({ built, prepared }: Sending, above?: string): ShownRequest {
  return showRequest(built, prepared.resolved.baseUrl, prepared.redactor, above);
}

function explain(sending: Sending, failure: SendFailure, repeat: RepeatFacts): ApiSourceError {
  return explainFailure({ ...failure, ...repeat }, show(sending).baseUrl);
}

const ownKeyNote =
  "The call has no thread, so the same call made again has another idempotency key.";
const keptKeyNote = "The same call made again has the same idempotency key.";
const answeredNote =
  "The API answered this call, so the same call made again has another idempotency key.";

/** Whether the call may be made again: it is a read, its method is idempotent, or its key is the same then. */
function readRepeat(
  { source, built, isIdempotent }: Sending,
  held: HeldKey | undefined,
  ended: EndedRequest | undefined,
): RepeatFacts {
  const { method, isRead, generatedHeader } = built;
  if (isRead) return { repeatable: true };
  if (method === "GET") return { repeatable: false };
  const isAnswered = showsEffect(ended);
  if (held?.isKept === true && !isAnswered) return { repeatable: true, keyNote: keptKeyNote };
  const hasCallersKey = source.api.idempotencyHeader !== undefined && generatedHeader === undefined;
  if (hasCallersKey || isIdempotent) return { repeatable: true };
  if (held === undefined) return { repeatable: false };
  return { repeatable: false, keyNote: held.isKept ? answeredNote : ownKeyNote };
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
