/** Makes one object of all that a response says about its quotas, whatever dialect it speaks. */

import { isLimited } from "./is-limited.js";
import { pickTightest } from "./pick-tightest.js";
import { presentRateLimit } from "./present-rate-limit.js";
import type { QuotaWindow } from "./quota-window.js";
import type { RateLimit, ResponseHeaders } from "./rate-limit.js";
import { readBodyWait } from "./read-body-wait.js";
import { readBodyWindows } from "./read-body-windows.js";
import { readHeaderWindows } from "./read-header-windows.js";
import { readWaitHeaders } from "./read-wait-headers.js";

export interface RateLimitInput {
  /** 100 to 599. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The time the response arrived, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** The text of the body, when it is at hand. */
  readonly bodyText?: string;
  /** The parsed body, when it is at hand; it is read instead of `bodyText`. */
  readonly body?: unknown;
}

/**
 * Reads the rate limit of a response: every header form known, then in-body hints of failed calls.
 *
 * Of several quotas the tightest is told; its name is the `policy` then, when the server gave no text for one. A
 * value that can't be read is absent. Every number is finite, whole and not negative; no time is longer than 366 days.
 * `retryAfterSeconds` is what the server asks for, header before body; on a limit error that asks for nothing it is the
 * reset, unless requests are left (then the reset is not what refused the call).
 *
 * @returns undefined when the response says nothing of a quota or a wait.
 */
export function readRateLimit(input: RateLimitInput): RateLimit | undefined {
  const { status, headers, nowMs } = input;
  const isTold = speaksOfLimits(headers);
  const inBody = readBodyWindows(input.body, input.bodyText);
  const windows = isTold ? [...readHeaderWindows(headers, nowMs), ...inBody] : inBody;
  const quota = toRateLimit(pickTightest(windows), windows.length > 1);
  const waits = [
    isTold ? readWaitHeaders(headers, nowMs) : undefined,
    readBodyWait(input),
    waitForReset(status, quota),
  ];
  const retryAfterSeconds =
    waits.find((wait) => wait !== undefined && wait > 0) ?? waits.find((wait) => wait === 0);
  const rateLimit = presentRateLimit(
    retryAfterSeconds === undefined ? quota : { ...quota, retryAfterSeconds },
  );
  return Object.keys(rateLimit).length === 0 ? undefined : rateLimit;
}

/** Every header that tells of a quota or a wait has one of these words in its name; most answers have no such header. */
const telltale = /limit|quota|remain|request|reset|usage|retry-?after/i;

function speaksOfLimits(headers: ResponseHeaders): boolean {
  return Object.keys(headers).some((name) => telltale.test(name));
}

function toRateLimit(window: QuotaWindow | undefined, isOneOfSeveral: boolean): RateLimit {
  if (window === undefined) return {};
  const { name, ...figures } = window;
  return isOneOfSeveral && name !== "" ? { policy: name, ...figures } : figures;
}

function waitForReset(status: number, quota: RateLimit): number | undefined {
  const mayBeSpent = quota.remaining === undefined || quota.remaining === 0;
  return isLimited(status, quota) && mayBeSpent ? quota.resetInSeconds : undefined;
}
