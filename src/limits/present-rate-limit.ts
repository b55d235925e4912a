/** Shapes a rate limit for the answer document, and decides whether a model needs to see it. */

import type { RateLimit } from "./rate-limit.js";

/** The known members in the order of the answer document; the unknown ones absent, not undefined. */
export function presentRateLimit(rateLimit: RateLimit): RateLimit {
  const { limit, remaining, resetInSeconds, policy, retryAfterSeconds } = rateLimit;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(resetInSeconds === undefined ? {} : { resetInSeconds }),
    ...(policy === undefined ? {} : { policy }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** A fifth: what is left of a quota when it begins to matter. */
const shownShare = 1 / 5;

/**
 * Whether the rate limit belongs in the answer: on a limit error always, else when a fifth or less is left.
 *
 * @param options.limited whether the request was refused for its rate (`isLimited`).
 */
export function shouldShowRateLimit(
  rateLimit: RateLimit | undefined,
  { limited }: { readonly limited: boolean },
): boolean {
  if (rateLimit === undefined) return false;
  if (limited) return true;
  const { limit, remaining } = rateLimit;
  if (remaining === undefined) return false;
  return remaining === 0 || (limit !== undefined && remaining <= limit * shownShare);
}
