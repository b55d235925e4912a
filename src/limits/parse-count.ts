/** Knows what a plain count of requests looks like in a header: decimal digits and nothing clever. */

/** Fifteen digits stay exact in a double; a longer "count" is not one, nor is the `000` of a grouped `1,000`. */
const countPattern = /^(0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/**
 * Reads a count such as `60` or `586.0` (Reddit counts in floats).
 *
 * @returns a non-negative whole number, rounded down because part of a request is no request; undefined for
 * anything else (`-1`, `unlimited`, `0x2`, `1e99`, a rate below one such as `0.5`).
 */
export function parseCount(text: string): number | undefined {
  const digits = countPattern.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  const isRateBelowOne = Number(digits) === 0 && Number(text) !== 0;
  return isRateBelowOne ? undefined : Number(digits);
}

/** Reads every item of a list as a count; none when one is not: what the others mean would be a guess (`1,000`). */
export function parseCounts(items: readonly string[]): number[] {
  const counts = items.flatMap((item) => parseCount(item) ?? []);
  return counts.length === items.length ? counts : [];
}
