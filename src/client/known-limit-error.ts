/** A call that was refused here because the API said when to come back. */

import { ApiSourceError } from "../errors.js";
import type { Cooldown } from "../limits/create-cooldowns.js";
import type { RateLimit } from "../limits/rate-limit.js";
import { writeDuration } from "../text.js";

export class KnownLimitError extends ApiSourceError {
  readonly rateLimit: RateLimit;

  /** @param sourceName - Who the quota belongs to, for the message. */
  constructor(sourceName: string, { retryAfterSeconds, reason }: Cooldown) {
    super({
      message:
        reason === "limit"
          ? `The rate limit of ${sourceName} is used up; no request was sent.`
          : `${sourceName} is unavailable and said when to come back; no request was sent.`,
      category: reason === "limit" ? "rate_limited" : "server_error",
      retryable: true,
      retryAfterSeconds,
      hint: `Wait ${writeDuration(retryAfterSeconds)} before you try again. Other parts of the API may still answer.`,
    });
    this.rateLimit =
      reason === "limit"
        ? { remaining: 0, resetInSeconds: retryAfterSeconds, retryAfterSeconds }
        : { retryAfterSeconds };
  }
}
