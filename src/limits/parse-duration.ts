/** Knows how lengths of time are written: Go (`1h2m3.5s`), words (`1 minute 30 seconds`) and ISO 8601 (`PT30S`). */

const unitMs: ReadonlyMap<string, number> = new Map([
  ...["ns", "nanosecond", "nanoseconds"].map((unit) => [unit, 1e-6] as const),
  ...["us", "µs", "μs", "microsecond", "microseconds"].map((unit) => [unit, 1e-3] as const),
  ...["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"].map((unit) => [unit, 1] as const),
  ...["s", "sec", "secs", "second", "seconds"].map((unit) => [unit, 1_000] as const),
  ...["m", "min", "mins", "minute", "minutes"].map((unit) => [unit, 60_000] as const),
  ...["h", "hr", "hrs", "hour", "hours"].map((unit) => [unit, 3_600_000] as const),
  ...["d", "day", "days"].map((unit) => [unit, 86_400_000] as const),
]);

const partPattern = /(\d{1,9}(?:\.\d{1,12})?)\s{0,2}([a-zµμ]{1,12})/y;
const joinPattern = /,?\s{1,2}(?:and\s)?(?=\d)/y;
const isoPattern = /^pt?(?=\d)(?:(\d{1,9})d)?t?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,12})?)s)?$/;

/**
 * Reads a text that is a length of time and nothing else.
 *
 * @returns milliseconds, not rounded; undefined when it is not one. A bare number has no unit, so it is none.
 */
export function parseDuration(text: string): number | undefined {
  const lower = text.trim().toLowerCase();
  const iso = isoPattern.exec(lower);
  if (iso !== null) return sumIso(iso);
  const found = takeDuration(lower, 0);
  return found !== undefined && found.end === lower.length ? found.durationMs : undefined;
}

/**
 * Reads the length of time that begins at `start` of a lower-case text, such as the `6m0s` of `try again in 6m0s.`
 *
 * @returns its milliseconds and where it ends; undefined when none begins there.
 */
export function takeDuration(
  text: string,
  start: number,
): { readonly durationMs: number; readonly end: number } | undefined {
  let durationMs = 0;
  let end = start;
  for (let position: number | undefined = start; position !== undefined; position = afterJoin(text, end)) {
    partPattern.lastIndex = position;
    const part = partPattern.exec(text);
    const factor = unitMs.get(part?.[2] ?? "");
    if (part === null || factor === undefined) break;
    durationMs += Number(part[1]) * factor;
    end = partPattern.lastIndex;
  }
  return end === start ? undefined : { durationMs, end };
}

function afterJoin(text: string, end: number): number | undefined {
  if (/\d/.test(text.charAt(end))) return end;
  joinPattern.lastIndex = end;
  return joinPattern.test(text) ? joinPattern.lastIndex : undefined;
}

function sumIso([, days, hours, minutes, seconds]: RegExpExecArray): number {
  return (
    Number(days ?? 0) * 86_400_000 +
    Number(hours ?? 0) * 3_600_000 +
    Number(minutes ?? 0) * 60_000 +
    Number(seconds ?? 0) * 1_000
  );
}
