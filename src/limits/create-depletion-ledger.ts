/** Remembers which quotas are known to be at zero, so that no request is wasted on them before they start anew. */

import type { Clock } from "../runtime.js";
import { isLimited } from "./is-limited.js";
import type { RateLimit } from "./rate-limit.js";

/** What quotas are kept apart by. */
export interface DepletionKey {
  /** The source's slug. */
  readonly source: string;
  /** An opaque fingerprint of the credential, never the credential. */
  readonly credential: string;
  /** `firstPathSegment` of the path. */
  readonly segment: string;
}

export interface DepletionLedger {
  /**
   * Takes in what a response said. A limit error, or an answer with nothing remaining, is remembered until its wait or reset
   * has passed; an answer with something remaining, or any success, clears what was remembered. A wait that is not
   * known is not remembered: how long to stay away could only be guessed.
   */
  note(key: DepletionKey, rateLimit: RateLimit | undefined, answer: { readonly status: number }): void;
  /** What is left of the wait, in whole seconds of at least 1; undefined when a request may be sent. */
  check(key: DepletionKey): { readonly retryAfterSeconds: number } | undefined;
}

export interface DepletionLedgerOptions {
  readonly clock: Clock;
  /** How many quotas are remembered; the oldest is forgotten first. @default 1000 */
  readonly maxEntries?: number;
}

/** A daily quota is believed for its day; of a monthly one the API is asked again once a day. */
const longestMemoryMs = 24 * 60 * 60 * 1000;

/** Creates an empty ledger; it lives as long as its toolkit. */
export function createDepletionLedger({ clock, maxEntries = 1000 }: DepletionLedgerOptions): DepletionLedger {
  const untilMs = new Map<string, number>();

  return {
    note(key, rateLimit, { status }) {
      if (!isDepleted(status, rateLimit)) {
        if (untilMs.size === 0) return;
        if (status < 400 || rateLimit?.remaining !== undefined) untilMs.delete(toName(key));
        return;
      }
      const waitMs = (rateLimit?.retryAfterSeconds ?? rateLimit?.resetInSeconds ?? 0) * 1000;
      if (waitMs <= 0) return;
      const name = toName(key);
      untilMs.delete(name);
      untilMs.set(name, clock.now() + Math.min(waitMs, longestMemoryMs));
      for (const oldest of untilMs.keys()) {
        if (untilMs.size <= maxEntries) break;
        untilMs.delete(oldest);
      }
    },

    check(key) {
      if (untilMs.size === 0) return undefined;
      const name = toName(key);
      const leftMs = (untilMs.get(name) ?? 0) - clock.now();
      if (leftMs > 0) return { retryAfterSeconds: Math.ceil(leftMs / 1000) };
      untilMs.delete(name);
      return undefined;
    },
  };
}

function isDepleted(status: number, rateLimit: RateLimit | undefined): boolean {
  if (isLimited(status, rateLimit)) {
    // With requests left the reset is not what refused the call; only a wait that was asked for counts.
    return rateLimit?.retryAfterSeconds !== undefined || (rateLimit?.remaining ?? 0) === 0;
  }
  return rateLimit?.remaining === 0;
}

function toName({ source, credential, segment }: DepletionKey): string {
  return JSON.stringify([source, credential, segment]);
}
