/** Counts requests against a quota with rate-limiter-flexible: in this process, or in Redis for all processes. */

import type * as Library from "rate-limiter-flexible";
import { ApiSourceError } from "../errors.js";
import type { Logger } from "../runtime.js";

export interface RequestMeter {
  /**
   * Takes one request from the quota.
   *
   * @returns 0 when it was taken, else the milliseconds (at least 1) until the window starts anew.
   */
  take(): Promise<number>;
}

export interface RequestMeterOptions {
  /** What the quota is counted under; the same in all processes that share it. */
  readonly key: string;
  readonly requests: number;
  readonly windowSeconds: number;
  /** An ioredis or node-redis client; absent counts in this process. */
  readonly redis?: unknown;
  readonly logger: Logger;
  /** How long a Redis that failed is left alone, in milliseconds: not every call should wait for it in vain. @default 5000 */
  readonly redisRestMs?: number;
}

const keyPrefix = "langchain-api-sources:requests";

/** A Redis that does not answer within this is taken to be down; its client may go on trying for minutes. */
const redisTimeoutMs = 2_000;

/**
 * Creates a meter; the library is loaded when the first request is counted.
 *
 * When Redis fails, each process keeps to the whole quota on its own and a warning is logged: a lost counter must not
 * stop every agent, and the API itself still answers 429.
 *
 * @throws ApiSourceError `not_configured` when `redis` is no client that the library can use.
 */
export function createRequestMeter(options: RequestMeterOptions): RequestMeter {
  const { key } = options;
  if (options.redis !== undefined) assertRedisClient(options.redis);
  let limiters: Promise<Limiters> | undefined;

  return {
    async take() {
      limiters ??= loadLimiters(options);
      const { shared, own } = await limiters;
      const answer = shared === undefined ? undefined : await shared.take();
      return answer ?? consume(own, key);
    },
  };
}

interface Limiters {
  /** Undefined of `take` means that Redis is down. */
  readonly shared: { take(): Promise<number | undefined> } | undefined;
  readonly own: Library.RateLimiterAbstract;
}

async function loadLimiters(options: RequestMeterOptions): Promise<Limiters> {
  const { requests, windowSeconds, redis } = options;
  const library = await import("rate-limiter-flexible");
  const settings = { points: requests, duration: windowSeconds, keyPrefix };
  const own = new library.RateLimiterMemory(settings);
  if (redis === undefined) return { shared: undefined, own };
  const limiter = new library.RateLimiterRedis({
    ...settings,
    storeClient: redis,
    useRedisPackage: !isIoredis(redis),
  });
  return {
    shared: guardRedis(new library.RLWrapperTimeouts({ limiter, timeoutMs: redisTimeoutMs }), options),
    own,
  };
}

function guardRedis(
  limiter: Library.RateLimiterAbstract,
  { key, logger, redisRestMs = 5_000 }: RequestMeterOptions,
): NonNullable<Limiters["shared"]> {
  let isDown = false;
  let restUntil = 0;
  return {
    async take() {
      // The process's own clock, not the injected one: this is about a real connection.
      if (performance.now() < restUntil) return undefined;
      try {
        const waitMs = await consume(limiter, key);
        isDown = false;
        return waitMs;
      } catch (error) {
        restUntil = performance.now() + redisRestMs;
        if (!isDown)
          logger.warn(
            "Redis does not answer; each process keeps to the whole quota on its own.",
            toData(error),
          );
        isDown = true;
        return undefined;
      }
    },
  };
}

async function consume(limiter: Library.RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    const { msBeforeNext } = rejection as Library.RateLimiterRes;
    return Math.max(1, msBeforeNext);
  }
}

function toData(error: unknown): Record<string, unknown> {
  return { reason: error instanceof Error ? error.message : String(error) };
}

function isIoredis(redis: unknown): boolean {
  return typeof redis === "object" && redis !== null && "defineCommand" in redis;
}

function assertRedisClient(redis: unknown): void {
  const isClient =
    typeof redis === "object" &&
    redis !== null &&
    (isIoredis(redis) || ("eval" in redis && typeof redis.eval === "function"));
  if (isClient) return;
  throw new ApiSourceError({
    message: "The option `redis` is not a Redis client.",
    category: "not_configured",
    hint: "Give a connected client of ioredis (`new Redis(url)`) or of the package redis (`await createClient({ url }).connect()`), or leave `redis` out.",
  });
}
