/** Remembers which resources an API asked not to call for a while, so that no request is wasted before that time. */

import type { Clock } from "../../base/runtime.js";
import { isLimited, type RateLimit } from "./rate-limit.js";

/** The key that keeps cooldowns apart. */
export interface CooldownKey {
  /** The source's slug. */
  readonly source: string;
  /** An opaque fingerprint of the credential, never the credential. */
  readonly credential: string;
  /** The request's path below the base path. Many APIs count per resource, so a cooldown covers one: `/v1/orders` of `/v1/orders/7`. */
  readonly path: string;
}

export interface Cooldown {
  /** How long until a call may be tried, in whole seconds of at least 1. */
  readonly retryAfterSeconds: number;
  /** `limit`: a quota is spent; `unavailable`: a 503 has a `Retry-After`. */
  readonly reason: "limit" | "unavailable";
}

interface Entry {
  /** When the cooldown ends, as the API reported it. */
  readonly untilMs: number;
  /** When one call may try, even if the API asked for longer. */
  tryAtMs: number;
  readonly maxWaitMs: number;
  readonly reason: Cooldown["reason"];
}

/** How many times `maxWaitMs` an answer can keep a source from being called. */
const longestInWaits = 10;

/** How many are remembered; the oldest is forgotten first. */
const maxEntries = 1_000;

/** It lives as long as its toolkit. */
export class Cooldowns {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly clock: Clock) {}

  /**
   * A limit error or a 503 with a wait begins a cooldown, and so does a spent quota with a reset. A success, or an answer with requests left, ends it.
   *
   * @param answer - Its status, and the rate limit by its headers.
   * @param maxWaitMs - The source's `limits.maxWaitMs`: no cooldown lasts longer than ten times as long without a call that tries again.
   */
  note(
    key: CooldownKey,
    { status, rateLimit }: { readonly status: number; readonly rateLimit: RateLimit | undefined },
    maxWaitMs: number,
  ): void {
    // Most APIs ask no one to wait, and the name of a resource costs more than the rest.
    if (rateLimit === undefined && this.#entries.size === 0) return;
    const nowMs = this.clock.now();
    const name = toName(key);
    const waitMs = 1_000 * findWait(status, rateLimit);
    const isOver = status < 400 || (rateLimit?.remaining ?? 0) > 0;
    if (waitMs > 0 || isOver) this.#entries.delete(name);
    if (waitMs === 0) return;
    const tryAtMs = nowMs + Math.min(waitMs, maxWaitMs * longestInWaits);
    const reason = status === 503 ? "unavailable" : "limit";
    this.#entries.set(name, { untilMs: nowMs + waitMs, tryAtMs, maxWaitMs, reason });
    const [oldest = name] = this.#entries.keys();
    if (this.#entries.size > maxEntries) this.#entries.delete(oldest);
  }

  /** Undefined when a request may be sent. After a shortened cooldown, one call may try; the others wait for its result. */
  check(key: CooldownKey): Cooldown | undefined {
    if (this.#entries.size === 0) return undefined;
    const name = toName(key);
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const nowMs = this.clock.now();
    if (nowMs < entry.tryAtMs)
      return { retryAfterSeconds: Math.ceil((entry.tryAtMs - nowMs) / 1000), reason: entry.reason };
    // When the trying call never gets an answer, the next call may try after a single wait.
    if (nowMs >= entry.untilMs) this.#entries.delete(name);
    else entry.tryAtMs = Math.min(entry.untilMs, nowMs + entry.maxWaitMs);
    return undefined;
  }
}

/** In seconds; 0 where nothing asks for a wait, or no length is given: a length could only be guessed. */
function findWait(status: number, rateLimit: RateLimit = {}): number {
  const { remaining, resetInSeconds = 0, retryAfterSeconds } = rateLimit;
  // The reset did not refuse the call where requests are left; only a requested wait counts.
  const asked = isLimited(status, rateLimit) || status === 503 ? retryAfterSeconds : undefined;
  return asked ?? (remaining === 0 ? resetInSeconds : 0);
}

/** Segments before the resource: `/api/v1/orders/7` is about orders. */
const prefix = /^(?:api|rest|v\d[\w.]{0,20})$/i;

function toName({ source, credential, path }: CooldownKey): string {
  const segments = path.slice(0, 2_000).split(/[?#]/, 1)[0]?.split("/").filter(Boolean) ?? [];
  const resource = segments.findIndex((segment) => !prefix.test(segment));
  const scope = resource < 0 ? segments : segments.slice(0, resource + 1);
  return JSON.stringify([source, credential, ...scope]);
}
