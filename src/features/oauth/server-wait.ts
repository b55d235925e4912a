/** The wait that a token server stated: it is not asked again before that, and its answer is repeated. */

import { ApiSourceError } from "../../core/base/errors.js";
import type { Clock } from "../../core/base/runtime.js";

/** A server that states a longer wait is tried again after this one. */
const longestMs = 300_000;

export class ServerWait {
  #stated: { readonly error: ApiSourceError; readonly untilMs: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** @throws ApiSourceError what the server answered before, with the rest of its wait; and whatever the request throws. */
  async ask<Value>(request: () => Promise<Value>): Promise<Value> {
    if (this.#stated !== undefined) {
      const { error, untilMs } = this.#stated;
      const leftMs = untilMs - this.clock.now();
      const retryAfterSeconds = Math.ceil(leftMs / 1_000);
      if (leftMs > 0) throw new ApiSourceError({ ...error.toCallError(), retryAfterSeconds });
    }
    return request().catch((error: unknown) => {
      if (error instanceof ApiSourceError && error.retryAfterSeconds !== undefined) {
        const waitMs = Math.min(error.retryAfterSeconds * 1_000, longestMs);
        this.#stated = { error, untilMs: this.clock.now() + waitMs };
      }
      throw error;
    });
  }
}
