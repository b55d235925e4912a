/** Finds secrets with characters between their letters that no reader sees, such as zero-width spaces and soft hyphens. */

import type { Interval } from "./unescape.js";

const unseen = /\p{Default_Ignorable_Code_Point}+/u;
const eachUnseen = new RegExp(unseen, "gu");

/**
 * @param find - Finds secrets in a text; the stretches are in order.
 * @returns the stretches of the text that are secrets without these characters; none for a text without such characters.
 */
export function findDivided(text: string, find: (text: string) => readonly Interval[]): readonly Interval[] {
  // ASCII has no such character.
  if (Buffer.byteLength(text) === text.length || !unseen.test(text)) return [];
  const gaps: { readonly at: number; readonly length: number }[] = [];
  let dropped = 0;
  const whole = text.replace(eachUnseen, ({ length }, place: number) => {
    gaps.push({ at: place - dropped, length });
    dropped += length;
    return "";
  });
  let next = 0;
  let before = 0;
  const skip = (isPassed: (at: number) => boolean): number => {
    for (let gap = gaps[next]; gap !== undefined && isPassed(gap.at); gap = gaps[next]) {
      before += gap.length;
      next += 1;
    }
    return before;
  };
  // What comes before a secret or behind it stays.
  return find(whole).map(({ from, to }) => ({
    from: from + skip((at) => at <= from),
    to: to + skip((at) => at < to),
  }));
}
