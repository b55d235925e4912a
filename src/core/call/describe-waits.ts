/** The waits of a call in words: what it waited for before its requests, and the wait that kept it from being sent. */

import type { Waited } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { writeDuration } from "../base/text.js";
import type { Cooldown } from "../http/limits/cooldowns.js";
import type { Exchange } from "../http/transport.js";
import { maxWaitSeconds } from "./call-request.js";

/** The waits of a request before it was handed to the transport, in milliseconds. */
export interface WaitsBefore {
  readonly cooldownMs: number;
  readonly queueMs: number;
}

/** A shorter wait for a place in the queue is not reported. */
const shortQueueMs = 500;

/**
 * @param keyHeader - The header with the idempotency key of a write, which each of its requests carried.
 * @returns undefined for a call that did not wait.
 */
export function describeWaits(
  { waits, attempts }: Pick<Exchange, "waits" | "attempts">,
  { cooldownMs, queueMs }: WaitsBefore,
  keyHeader?: string,
): Waited | undefined {
  const all = [...waits];
  if (queueMs >= shortQueueMs)
    all.unshift({ ms: queueMs, why: "limits.concurrency of the source" });
  if (cooldownMs > 0)
    all.unshift({ ms: cooldownMs, why: `the API's rate limit, ${cooldownMs / 1_000} s` });
  if (all.length === 0) return undefined;
  const ms = all.reduce((sum, wait) => sum + wait.ms, 0);
  const reasons = new Set(all.map(({ why }) => why));
  if (keyHeader !== undefined && attempts > 1) reasons.add(`sent again with the same ${keyHeader}`);
  return { ms, requests: attempts, why: [...reasons].join("; ") };
}

/** The error of a call that was not sent, because the API asked to wait. @param sourceName - Names the API in the message. */
export function describeCooldown(
  sourceName: string,
  { retryAfterSeconds, reason }: Cooldown,
): ApiSourceError {
  const isLimit = reason === "limit";
  const asWait =
    retryAfterSeconds > maxWaitSeconds ? "" : `, or give \`wait\`: ${retryAfterSeconds}`;
  const why = isLimit
    ? `The rate limit of ${sourceName} is used up`
    : `${sourceName} is unavailable and reported when to try again`;
  return new ApiSourceError({
    message: `${why}; no request was sent.`,
    category: isLimit ? "rate_limited" : "server_error",
    retryable: true,
    retryAfterSeconds,
    hint: `Wait ${writeDuration(retryAfterSeconds)} before you try again${asWait}. Other parts of the API may still answer.`,
  });
}
