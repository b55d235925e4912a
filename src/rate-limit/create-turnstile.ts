/** Lets requests through one after the other, as many in a window as its quota allows. */

import { ApiSourceError } from "../errors.js";
import type { Sleep } from "../runtime.js";
import type { Patience } from "./create-patience.js";
import type { RequestMeter } from "./create-request-meter.js";
import { createWaitingLine } from "./create-waiting-line.js";

export interface Turnstile {
  /**
   * Resolves when the request may be sent. Who comes first goes first; only the first in line asks the meter, so a window that
   * opens is not met by all who wait.
   *
   * @throws ApiSourceError `rate_limited`, at once when it can be told that the wait will be too long; the signal's reason
   * when it is aborted.
   */
  pass(patience: Patience, signal: AbortSignal | undefined): Promise<void>;
}

export interface TurnstileOptions {
  /** The source's slug: it is named in errors. */
  readonly source: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly meter: RequestMeter;
  readonly sleep: Sleep;
}

/** Creates an open turnstile. */
export function createTurnstile(options: TurnstileOptions): Turnstile {
  const { requests, windowSeconds, meter, sleep } = options;
  const line = createWaitingLine({ places: 1, sleep });
  // By the process's own monotonic clock, because the meter counts its windows by the real time.
  let opensAtMs = 0;

  /** The time until a newcomer's turn, as far as it is known: the next window, and one more for each that is spoken for. */
  function expectedWaitMs(): number {
    const closedMs = opensAtMs - performance.now();
    return closedMs <= 0 ? 0 : closedMs + Math.floor(line.length / requests) * windowSeconds * 1000;
  }

  async function takeTurn(patience: Patience, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const waitMs = await meter.take();
      signal?.throwIfAborted();
      if (waitMs === 0) return;
      opensAtMs = performance.now() + waitMs;
      if (waitMs > patience.left()) throw quotaUsed(options, waitMs);
      await sleep(waitMs, signal);
      patience.spend(waitMs);
    }
  }

  return {
    async pass(patience, signal) {
      const expectedMs = expectedWaitMs();
      if (expectedMs > patience.left()) throw quotaUsed(options, expectedMs);
      const leave = await line.enter({ signal, maxWaitMs: Math.max(1, patience.left()) });
      if (leave === undefined) throw quotaUsed(options, expectedWaitMs());
      try {
        await takeTurn(patience, signal);
      } finally {
        leave();
      }
    },
  };
}

function quotaUsed({ source, requests, windowSeconds }: TurnstileOptions, waitMs: number): ApiSourceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ApiSourceError({
    message: `${source}: the quota of ${requests} requests in ${windowSeconds} s is used up. No request was sent.`,
    category: "rate_limited",
    retryable: true,
    retryAfterSeconds,
    hint: `Do not retry before ${retryAfterSeconds} s have passed. This is the source's own setting \`limits.requestsPerMinute\`, not a limit of the API.`,
  });
}
