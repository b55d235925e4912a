/** Keeps a source under the quota its record sets: `limits.requestsPerMinute` and `limits.concurrency`. */

import { ApiSourceError } from "../errors.js";
import { type Clock, type Logger, type Sleep, silentLogger, systemClock, systemSleep } from "../runtime.js";
import { createPatience } from "./create-patience.js";
import { createRequestMeter } from "./create-request-meter.js";
import { createTurnstile } from "./create-turnstile.js";
import { createWaitingLine } from "./create-waiting-line.js";

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** When the call must be over, by the quota's clock, in milliseconds since the epoch; no wait goes past it. */
  readonly deadlineMs?: number | undefined;
}

export interface QuotaSlot {
  /** Gives the place back when the call is over; more than once does nothing. */
  release(): void;
}

export interface Quota {
  /**
   * Waits for its turn, first come, first served.
   *
   * @throws ApiSourceError `rate_limited` when the wait is, or turns out to be, longer than allowed; the signal's reason when
   * it is aborted.
   */
  acquire(options: AcquireOptions): Promise<QuotaSlot>;
}

export interface QuotaOptions {
  /** The source's slug: it is named in errors. */
  readonly source: string;
  /** What the requests are counted under, such as the slug with the base URL's origin. @default source */
  readonly key?: string;
  /** How many requests may be sent in a minute. */
  readonly requestsPerMinute?: number | undefined;
  /** How many requests of this process may be under way at the same time. */
  readonly concurrency?: number | undefined;
  /** An ioredis or node-redis client: `requestsPerMinute` is then one quota for all processes. */
  readonly redis?: unknown;
  /** The window that `requestsPerMinute` is counted in, in seconds. @default 60 */
  readonly windowSeconds?: number;
  readonly clock?: Clock;
  readonly sleep?: Sleep;
  readonly logger?: Logger;
}

/**
 * Creates the quota of one source. Without `requestsPerMinute` and `concurrency` it lets everything through.
 *
 * Requests are counted in fixed windows that begin with their first request. rate-limiter-flexible has no limiter of
 * concurrency, so that is a line in this process; Redis does not share it.
 *
 * @throws ApiSourceError `not_configured` when `redis` is no Redis client.
 */
export function createQuota(options: QuotaOptions): Quota {
  const { source, key = source, requestsPerMinute, concurrency, redis, windowSeconds = 60 } = options;
  const { clock = systemClock, sleep = systemSleep, logger = silentLogger } = options;
  const places = concurrency === undefined ? undefined : createWaitingLine({ places: concurrency, sleep });
  const turnstile =
    requestsPerMinute === undefined
      ? undefined
      : createTurnstile({
          source,
          requests: requestsPerMinute,
          windowSeconds,
          meter: createRequestMeter({ key, requests: requestsPerMinute, windowSeconds, redis, logger }),
          sleep,
        });

  return {
    async acquire({ signal, maxWaitMs, deadlineMs }) {
      signal?.throwIfAborted();
      const patience = createPatience({ clock, maxWaitMs, deadlineMs });
      // The place first: a request that was counted must be sent at once, or it would go out in another window.
      const leave = await places?.enter({ signal, maxWaitMs: patience.left() });
      if (places !== undefined && leave === undefined) throw allPlacesTaken(source, concurrency);
      try {
        await turnstile?.pass(patience, signal);
      } catch (error) {
        leave?.();
        throw error;
      }
      return { release: () => leave?.() };
    },
  };
}

function allPlacesTaken(source: string, concurrency: number | undefined): ApiSourceError {
  return new ApiSourceError({
    message: `${source}: all ${concurrency} requests that may run at the same time are under way; none ended in time. No request was sent.`,
    category: "rate_limited",
    retryable: true,
    hint: "Send fewer calls at once, or try again when some have ended. This is the source's own setting `limits.concurrency`, not a limit of the API.",
  });
}
