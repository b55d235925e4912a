/** Finds every stretch of a text that gives away one of the secrets. */

import type { Anchor } from "./anchor.js";
import { createScanner } from "./create-scanner.js";
import { hasBoundaries } from "./judge-boundaries.js";
import { matchNeedle } from "./match-needle.js";
import type { Needle } from "./needle.js";
import { openSymbolView } from "./open-symbol-view.js";
import { openTextView } from "./open-text-view.js";
import { indexCharacters, scanEscapes } from "./scan-escapes.js";
import type { Interval, View } from "./view.js";
import { readAsWindows1252 } from "./windows-1252.js";

/** A needle with the anchors it is found by. */
export interface CompiledNeedle {
  readonly needle: Needle;
  readonly anchors: readonly Anchor[];
}

/** The matches in no order; they may overlap. */
export type MatchFinder = (text: string) => Interval[];

export function createMatchFinder(compiled: readonly CompiledNeedle[]): MatchFinder {
  const anchors = compiled.flatMap((entry) => entry.anchors);
  const scan = createScanner(anchors);
  const characters = indexCharacters(anchors);
  // Without letters and digits a needle has no anchor of its own: it is tried wherever its first character may stand.
  const bare = compiled
    .filter((entry) => !entry.anchors.some((anchor) => anchor.layers.length === 0))
    .map(({ needle }) => ({ needle, beginnings: listBeginnings(needle) }));

  return (text) => {
    const view = openTextView(text);
    const matches: Interval[] = [];
    const visit = (anchor: Anchor, position: number): void => {
      const match = verify(text, view, anchor, position);
      if (match !== undefined) matches.push(match);
    };
    scan(text, visit);
    scanEscapes(text, view, characters, visit);
    for (const { needle, beginnings } of bare) scanBare(text, view, needle, beginnings, matches);
    return matches;
  };
}

function verify(text: string, view: View, anchor: Anchor, position: number): Interval | undefined {
  const [outer, ...inner] = anchor.layers;
  if (outer === undefined) return judge(view, position, anchor.needle, anchor.index, text);
  let current = openSymbolView(view, position, outer.firstSymbol, outer.bits);
  let start = outer.firstByte;
  for (const layer of inner) {
    current = openSymbolView(current, start, layer.firstSymbol, layer.bits);
    start = layer.firstByte;
  }
  return judge(current, start, anchor.needle, anchor.index);
}

function judge(
  view: View,
  start: number,
  needle: Needle,
  index: number,
  text?: string,
): Interval | undefined {
  const match = matchPlainly(text, start, needle, index) ?? matchNeedle(view, start, needle, index);
  if (match === undefined || !hasBoundaries(view, match, needle)) return undefined;
  return view.span(match.from, match.to);
}

/** The common case, compared natively. A needle with a character beyond ASCII before the anchor takes the other way. */
function matchPlainly(
  text: string | undefined,
  start: number,
  needle: Needle,
  index: number,
): Interval | undefined {
  const from = start - index;
  if (text === undefined || needle.text.length !== needle.codePoints.length) return undefined;
  return text.startsWith(needle.text, from) && from >= 0
    ? { from, to: from + needle.text.length }
    : undefined;
}

/** What the first character of a needle can begin with: itself, an escape, or the first byte of its UTF-8. */
function listBeginnings(needle: Needle): readonly string[] {
  const first = String.fromCodePoint(needle.codePoints[0] ?? 0);
  const byte = Buffer.from(first, "utf8").subarray(0, 1);
  const misread = [byte.toString("latin1"), readAsWindows1252(byte)];
  return [...new Set([first, "\\", "%", "&", "=", ...(first === " " ? ["+"] : []), ...misread])];
}

function scanBare(
  text: string,
  view: View,
  needle: Needle,
  beginnings: readonly string[],
  matches: Interval[],
): void {
  for (const beginning of beginnings) {
    for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
      const match = judge(view, at, needle, 0);
      if (match !== undefined) matches.push(match);
    }
  }
}
