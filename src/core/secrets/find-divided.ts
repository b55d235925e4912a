/** Finds secrets with characters between their letters that no reader sees, such as zero-width spaces and soft hyphens. */

import type { Interval } from "./unescape.js";

const unseen = /\p{Default_Ignorable_Code_Point}+/gu;
type Find = (text: string) => readonly Interval[];

/** None but these between spaces. */
const onlyUnseen = / \p{Default_Ignorable_Code_Point}+ /u;

/**
 * @param isAscii - Whether no form of a secret has another character than ASCII. Then one that is next to such a character divides none.
 * @param find - Finds secrets in a text; the stretches are in order.
 * @returns the stretches of the text that are secrets without these characters; empty for a text in which a secret can't be divided.
 */
export function findDivided(text: string, isAscii: boolean, find: Find): readonly Interval[] {
  const others = ` ${text.replace(/[\0-\x7f]+/g, " ")} `;
  if (others.search(isAscii ? onlyUnseen : unseen) < 0) return [];
  const gaps: { readonly at: number; readonly length: number }[] = [];
  let dropped = 0;
  const whole = text.replace(unseen, ({ length }, place: number) => {
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
