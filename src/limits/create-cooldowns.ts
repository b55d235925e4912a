/** Remembers who was told to stay away, so that no request is wasted before the time has come. */

import type { Clock } from "../runtime.js";
import { isLimited, type RateLimit } from "./rate-limit.js";
import { type ResponseHead, readRateLimit } from "./read-rate-limit.js";

/** What cooldowns are kept apart by. */
export interface CooldownKey {
  /** The source's slug. */
  readonly source: string;
  /** An opaque fingerprint of the credential, never the credential. */
  readonly credential: string;
  /** The request's path below the base path: many APIs count per endpoint, so its first segment counts. */
  readonly path: string;
}

export interface Cooldown {
  /** When a call may be tried, in whole seconds of at least 1. */
  readonly retryAfterSeconds: number;
  /** `limit`: a quota is spent; `unavailable`: a 503 said when to come back. */
  readonly reason: "limit" | "unavailable";
}

export interface Cooldowns {
  /**
   * Takes in what a response said in its status and headers, never in its body, which may quote anybody: a limit error or a 503 with a
   * wait, or a quota with nothing left and a reset. A success, or an answer with something left, ends the cooldown.
   *
   * @param maxWaitMs - The source's `limits.maxWaitMs`: no cooldown lasts longer than ten times as long without a call that tries again.
   */
  note(key: CooldownKey, head: Omit<ResponseHead, "nowMs">, maxWaitMs: number): void;
  /** Undefined when a request may be sent. When a cooldown was clipped, one call is let through to try; others wait for what it brings. */
  check(key: CooldownKey): Cooldown | undefined;
}

interface Entry {
  /** When the API said the time would be over. */
  readonly untilMs: number;
  /** When one call may try, whatever the API said. */
  tryAtMs: number;
  readonly maxWaitMs: number;
  readonly reason: Cooldown["reason"];
}

/** How many times `maxWaitMs` an answer can keep a source from being called. */
const longestInWaits = 10;

/** How many are remembered; the oldest is forgotten first. */
const maxEntries = 1_000;

/** Creates an empty cache; it lives as long as its toolkit. */
export function createCooldowns({ clock }: { readonly clock: Clock }): Cooldowns {
  const entries = new Map<string, Entry>();

  return {
    note(key, { status, headers }, maxWaitMs) {
      const nowMs = clock.now();
      const rateLimit = readRateLimit({ status, headers, nowMs });
      const name = toName(key);
      const waitMs = 1_000 * findWait(status, rateLimit);
      const isOver = status < 400 || (rateLimit?.remaining ?? 0) > 0;
      if (waitMs > 0 || isOver) entries.delete(name);
      if (waitMs === 0) return;
      const tryAtMs = nowMs + Math.min(waitMs, maxWaitMs * longestInWaits);
      const reason = status === 503 ? "unavailable" : "limit";
      entries.set(name, { untilMs: nowMs + waitMs, tryAtMs, maxWaitMs, reason });
      const [oldest = name] = entries.keys();
      if (entries.size > maxEntries) entries.delete(oldest);
    },

    check(key) {
      const name = toName(key);
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const nowMs = clock.now();
      if (nowMs < entry.tryAtMs)
        return { retryAfterSeconds: Math.ceil((entry.tryAtMs - nowMs) / 1000), reason: entry.reason };
      // Should the one that tries never be answered, the next one may after a single wait.
      if (nowMs >= entry.untilMs) entries.delete(name);
      else entry.tryAtMs = Math.min(entry.untilMs, nowMs + entry.maxWaitMs);
      return undefined;
    },
  };
}

/** In seconds; 0 where nothing asks to stay away, or nobody says for how long: that could only be guessed. */
function findWait(status: number, rateLimit: RateLimit = {}): number {
  const { remaining, resetInSeconds = 0, retryAfterSeconds } = rateLimit;
  // With requests left the reset is not what refused the call; only a wait that was asked for counts.
  const asked = isLimited(status, rateLimit) || status === 503 ? retryAfterSeconds : undefined;
  return asked ?? (remaining === 0 ? resetInSeconds : 0);
}

function toName({ source, credential, path }: CooldownKey): string {
  const segment = /^\/{0,100}([^/?#]{0,200})/.exec(path)?.[1] ?? "";
  return JSON.stringify([source, credential, segment]);
}
