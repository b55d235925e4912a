/** Texts of a record that begin with the same words: `body` beside `body_html`, or `text/plain` beside `text/html`. One of them is shown first. */

import type { Place } from "./places.js";

const markup = /<\/?[a-z][^<>]{0,200}>/i;
const everyTag = /<[^<>]{0,200}>?/g;
/** Markup in a JSON text is often escaped: `&lt;p&gt;`. */
const references: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};
const anyReference = /&(?:lt|gt|amp);/g;
const otherReference = /&#?\w{1,8};/g;
const noLetter = /[^\p{L}\p{N}]+/gu;
/** The number of letters and digits at the beginning that are compared. */
const compared = 24;

interface Reading {
  readonly hasMarkup: boolean;
  /** The first letters and digits. */
  readonly words: string;
}

/** Takes the texts of a record. Returns those that begin like another one, each with that one: the one with markup, else the shorter, else the later. */
export function findCopies(texts: readonly Place[]): ReadonlyMap<Place, Place> {
  const copies = new Map<Place, Place>();
  if (texts.length < 2) return copies;
  const readings = texts.map((place) => place.samples.map(readWords));
  for (const [at, later] of texts.entries()) {
    for (const [before, earlier] of texts.slice(0, at).entries()) {
      const [first = [], second = []] = [readings[before], readings[at]];
      if (copies.has(earlier) || !beginAlike(first, second)) continue;
      const isEarlierCopy =
        isOfMarkup(first) === isOfMarkup(second)
          ? earlier.characters < later.characters
          : isOfMarkup(first);
      if (isEarlierCopy) copies.set(earlier, later);
      else copies.set(later, earlier);
      break;
    }
  }
  return copies;
}

/** Whether the texts of each row begin alike, and one of them is not too short to show it. */
function beginAlike(first: readonly Reading[], second: readonly Reading[]): boolean {
  if (first.length !== second.length) return false;
  const pairs = first.map(({ words }, index) => [words, second[index]?.words ?? ""] as const);
  return (
    pairs.every(([one, other]) => one.startsWith(other) || other.startsWith(one)) &&
    pairs.some(([one, other]) => Math.min(one.length, other.length) === compared)
  );
}

const isOfMarkup = (readings: readonly Reading[]): boolean =>
  readings.filter(({ hasMarkup }) => hasMarkup).length * 2 > readings.length;

function readWords(sample: string): Reading {
  const text = sample.replace(anyReference, (reference) => references[reference] ?? reference);
  const words = text.replace(everyTag, " ").replace(otherReference, " ").replace(noLetter, "");
  return { hasMarkup: markup.test(text), words: words.slice(0, compared) };
}
