/** Reads all quotas and waits that a response reports, in any dialect, into one object. */

import {
  isLimited,
  presentRateLimit,
  type QuotaWindow,
  type RateLimit,
  type ResponseHeaders,
} from "./rate-limit.js";
import { type ErrorBody, readBodyWait } from "./read-body-wait.js";
import { readQuotaHeaders, readResets } from "./read-quota-headers.js";

/** What the headers of a response are, and when it came. */
export interface ResponseHead {
  /** 100 to 599. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The time the response arrived, in milliseconds since the epoch. */
  readonly nowMs: number;
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

function readHead({ headers, nowMs }: ResponseHead): { wait: number | undefined; quota: RateLimit } {
  const windows = readQuotaHeaders(headers, nowMs);
  const [tightest] = [...windows].sort(compareTightness);
  const { name = "", ...figures } = tightest ?? {};
  const quota = windows.length > 1 && name !== "" ? { policy: name, ...figures } : figures;
  return { wait: readWaitHeaders(headers, nowMs), quota };
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
