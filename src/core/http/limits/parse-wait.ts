/** Knows how waits and instants are written: deltas, epochs, durations such as `6m0s`, dates. */

/** The longest wait that is believed: a leap year. A longer one is a mistake or an attack, and is not passed on. */
export const maxWaitSeconds: number = 366 * 24 * 60 * 60;

/** The unit that a name states (`retry-after-ms`); where it states none, seconds. An epoch is known by its magnitude. */
export type DeltaUnit = "seconds" | "milliseconds";

const numberPattern = /^\d{1,20}(?:\.\d{1,20})?$/;

/**
 * Reads a reset or a wait, whichever form it has: a number (a delta up to 366 days, else an epoch in seconds or milliseconds: one name carries a
 * delta in one API and an epoch in another), a duration, or a date.
 *
 * @returns whole seconds from `nowMs`, rounded up so that a retry is never too early; 0 for an instant that has passed;
 * undefined for what can't be read or lies more than 366 days ahead.
 */
export function parseWait(text: string, nowMs: number, unit: DeltaUnit = "seconds"): number | undefined {
  const trimmed = text.trim().replace(/^"([^"]*)"$/, "$1");
  if (trimmed.length === 0 || trimmed.length > 120) return undefined;
  const waitMs = numberPattern.test(trimmed)
    ? numberToWaitMs(Number(trimmed), nowMs, unit)
    : (parseDuration(trimmed) ?? untilInstant(trimmed, nowMs));
  if (waitMs === undefined) return undefined;
  // To whole milliseconds first: 1470173023.123 * 1000 is not whole, and must not cost a second.
  const seconds = Math.max(0, Math.ceil(Math.round(waitMs) / 1000));
  return seconds <= maxWaitSeconds ? seconds : undefined;
}

/** The first epoch: 2001-09-09, in seconds. Epochs of today are 1.8e9 s and 1.8e12 ms. */
const firstEpoch = 1e9;

function numberToWaitMs(value: number, nowMs: number, unit: DeltaUnit): number | undefined {
  const deltaMs = unit === "milliseconds" ? value : value * 1000;
  if (deltaMs <= maxWaitSeconds * 1000) return deltaMs;
  const factor = [1_000, 1].find((each) => value * each >= firstEpoch * 1000 && value * each < 1e14);
  return factor === undefined ? undefined : value * factor - nowMs;
}

/** A weekday or a date at the start, a time, and the zone at the end, without which an instant could only be guessed. */
const datePattern =
  /^(?:[A-Z]{3,9},? )?(?:\d{4}-\d\d-\d\d|\d{1,2}[ -][A-Z]{3}[ -]\d{2,4}|[A-Z]{3} \d{1,2} \d{4})[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:Z|UTC?|GMT|(?:UTC|GMT)?[+-]\d\d:?\d\d)(?: \([^()]{0,60}\))?$/;
/** RFC 9110 section 5.6.7 defines asctime, which names no zone, to be in UTC. */
const asctimePattern = /^[A-Z]{3} [A-Z]{3} {1,2}\d{1,2} \d\d:\d\d:\d\d \d{4}$/;

/** HTTP dates (RFC 9110 section 5.6.7), RFC 3339 and its looser forms, RFC 5322, and what JavaScript's `String(date)` writes. */
function untilInstant(text: string, nowMs: number): number | undefined {
  const upper = text.toUpperCase();
  const dated = asctimePattern.test(upper) ? `${upper} GMT` : datePattern.test(upper) ? upper : undefined;
  const instantMs = dated === undefined ? Number.NaN : Date.parse(dated);
  return Number.isNaN(instantMs) ? undefined : instantMs - nowMs;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time as OpenAI and Google write it (`6m0s`, `12ms`, `3.5s`), in milliseconds. */
function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,12})?(?:ms|[smhd])){1,5}$/i.test(text)) return undefined;
  const parts = text.toLowerCase().matchAll(/([\d.]+)([a-z]+)/g);
  return [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (unitMs[unit] ?? 0), 0);
}
