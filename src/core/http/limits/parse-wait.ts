/** Knows how waits and instants are written: deltas, epochs, durations of Go, ISO 8601 and plain words, dates. */

/** The longest wait that is believed: a leap year. A longer one is a mistake or an attack, and is not passed on. */
export const maxWaitSeconds: number = 366 * 24 * 60 * 60;

/** The unit that a name states (`retry-after-ms`); where it states none, seconds. An epoch is known by its magnitude. */
export type DeltaUnit = "seconds" | "milliseconds";

const numberPattern = /^\d{1,20}(?:\.\d{1,20})?$/;

/**
 * Reads a reset or a wait, whichever form it has: a number (a delta up to 366 days, else an epoch in seconds, milliseconds,
 * microseconds or nanoseconds: one name carries a delta in one API and an epoch in another), a duration, or a date.
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

/** The first epoch: 2001-09-09, in seconds. Epochs of today are 1.8e9 s, 1.8e12 ms, 1.8e15 µs and 1.8e18 ns. */
const firstEpoch = 1e9;

function numberToWaitMs(value: number, nowMs: number, unit: DeltaUnit): number | undefined {
  const deltaMs = unit === "milliseconds" ? value : value * 1000;
  if (deltaMs <= maxWaitSeconds * 1000) return deltaMs;
  const thousands = [0, 1, 2, 3].find(
    (power) => value >= firstEpoch * 1e3 ** power && value < 1e11 * 1e3 ** power,
  );
  return thousands === undefined ? undefined : value / 1e3 ** (thousands - 1) - nowMs;
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

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ns|nanoseconds?)$/, 1e-6],
  [/^(?:[uµμ]s|microseconds?)$/, 1e-3],
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
];

const partPattern = /(\d{1,9}(?:\.\d{1,12})?)\s{0,2}([a-zµμ]{1,12})(?:,?\s{1,2}(?:and\s)?(?=\d))?/y;
const isoPattern =
  /^p(?=[\dt])(?:\d{1,9}d)?(?:t(?=\d)(?:\d{1,9}h)?(?:\d{1,9}m)?(?:\d{1,9}(?:\.\d{1,12})?s)?)?$/;

/** Reads a string that is a length of time and nothing else, in milliseconds. A bare number has no unit and is not read. */
function parseDuration(text: string): number | undefined {
  const lower = text.toLowerCase();
  const plain = isoPattern.test(lower) ? lower.replace(/[pt]/g, "") : lower;
  const { durationMs, end } = readDuration(plain, 0);
  return end === plain.length ? durationMs : undefined;
}

/**
 * Reads the length of time that begins at `start` of a lower-case string, such as the `6m0s` of `try again in 6m0s.`
 *
 * @returns its milliseconds and where it ends: at `start` when none begins there.
 */
export function readDuration(
  text: string,
  start: number,
): { readonly durationMs: number; readonly end: number } {
  let [durationMs, end] = [0, start];
  for (;;) {
    partPattern.lastIndex = end;
    const [part = "", count, word = ""] = partPattern.exec(text) ?? [];
    const factor = units.find(([unit]) => unit.test(word))?.[1];
    if (factor === undefined) return { durationMs, end };
    durationMs += Number(count) * factor;
    end += part.length;
  }
}
