/** Knows when an answer means "too many requests", whatever its status says. */

import type { RateLimit } from "./rate-limit.js";

/** 429 (RFC 6585), and 420, which the first version of the Twitter API answered instead. */
const limitStatuses: ReadonlySet<number> = new Set([429, 420]);

/** Statuses that some APIs answer a limit with: GitHub and Google 403, Linear 400. */
const disguises: ReadonlySet<number> = new Set([403, 400]);

/**
 * Whether the request was refused for its rate: 429 always; 403 and 400 when nothing remains or the server asks to wait.
 */
export function isLimited(status: number, rateLimit: RateLimit | undefined): boolean {
  if (limitStatuses.has(status)) return true;
  if (!disguises.has(status) || rateLimit === undefined) return false;
  return rateLimit.remaining === 0 || (rateLimit.retryAfterSeconds ?? 0) > 0;
}
