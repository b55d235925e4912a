/** Reads all quotas and waits that a response reports, in any dialect, into one object. */

import type { RateLimitHeaders } from "../../record/api-source.js";
import { maxWaitSeconds, parseWait, readDuration } from "./parse-wait.js";
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

export type RateLimitInput = ResponseHead & ErrorBody;

/**
 * Reads the rate limit of a response: every header form known, then the wait in the body of a failed call.
 *
 * Of several quotas the tightest is returned; its name is the `policy` then, when the server gave no text for one. A
 * value that can't be read is absent. Every number is finite, whole and not negative; no time is longer than 366 days.
 * `retryAfterSeconds` is what the server asks for, header before body; on a limit error that asks for nothing it is the
 * reset, unless requests are left (then the reset is not what refused the call). It is never 0.
 *
 * @returns undefined when the response reports neither a quota nor a wait.
 */
export function readRateLimit(input: RateLimitInput): RateLimit | undefined {
  const { wait: headerWait, quota } = readHead(input);
  const requested = [headerWait, readBodyWait(input)].find((wait) => wait !== undefined && wait > 0);
  const wait = requested ?? waitForReset(input.status, quota) ?? headerWait;
  // A limit error whose only time is now: one second, because "before 0 seconds" means nothing.
  const least = isLimited(input.status, quota) ? 1 : 0;
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
  return wait !== undefined && wait > 0 ? wait : (waitForReset(head.status, quota) ?? wait);
}

function readHead({ headers: all, nowMs, names }: ResponseHead): {
  wait: number | undefined;
  quota: RateLimit;
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

/**
 * `Retry-After` (RFC 9110 section 10.2.3) and similar headers: the precise one (`retry-after-ms`, Azure and OpenAI) comes before it, vendor
 * names such as `x-ratelimit-retry-after` behind it. Of repeated values the longest counts.
 */
function readWaitHeaders(headers: ResponseHeaders, nowMs: number): number | undefined {
  const waits = Object.entries(headers)
    .filter(([name]) => /retry-?after/i.test(name))
    .map(([name, value]) => {
      const isPrecise = /-(?:ms|millis|milliseconds)$/i.test(name);
      const longest = Math.max(...readResets(value, nowMs, isPrecise ? "milliseconds" : "seconds"));
      return { longest, rank: isPrecise ? 0 : /^retry-after$/i.test(name) ? 1 : 2 };
    })
    .filter(({ longest }) => longest >= 0)
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

export interface ErrorBody {
  readonly status: number;
  /** The parsed body, else its text. */
  readonly body?: unknown;
  readonly nowMs: number;
}

/** Statuses under which words about a wait are about this one; under any other they may be about anything, such as a title that was quoted. */
const refusals: ReadonlySet<number> = new Set([420, 429, 503]);

/**
 * Finds the wait an error body asks for: a field of it first, then the words in its strings. Read only under 420, 429 and 503. Its
 * fields are also read under 403, where a wait makes the refusal a rate limit, and under a status below 400 when the body reports that
 * the call failed (`ok: false`).
 *
 * @returns whole seconds, rounded up; undefined when it asks for none.
 */
function readBodyWait({ status, body, nowMs }: ErrorBody): number | undefined {
  const isRefusal = refusals.has(status);
  if (!isRefusal && status !== 403 && (status >= 400 || !reportsFailure(body))) return undefined;
  for (const [key, value] of listValues(body)) {
    const seconds = readWaitField(key, value, nowMs);
    if (seconds !== undefined) return seconds;
  }
  for (const [, value] of isRefusal ? listValues(body) : []) {
    const seconds = typeof value === "string" ? findWaitInWords(value, nowMs) : undefined;
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

function reportsFailure(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return ("ok" in body && body.ok === false) || ("success" in body && body.success === false);
}

/** Without case, `_` and `-`: Discord and Telegram `retry_after`, Google `retryDelay`, Stack Exchange and others `backoff`. `wait` alone may be a flag. */
const waitField =
  /^(?:(?:retry(?:after|in|delay)|waittime|resetsin)(?:in)?|wait(?=.)(?:in)?|backoff)(ms|millis|milliseconds|s|secs?|seconds?)?$/;

function readWaitField(key: string, value: unknown, nowMs: number): number | undefined {
  const [name, unit = ""] = waitField.exec(key.slice(0, 60).toLowerCase().replace(/[_-]/g, "")) ?? [];
  if (name === undefined) return undefined;
  // A number that a double would change comes as an object that holds its digits.
  const isExact = typeof value === "object" && value !== null && "text" in value;
  const written = isExact ? value.text : value;
  if (typeof written !== "string" && typeof written !== "number") return undefined;
  return parseWait(String(written), nowMs, unit.startsWith("m") ? "milliseconds" : "seconds");
}

/** How many values are visited at most, and how many members of one object or array. */
const maxValues = 2_000;
const maxMembers = 100;

/** Each key and value, breadth first. Depth costs nothing, because it does not recurse. */
function* listValues(body: unknown): Generator<readonly [key: string, value: unknown]> {
  const queue: (readonly [key: string, value: unknown])[] = [["", body]];
  for (const [key, value] of queue) {
    yield [key, value];
    if (typeof value !== "object" || value === null || queue.length > maxValues) continue;
    // An element goes by its array's key: `errors: ["try again in 5 s"]`.
    if (Array.isArray(value)) for (const element of value.slice(0, maxMembers)) queue.push([key, element]);
    else queue.push(...Object.entries(value).slice(0, maxMembers));
  }
}

/** Longer messages are read up to here. */
const maxTextLength = 8_192;

/** A word about waiting, then a few words without a digit or the end of a sentence, then a digit or a weekday. */
const anchor =
  /\b(?:again|retry|retrying|retried|wait|waiting|available|resets?|back\s?off|come back)\b[a-z ,:~_('"-]{0,40}?(?=\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )/g;

/** What a date may be written with; it ends at a quote, a bracket or the end of the sentence. */
const dateText = /^[a-z0-9 ,:+-]{1,40}(?:\.\d{1,9})?(?:z\b|gmt\b|utc\b|[+-]\d{2}:?\d{2}\b)?/;

/** The first wait in whole seconds that a message asks for. A number without a unit is ignored: it may count anything. */
function findWaitInWords(text: string, nowMs: number): number | undefined {
  const lower = text.slice(0, maxTextLength).toLowerCase();
  for (const match of lower.matchAll(anchor)) {
    const start = match.index + match[0].length;
    const { durationMs, end } = readDuration(lower, start);
    const [date = ""] = dateText.exec(lower.slice(start, start + 100)) ?? [];
    const instant = /\d:\d/.test(date) ? parseWait(date, nowMs) : undefined;
    const seconds = end > start ? Math.ceil(durationMs / 1000) : instant;
    if (seconds !== undefined && seconds <= maxWaitSeconds) return seconds;
  }
  return undefined;
}
