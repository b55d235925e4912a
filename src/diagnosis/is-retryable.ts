/** Decides whether the same call may succeed later without being changed. */

import type { ErrorCategory } from "../errors.js";
import type { HttpMethod } from "../source/api-source.js";

/** 52x are Cloudflare's (origin unreachable or slow); 529 and 598 say overloaded or timed out. */
const passingStatuses: ReadonlySet<number> = new Set([
  408, 425, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 598, 599,
]);

/** A spent budget, not a spent window: waiting does not bring it back. */
const spentForGood =
  /insufficient[_ ]?quota|billing|payment|upgrade your plan|out of credits?|credit balance/i;

export interface RetryableInput {
  readonly status: number;
  readonly category: ErrorCategory;
  readonly method: HttpMethod;
  readonly codes: readonly string[];
  readonly message: string;
}

/**
 * A rate limit is, unless the body speaks of billing. A 500 (or a broken answer) is for GET only, since the same write would most likely
 * fail again or have been done; the statuses of an overloaded or unreachable server are for every method, and the hint of a write
 * says to check first.
 */
export function isRetryable({ status, category, method, codes, message }: RetryableInput): boolean {
  if (category === "rate_limited") return !spentForGood.test(`${codes.join(" ")} ${message}`);
  if (passingStatuses.has(status)) return true;
  if (category === "server_error" || category === "timeout")
    return method === "GET" && status !== 505 && status < 506;
  return false;
}
