/** Which of some names was meant by one that is not among them; the only place in the package that decides it. */

import { findDistance, foldName } from "./text.js";

/** A longer text is not a name, and of more names no more are compared: a document can have any number of them. */
const maxNameLength = 60;
const maxNames = 500;
/** A shorter name begins too many others. */
const minBeginning = 3;

export interface Suggestion {
  readonly name: string;
  /** How many letters are wrong; infinitely many where one of the names begins with the other. */
  readonly letters: number;
  /** Whether the given name surely is this one, misspelt; else it is the nearest. */
  readonly isSure: boolean;
}

/**
 * The nearest of the names: with other case or punctuation, one or two letters wrong, or one that begins with the other, as `user` and `user_id`.
 *
 * @returns undefined where none is near.
 * @example suggest("limt", ["limit", "offset"]); // { name: "limit", letters: 1, isSure: true }
 */
export function suggest(given: string, names: readonly string[]): Suggestion | undefined {
  const some = names.slice(0, maxNames);
  let best: Suggestion | undefined;
  for (const name of some) {
    const letters = countWrongLetters(given, name);
    if (letters >= (best?.letters ?? Number.POSITIVE_INFINITY)) continue;
    best = { name, letters, isSure: isSurely(given, name, letters) };
  }
  if (best !== undefined) return best;
  const name = some.find((each) => isBeginning(foldName(given), foldName(each)));
  return name === undefined
    ? undefined
    : { name, letters: Number.POSITIVE_INFINITY, isSure: false };
}

/** How many letters are wrong; infinitely many where they are more than two, or than a third. */
function countWrongLetters(given: string, name: string): number {
  const [one, other] = [foldName(given), foldName(name)];
  const most = Math.min(2, one.length / 3);
  // Most names are too long or too short, which costs nothing to see.
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  const distance = findDistance(one, other);
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** One letter may be wrong in a name of 4 to 7 characters, two in a longer one; case and punctuation don't count. */
function isSurely(given: string, name: string, letters: number): boolean {
  const shortest = Math.min(given.length, name.length);
  const mostOfLong = shortest < 8 ? 1 : 2;
  const most = shortest < 4 ? 0 : mostOfLong;
  return Math.max(given.length, name.length) <= maxNameLength && letters <= most;
}

function isBeginning(one: string, other: string): boolean {
  const isLong = Math.min(one.length, other.length) >= minBeginning;
  return isLong && (one.startsWith(other) || other.startsWith(one));
}
