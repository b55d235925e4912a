/** Knows what "when" means in a rate-limit header: the same name carries seconds in one API and an instant in another. */

import { parseDuration } from "./parse-duration.js";
import { parseInstant } from "./parse-instant.js";

/** The longest wait that is believed: a leap year. A longer one is a mistake or an attack, and is not passed on. */
export const maxWaitSeconds: number = 366 * 24 * 60 * 60;

/** The first number that is an epoch: 2001-09-09, in seconds. What lies between a year and this is neither. */
const firstEpochSeconds = 1e9;

/** Up to where a number counts in this unit. Epochs of today are 1.8e9 s, 1.8e12 ms, 1.8e15 µs and 1.8e18 ns. */
const epochUnits: readonly { readonly from: number; readonly below: number; readonly perMs: number }[] = [
  { from: firstEpochSeconds, below: 1e11, perMs: 1e-3 },
  { from: firstEpochSeconds * 1e3, below: 1e14, perMs: 1 },
  { from: firstEpochSeconds * 1e6, below: 1e17, perMs: 1e3 },
  { from: firstEpochSeconds * 1e9, below: 1e20, perMs: 1e6 },
];

const numberPattern = /^\d{1,20}(?:\.\d{1,20})?$/;

/** The unit that a name states (`retry-after-ms`); where it states none, seconds. An epoch is known by its magnitude. */
export type DeltaUnit = "seconds" | "milliseconds";

/**
 * Reads a reset or a wait, whichever form it has: a number (a delta up to 366 days, else an epoch in seconds, milliseconds,
 * microseconds or nanoseconds: decided by magnitude), a duration, or a date.
 *
 * @returns whole seconds from `nowMs`, rounded up so that nobody comes back too early; 0 for an instant that has passed;
 * undefined for what can't be read or lies more than 366 days ahead.
 */
export function parseReset(text: string, nowMs: number, unit: DeltaUnit = "seconds"): number | undefined {
  const trimmed = text.trim().replace(/^"([^"]*)"$/, "$1");
  if (trimmed.length === 0 || trimmed.length > 120) return undefined;
  const waitMs = numberPattern.test(trimmed)
    ? numberToWaitMs(Number(trimmed), nowMs, unit)
    : (parseDuration(trimmed) ?? untilInstant(trimmed, nowMs));
  return waitMs === undefined ? undefined : toWholeSeconds(waitMs);
}

function numberToWaitMs(value: number, nowMs: number, unit: DeltaUnit): number | undefined {
  const deltaMs = unit === "milliseconds" ? value : value * 1000;
  if (deltaMs <= maxWaitSeconds * 1000) return deltaMs;
  const epoch = epochUnits.find(({ from, below }) => value >= from && value < below);
  return epoch === undefined ? undefined : value / epoch.perMs - nowMs;
}

function untilInstant(text: string, nowMs: number): number | undefined {
  const instantMs = parseInstant(text, nowMs);
  return instantMs === undefined ? undefined : instantMs - nowMs;
}

function toWholeSeconds(waitMs: number): number | undefined {
  // To whole milliseconds first: 1470173023.123 * 1000 is not whole, and must not cost a second.
  const seconds = Math.max(0, Math.ceil(Math.round(waitMs) / 1000));
  return seconds <= maxWaitSeconds ? seconds : undefined;
}
