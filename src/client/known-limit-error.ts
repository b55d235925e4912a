/** A call that was refused here because its quota is known to be used up. */

import { ApiSourceError } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";

export class KnownLimitError extends ApiSourceError {
  readonly rateLimit: RateLimit;

  /** @param sourceName - Who the quota belongs to, for the message. */
  constructor(sourceName: string, retryAfterSeconds: number) {
    super({
      message: `The rate limit of ${sourceName} is used up; no request was sent.`,
      category: "rate_limited",
      retryable: true,
      retryAfterSeconds,
      hint: `Do not retry before ${retryAfterSeconds} s have passed. Other parts of the API may still answer.`,
    });
    this.rateLimit = { remaining: 0, resetInSeconds: retryAfterSeconds, retryAfterSeconds };
  }
}
