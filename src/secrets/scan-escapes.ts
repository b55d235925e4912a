/** Finds the anchors that a plain scan can't, because one of their own letters or digits is written as an escape. */

import type { Anchor } from "./anchor.js";
import type { AnchorVisitor } from "./create-scanner.js";
import { readSymbols } from "./read-symbols.js";
import type { View } from "./view.js";

/** What an escape of a letter, a digit or one of `-._` begins with. */
const leads: readonly (readonly [first: string, leads: readonly string[]])[] = [
  ["\\", ["\\u", "\\x"]],
  ["%", ["%"]],
  ["&", ["&"]],
];

/** Which anchors have a character, and at which place. */
export type CharacterIndex = ReadonlyMap<number, readonly (readonly [anchor: Anchor, offset: number])[]>;

export function indexCharacters(anchors: readonly Anchor[]): CharacterIndex {
  const index = new Map<number, (readonly [Anchor, number])[]>();
  for (const anchor of anchors) {
    for (let offset = 0; offset < anchor.text.length; offset++) {
      for (const code of codesOf(anchor, offset)) {
        const places = index.get(code) ?? [];
        if (places.push([anchor, offset]) === 1) index.set(code, places);
      }
    }
  }
  return index;
}

function codesOf(anchor: Anchor, offset: number): readonly number[] {
  const letter = anchor.text.charAt(offset);
  const letters = anchor.anyCase ? [letter.toLowerCase(), letter.toUpperCase()] : [letter];
  return [...new Set(letters)].map((one) => one.charCodeAt(0));
}

/**
 * Visits each anchor whose first escaped character stands at an escape in the text and whose characters before that stand
 * there plainly. A text without escapes of such characters costs three native searches.
 */
export function scanEscapes(text: string, view: View, index: CharacterIndex, visit: AnchorVisitor): void {
  const present = leads.filter(([first]) => text.includes(first));
  for (const lead of present.flatMap(([, members]) => members)) {
    for (let at = text.indexOf(lead); at >= 0; at = text.indexOf(lead, at + 1)) {
      if (!mayBePlain(text, at + lead.length, lead)) continue;
      for (const start of startsOfEscape(text, at)) visitEscape(text, view, start, index, visit);
    }
  }
}

/** Letters, digits and `-._` have codes 2D to 7A, so most other escapes (`\u00e9`, `%C3`, `&lt;`) are passed over at once. */
function mayBePlain(text: string, end: number, lead: string): boolean {
  const next = text.charAt(end);
  if (lead === "\\u") return /^(?:0?0?[\\%&]|00[2-7])/.test(text.slice(end, end + 3));
  if (lead !== "&") return /[2-7%&\\u]/.test(next);
  return /[#\\%]/.test(next) || (next === "a" && /^amp;[#&\\%]/.test(text.slice(end, end + 5)));
}

/** JSON in JSON doubles backslashes, so an escape can begin 1, 3 or 7 earlier, or where the run of them begins. */
function startsOfEscape(text: string, position: number): readonly number[] {
  if (text.charCodeAt(position) !== 0x5c || text.charCodeAt(position - 1) !== 0x5c) return [position];
  let run = position;
  while (run > position - 63 && text.charCodeAt(run - 1) === 0x5c) run--;
  return [...new Set([position, position - 1, position - 3, position - 7, run])].filter(
    (start) => start >= run,
  );
}

function visitEscape(
  text: string,
  view: View,
  start: number,
  index: CharacterIndex,
  visit: AnchorVisitor,
): void {
  const symbols = readSymbols(view, start);
  for (let at = 2; at < symbols.length; at += 2) {
    const candidates = index.get(symbols[at] ?? -1);
    if (candidates === undefined) continue;
    const next = readSymbols(view, symbols[at + 1] ?? start);
    for (const [anchor, offset] of candidates) {
      if (standsBefore(text, anchor, offset, start) && goesOn(next, anchor, offset + 1)) {
        visit(anchor, start - offset);
      }
    }
  }
}

/** Whether the anchor's next character can follow: cheap, and seldom so by chance. */
function goesOn(next: readonly number[], anchor: Anchor, offset: number): boolean {
  if (offset === anchor.text.length) return true;
  return codesOf(anchor, offset).some((code) => next.includes(code));
}

function standsBefore(text: string, anchor: Anchor, offset: number, end: number): boolean {
  if (offset === 0) return true;
  if (!anchor.anyCase && text.charCodeAt(end - 1) !== anchor.text.charCodeAt(offset - 1)) return false;
  const stretch = text.slice(end - offset, end);
  const wanted = anchor.text.slice(0, offset);
  return (anchor.anyCase ? stretch.toLowerCase() : stretch) === wanted;
}
