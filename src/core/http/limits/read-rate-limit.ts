/** Reads the quota and the wait that a response reports: by its headers, and by a field of the body of a failed call. */

import type { RateLimitHeaders } from "../../record/api-source.js";
import { parseWait } from "./parse-wait.js";
import {
  isLimited,
  presentRateLimit,
  type QuotaWindow,
  type RateLimit,
  type ResponseHeaders,
} from "./rate-limit.js";
import { readQuotaHeaders, readResets } from "./read-quota-headers.js";

/** What the headers of a response are, and when it came. */
export interface ResponseHead {
  /** 100 to 599. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The time the response arrived, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** What the record calls them. */
  readonly names?: RateLimitHeaders | undefined;
}

/** Each undefined when it reports neither a quota nor a wait. */
export interface ReadLimits {
  /** By the headers alone: a body may quote anything. */
  readonly ofHead: RateLimit | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/**
 * Reads the rate limit of a response.
 *
 * Of several quotas the tightest is returned; its name is the `policy` then, when the server gave no text for one. A
 * value that can't be read is absent. Every number is finite, whole and not negative; no time is longer than 366 days.
 * `retryAfterSeconds` is what the server asks for, header before body; on a limit error that asks for nothing it is the
 * reset, unless requests are left (then the reset is not what refused the call). It is never 0.
 *
 * @param body - The parsed body, where it may name a wait.
 */
export function readRateLimit(head: ResponseHead, body?: unknown): ReadLimits {
  const { wait, quota } = readHead(head);
  const { status, nowMs } = head;
  return {
    ofHead: toRateLimit(status, quota, wait),
    rateLimit: toRateLimit(status, quota, wait, readBodyWait(status, body, nowMs)),
  };
}

function toRateLimit(
  status: number,
  quota: RateLimit,
  headerWait: number | undefined,
  bodyWait?: number,
): RateLimit | undefined {
  const wait = headerWait || bodyWait || (waitForReset(status, quota) ?? headerWait);
  // A limit error whose only time is now: one second, because "before 0 seconds" means nothing.
  const least = isLimited(status, quota) ? 1 : 0;
  const retryAfterSeconds = wait === undefined ? undefined : Math.max(least, wait) || undefined;
  const rateLimit = presentRateLimit({ ...quota, retryAfterSeconds });
  return Object.keys(rateLimit).length === 0 ? undefined : rateLimit;
}

/**
 * The wait that the headers of a response ask for: `Retry-After` and similar headers, on a limit error also the reset of a quota that is spent.
 *
 * @returns whole seconds, 0 for "now"; undefined when they ask for nothing.
 */
export function readRetryAfter(head: ResponseHead): number | undefined {
  const { wait, quota } = readHead(head);
  return wait || (waitForReset(head.status, quota) ?? wait);
}

function readHead({ headers: all, nowMs, names }: ResponseHead): {
  readonly wait: number | undefined;
  readonly quota: RateLimit;
} {
  const headers = names === undefined ? all : renameHeaders(all, names);
  const windows = readQuotaHeaders(headers, nowMs);
  const [tightest] = [...windows].sort(compareTightness);
  const { name = "", ...figures } = tightest ?? {};
  const quota = windows.length > 1 && name !== "" ? { policy: name, ...figures } : figures;
  return { wait: readWaitHeaders(headers, nowMs), quota };
}

const commonNames = {
  limit: "x-ratelimit-limit",
  remaining: "x-ratelimit-remaining",
  reset: "x-ratelimit-reset",
  retryAfter: "retry-after",
} as const;

/** The headers that a record names, under the names that they have elsewhere. */
function renameHeaders(headers: ResponseHeaders, names: RateLimitHeaders): ResponseHeaders {
  const renamed = Object.entries(commonNames).flatMap(([field, common]) => {
    const value = headers[names[field as keyof RateLimitHeaders]?.toLowerCase() ?? ""];
    return value === undefined ? [] : [[common, value] as const];
  });
  return { ...headers, ...Object.fromEntries(renamed) };
}

function waitForReset(status: number, quota: RateLimit): number | undefined {
  const mayBeSpent = quota.remaining === undefined || quota.remaining === 0;
  return isLimited(status, quota) && mayBeSpent ? quota.resetInSeconds : undefined;
}

const waitHeader = /^(?:x-)?(?:rate-?limit-)?retry-?after(?:-(ms|millis|milliseconds))?$/i;

/**
 * `Retry-After` (RFC 9110 section 10.2.3); the precise one (`retry-after-ms`, Azure and OpenAI) comes before it, and
 * `x-ratelimit-retry-after` behind it. Of repeated values the longest counts.
 */
function readWaitHeaders(headers: ResponseHeaders, nowMs: number): number | undefined {
  const waits = Object.entries(headers)
    .flatMap(([name, value]) => {
      const [whole, isPrecise] = waitHeader.exec(name) ?? [];
      if (whole === undefined) return [];
      const longest = Math.max(...readResets(value, nowMs, isPrecise ? "milliseconds" : "seconds"));
      return longest >= 0 ? [{ longest, rank: isPrecise ? 0 : /^retry-after$/i.test(name) ? 1 : 2 }] : [];
    })
    .sort((one, other) => one.rank - other.rank);
  return (waits.find(({ longest }) => longest > 0) ?? waits[0])?.longest;
}

/** The quota that will stop the caller first: one at zero, of several the one that stays there longest, else that with the smallest share left. */
function compareTightness(one: QuotaWindow, other: QuotaWindow): number {
  const [own = [], others = []] = [one, other].map(({ limit, remaining = Infinity, resetInSeconds = -1 }) => {
    const share = remaining === 0 ? 0 : remaining / (limit || 0);
    return [share, remaining, -resetInSeconds, limit === undefined ? 1 : 0];
  });
  const at = own.findIndex((figure, index) => figure !== others[index]);
  return at < 0 ? 0 : (own[at] ?? 0) < (others[at] ?? 0) ? -1 : 1;
}

/** Without case, `_` and `-`: Discord and Telegram `retry_after`, Google `retryDelay`, Stack Exchange and others `backoff`. */
const waitField = /^(?:retry(?:after|in|delay)|backoff)(ms|s|seconds?)?$/;

/** How many values are visited at most, and how many members of one object or array. */
const maxValues = 2_000;
const maxMembers = 100;

/**
 * Finds the wait in a field of an error body, breadth first; words are not read. Only under 403, 420, 429 and 503, and under a status below 400 when the
 * body reports that the call failed (`ok: false`).
 *
 * @returns whole seconds, rounded up; undefined when it asks for none.
 */
function readBodyWait(status: number, body: unknown, nowMs: number): number | undefined {
  if (![403, 420, 429, 503].includes(status) && (status >= 400 || !reportsFailure(body))) return undefined;
  const queue: (readonly [key: string, value: unknown])[] = [["", body]];
  for (const [key, value] of queue) {
    const seconds = readWaitField(key, value, nowMs);
    if (seconds !== undefined) return seconds;
    if (typeof value !== "object" || value === null || queue.length > maxValues) continue;
    queue.push(...Object.entries(value).slice(0, maxMembers));
  }
  return undefined;
}

function reportsFailure(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return ("ok" in body && body.ok === false) || ("success" in body && body.success === false);
}

function readWaitField(key: string, value: unknown, nowMs: number): number | undefined {
  const [name, unit = ""] = waitField.exec(key.slice(0, 60).toLowerCase().replace(/[_-]/g, "")) ?? [];
  if (name === undefined) return undefined;
  // A number that a double would change comes as an object that holds its digits.
  const isExact = typeof value === "object" && value !== null && "text" in value;
  const written = isExact ? value.text : value;
  if (typeof written !== "string" && typeof written !== "number") return undefined;
  return parseWait(String(written), nowMs, unit === "ms" ? "milliseconds" : "seconds");
}
