/** Puts the marker in place of stretches of JSON text, so that it stays valid. */

import type { Interval } from "./find-secrets.js";
import { redactedMarker } from "./secret.js";

/** A quote, an escape in a string, and a number or a word. */
const part = /"|\\(?:u[\da-f]{4}|[\s\S])|[\w+.-]+/gi;

/**
 * In a string the stretch is replaced with the whole escapes that it touches; outside of strings a number, by the marker as a string.
 *
 * @returns the text; undefined where a stretch reaches beyond one string or number.
 */
export function replaceInJson(text: string, found: readonly Interval[]): string | undefined {
  const pieces: string[] = [];
  let done = 0;
  let isInString = false;
  const parts = text.matchAll(part);
  let next = parts.next().value;
  for (const { from, to } of found) {
    if (to <= done) continue;
    for (; next !== undefined && endOf(next) <= from; next = parts.next().value) {
      if (next[0] === '"') isInString = !isInString;
    }
    let [start, end] = [from, to];
    if (!isInString && (next === undefined || next[0] === '"' || next.index > from || endOf(next) < to))
      return undefined;
    for (; next !== undefined && next.index < to; next = parts.next().value) {
      if (next[0] === '"') return undefined;
      if (!isInString || next[0].startsWith("\\")) {
        start = Math.min(start, next.index);
        end = Math.max(end, endOf(next));
      }
      if (endOf(next) > to) break;
    }
    pieces.push(text.slice(done, start), isInString ? redactedMarker : `"${redactedMarker}"`);
    done = end;
  }
  return pieces.join("") + text.slice(done);
}

function endOf(found: RegExpExecArray): number {
  return found.index + found[0].length;
}
