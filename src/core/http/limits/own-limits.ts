/**
 * Keeps to the limits that a source has of its own: `requestsPerMinute`, counted by rate-limiter-flexible in this process or in Redis for all
 * processes, and `concurrency`, the calls that run at the same time in this process.
 */

import type * as Library from "rate-limiter-flexible";
import { ApiSourceError } from "../../base/errors.js";
import type { Host } from "../../base/runtime.js";
import { plural, writeDuration } from "../../base/text.js";

export interface LimiterWait {
  readonly signal?: AbortSignal;
  /** The longest wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** When the call must be over, by the limiter's clock, in milliseconds since the epoch; no wait goes past it. */
  readonly deadlineMs?: number;
}

export interface Limiter {
  /**
   * Waits until one more request may be sent under this key, and counts it.
   *
   * @param key - What the requests are counted under; the same in all processes that share the quota. It is stored in Redis as it is.
   * @throws ApiSourceError `rate_limited` when the wait is, or turns out to be, longer than allowed; the signal's reason when
   * it is aborted.
   */
  take(key: string, wait: LimiterWait): Promise<void>;
}

/**
 * Waits for a place, first come, first served.
 *
 * @returns what gives the place back, to be called once.
 * @throws ApiSourceError `rate_limited` when none became free within `maxWaitMs`; the signal's reason when it is aborted.
 */
export type Semaphore = (wait: LimiterWait) => Promise<() => void>;

export interface LimiterOptions extends Pick<Host, "stopwatch" | "sleep" | "application"> {
  /** The source's slug: it is named in errors. */
  readonly source: string;
  /** How many requests may be sent in a minute. */
  readonly requests: number;
  /** An ioredis or node-redis client; absent counts in this process. */
  readonly redis?: unknown;
}

const keyPrefix = "langchain-api-sources:requests";

/** A Redis that does not answer within this is taken to be down; its client may go on trying for minutes. */
const redisTimeoutMs = 2_000;
/** The message in the log when Redis fails. */
const whatFailed =
  "Redis does not answer, so each process keeps to the whole quota: a request to it";
/** How long a Redis that failed is left alone: not every call should wait for it in vain. */
const redisRestMs = 5_000;

/**
 * Creates a limiter; the library is loaded when the first request is counted. Requests are counted in fixed minutes that begin with
 * their first request. When Redis fails, each process keeps to the whole quota on its own and a warning is logged: a lost counter must
 * not stop every agent, and the API itself still answers 429.
 *
 * @throws ApiSourceError `not_configured` when `redis` is not a client that the library can use.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { stopwatch, sleep, redis } = options;
  if (redis !== undefined) checkRedisClient(redis);
  let counter: Promise<Count> | undefined;

  return {
    async take(key, { signal, maxWaitMs, deadlineMs = Infinity }) {
      counter ??= loadCounter(options);
      const count = await counter;
      // Counts the time that it slept instead of reading the clock, so that the wait ends even when the clock does not move.
      let leftMs = Math.min(maxWaitMs, deadlineMs - stopwatch.now());
      for (;;) {
        const waitMs = await count(key);
        if (waitMs === 0) return;
        if (waitMs > leftMs) throw refuseRequest(options, waitMs);
        await sleep(waitMs, signal);
        leftMs -= waitMs;
      }
    },
  };
}

/** Counts one request: 0 when it fits the quota, else the milliseconds (at least 1) until the window starts anew. */
type Count = (key: string) => Promise<number>;

async function loadCounter({
  source,
  requests,
  redis,
  application,
}: LimiterOptions): Promise<Count> {
  const library = await import("rate-limiter-flexible");
  const settings = { points: requests, duration: 60, keyPrefix };
  const memory = new library.RateLimiterMemory(settings);
  const own: Count = async (key) => {
    const waitMs = await consume(memory, key);
    // The library measures by the system's clock: a minute that lasts longer began before that was set back.
    if (waitMs <= settings.duration * 1_000) return waitMs;
    await memory.delete(key);
    return consume(memory, key);
  };
  if (redis === undefined) return own;
  const inRedis = { ...settings, storeClient: redis, useRedisPackage: !isIoredis(redis) };
  const limiter = new library.RateLimiterRedis(inRedis);
  const shared = new library.RLWrapperTimeouts({ limiter, timeoutMs: redisTimeoutMs });
  let restUntilMs = 0;
  return async (key) => {
    // The process's own clock, not the injected one: this is about a real connection.
    if (performance.now() < restUntilMs) return own(key);
    return consume(shared, key).catch((error: Error) => {
      restUntilMs = performance.now() + redisRestMs;
      application.report({ what: whatFailed, source }, error);
      return own(key);
    });
  };
}

async function consume(limiter: Library.RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    return Math.max(1, (rejection as Library.RateLimiterRes).msBeforeNext);
  }
}

function isIoredis(redis: unknown): boolean {
  return "defineCommand" in Object(redis);
}

function checkRedisClient(redis: unknown): void {
  if ("eval" in Object(redis) || isIoredis(redis)) return;
  throw new ApiSourceError({
    message: "The option `redis` is not a Redis client.",
    category: "not_configured",
    hint: "Give a connected client of ioredis (`new Redis(url)`) or of the package redis (`await createClient({ url }).connect()`), or leave `redis` out.",
  });
}

function refuseRequest({ source, requests }: LimiterOptions, waitMs: number): ApiSourceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ApiSourceError({
    message: `${source}: the quota of ${plural(requests, "request")} in 60 s is used up. No request was sent.`,
    category: "rate_limited",
    retryable: true,
    retryAfterSeconds,
    hint: `Wait ${writeDuration(retryAfterSeconds)} before you try again. This is the source's own setting \`limits.requestsPerMinute\`, not a limit of the API.`,
  });
}

/** Makes the places that a request waits for. @param places - How many there are. */
export function createSemaphore(
  { source, sleep }: Pick<LimiterOptions, "source" | "sleep">,
  places: number,
): Semaphore {
  /** Each admits one. */
  const waiters = new Set<() => void>();
  let free = places;

  /** The place is handed on, not freed: a newcomer can't overtake the one who is first in line. */
  function leave(): void {
    const [next] = waiters;
    if (next === undefined) free += 1;
    else next();
  }

  /** Whether a place was handed on in time. */
  async function wait(maxWaitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    // Not `AbortSignal.any`: on Node 20 it keeps an entry on a long-lived caller's signal for every wait.
    const waiting = new AbortController();
    const end = (): void => waiting.abort();
    let isAdmitted = false;
    const admit = (): void => {
      waiters.delete(admit);
      isAdmitted = true;
      end();
    };
    waiters.add(admit);
    signal?.addEventListener("abort", end, { once: true });
    await sleep(maxWaitMs, waiting.signal).catch(() => {});
    signal?.removeEventListener("abort", end);
    waiters.delete(admit);
    // Admitted in the very moment of the cancelling: the place goes to the next one.
    if (isAdmitted && signal?.aborted) leave();
    signal?.throwIfAborted();
    return isAdmitted;
  }

  return async ({ signal, maxWaitMs }) => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else if (maxWaitMs <= 0 || !(await wait(maxWaitMs, signal))) throw refusePlace(source, places);
    return leave;
  };
}

function refusePlace(source: string, places: number): ApiSourceError {
  return new ApiSourceError({
    message: `${source}: all ${places} requests that may run at the same time are running; none ended in time. No request was sent.`,
    category: "rate_limited",
    retryable: true,
    hint: "Send fewer calls at once, or try again when some have ended. This is the source's own setting `limits.concurrency`, not a limit of the API.",
  });
}
