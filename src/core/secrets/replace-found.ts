/** Replaces the stretches of a text that give away a secret, and drops the end that may be the beginning of one. */

import type { Interval } from "./intervals.js";
import { replaceInJson } from "./redact-tree.js";
import { redactedMarker } from "./secret.js";

/** Keeps a text that begins like a JSON document valid JSON. */
export function replaceInText(text: string, found: readonly Interval[]): string {
  const isJson = /^[\ufeff\s]{0,1000}[{[]/.test(text);
  return (isJson ? replaceInJson(text, found) : undefined) ?? replaceAll(text, found);
}

export function replaceAll(text: string, found: readonly Interval[]): string {
  let done = 0;
  const pieces = found.map(({ from, to }) => {
    const piece = text.slice(done, from);
    done = to;
    return piece;
  });
  return [...pieces, text.slice(done)].join(redactedMarker);
}

/** No usual encoding is longer than hexadecimal, which has twice the bytes of a secret. A longer secret costs no more of a text than this. */
const longestEnd = 512;

/** How many characters of an end may be the beginning of one of the secrets: twice the bytes of the longest line. */
export function measureEnd(secrets: Iterable<string>): number {
  const lines = [...secrets].flatMap((value) => value.split(/[\r\n]+/));
  return Math.min(longestEnd, 2 * Math.max(0, ...lines.map((line) => Buffer.byteLength(line))));
}

/** A text before its end, and the secrets in it. */
export interface Beginning {
  readonly text: string;
  readonly found: readonly Interval[];
}

/** Drops the end of a text, but keeps the whole of a secret that the end divides: it is replaced. */
export function dropEnd(text: string, found: readonly Interval[], end: number): Beginning {
  if (end >= text.length) return { text, found };
  const kept = found.filter(({ from }) => from < end);
  const length = Math.max(end, 0, kept.at(-1)?.to ?? 0);
  // Half of a surrogate pair is not a character.
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return { text: text.slice(0, length - (isSplit ? 1 : 0)), found: kept };
}
