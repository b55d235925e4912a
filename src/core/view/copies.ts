/** Texts of a record that have the same words: `body` beside `body_html`, `text/plain` beside `text/html`. One of them is enough. */

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
/** The number of letters and digits at the beginning that are compared: no two texts share so many by chance. */
const compared = 24;

interface Reading {
  readonly hasMarkup: boolean;
  readonly words: string;
}

/** Takes the texts of a record. Returns those that repeat another one, each with that one: of two the one with markup, or the later. */
export function findCopies(texts: readonly Place[]): ReadonlyMap<Place, Place> {
  const copies = new Map<Place, Place>();
  if (texts.length < 2) return copies;
  const readings = texts.map((place) => place.samples.map(readWords));
  for (const [at, later] of texts.entries()) {
    for (const [before, earlier] of texts.slice(0, at).entries()) {
      const [first = [], second = []] = [readings[before], readings[at]];
      if (copies.has(earlier) || !areSame(first, second)) continue;
      if (isOfMarkup(first) && !isOfMarkup(second)) copies.set(earlier, later);
      else copies.set(later, earlier);
      break;
    }
  }
  return copies;
}

function areSame(first: readonly Reading[], second: readonly Reading[]): boolean {
  if (first.length !== second.length) return false;
  const pairs = first.map(({ words }, index) => [words, second[index]?.words ?? ""] as const);
  const telling = pairs.filter(([one, other]) => Math.min(one.length, other.length) >= compared);
  const same = telling.filter(
    ([one, other]) => one.slice(0, compared) === other.slice(0, compared),
  );
  return telling.length > 0 && same.length === telling.length;
}

const isOfMarkup = (readings: readonly Reading[]): boolean =>
  readings.filter(({ hasMarkup }) => hasMarkup).length * 2 > readings.length;

function readWords(sample: string): Reading {
  const text = sample.replace(anyReference, (reference) => references[reference] ?? reference);
  const words = text.replace(everyTag, " ").replace(otherReference, " ").replace(noLetter, "");
  return { hasMarkup: markup.test(text), words };
}
