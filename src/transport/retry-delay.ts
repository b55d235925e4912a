/** How long to wait before a request is sent again: what the server asks for, else a jittered backoff. */

import type { Random } from "../runtime.js";

/** The shortest wait; a server that says `Retry-After: 0` is not hammered. */
const floorMs = 100;
/** The upper bound of the first wait; it doubles with each retry. */
const firstStepMs = 500;
/** The longest backoff. */
const longestStepMs = 8_000;

export interface RetryDelayOptions {
  /** Which retry this is, from 1. */
  readonly retry: number;
  /** Seconds the server asks to wait, when it does. */
  readonly retryAfterSeconds: number | undefined;
  /** The longest wait the source allows, in milliseconds. */
  readonly maxWaitMs: number;
  /** What is left of the call, in milliseconds. */
  readonly remainingMs: number;
  readonly random: Random;
}

/**
 * Returns the wait in milliseconds, or `undefined` when the call should not wait: the server asks for longer than
 * `maxWaitMs`, or than the call has left. The caller then reports when to come back.
 *
 * The server's hint is taken exactly; without one it is full jitter over a doubling step, so that clients that failed
 * together don't return together.
 */
export function retryDelay(options: RetryDelayOptions): number | undefined {
  const { retryAfterSeconds, maxWaitMs, remainingMs } = options;
  const delayMs =
    retryAfterSeconds === undefined || !(retryAfterSeconds >= 0)
      ? Math.min(backoffMs(options), Math.max(floorMs, maxWaitMs))
      : Math.max(floorMs, Math.ceil(retryAfterSeconds * 1_000));
  // A hint of NaN or below zero asks nothing; Infinity is longer than any limit (a timer would fire at once for it).
  return delayMs <= Math.max(floorMs, maxWaitMs) && delayMs < remainingMs ? delayMs : undefined;
}

function backoffMs({ retry, random }: RetryDelayOptions): number {
  const stepMs = Math.min(longestStepMs, firstStepMs * 2 ** Math.max(0, retry - 1));
  return Math.round(floorMs + random() * (stepMs - floorMs));
}
