/** Reads a header that may come several times, or hold several resets or waits. */

import { parseListField, toLines } from "./parse-list-field.js";
import { type DeltaUnit, parseReset } from "./parse-reset.js";

/** Every readable value of it in order, in whole seconds from `nowMs`, as `parseReset` reads one. */
export function parseResets(
  value: string | readonly string[],
  nowMs: number,
  unit: DeltaUnit = "seconds",
): number[] {
  return toLines(value).flatMap((line) => {
    // A line is tried whole first: dates have commas in them.
    const whole = parseReset(line, nowMs, unit);
    if (whole !== undefined) return [whole];
    return parseListField(line).flatMap(({ item }) => parseReset(item, nowMs, unit) ?? []);
  });
}
