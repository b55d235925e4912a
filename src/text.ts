/** Text as a reader sees it: cut without splitting a character, quoted, counted, how far from another, and spans of time in words. */

import { createHash } from "node:crypto";

/** Marks the end of a text that goes on. */
export const clipMark = "…";
/** Longest run of code units looked through for the end of a character (flags, families, stacked accents). */
const reach = 64;

/** Made at its first use: it takes longer than all the rest of a first answer's view. */
const openSegmenter: () => Intl.Segmenter = (() => {
  let segmenter: Intl.Segmenter | undefined;
  return () => {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
    return segmenter;
  };
})();

/** The longest beginning of at most `length` UTF-16 units that ends at a grapheme, without a mark. */
export function clipAtGrapheme(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.max(0, Math.floor(length));
  if (isPlain(text, end)) return text.slice(0, end);
  const start = Math.max(0, end - reach);
  let last = start;
  for (const { index, segment } of openSegmenter().segment(text.slice(start, end + reach))) {
    if (start + index + segment.length > end) break;
    last = start + index + segment.length;
  }
  // A single character longer than the reach: cut between its code points.
  return text.slice(0, last > start || start === 0 ? last : backToPair(text, end));
}

/** Whether a cut here can't split anything: both sides are ASCII, and not a line break's two halves. */
function isPlain(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  const before = end === 0 ? 0 : text.charCodeAt(end - 1);
  return before < 128 && after < 128 && !(before === 13 && after === 10);
}

function backToPair(text: string, end: number): number {
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? Math.max(0, end - 1) : end;
}

/** A text cut at its last line break, or space, when that loses little. */
export function clipAtLine(text: string, length: number): string {
  const clipped = clipAtGrapheme(text, length);
  if (clipped.length === text.length) return clipped;
  const line = clipped.lastIndexOf("\n");
  return line >= clipped.length * 0.85 ? clipped.slice(0, line + 1) : clipped;
}

/** Other people's text in a message: white space becomes one space; what is longer than `maxCharacters` is cut and ends with `…`. */
export function clipText(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).trimEnd()}…`;
}

/**
 * The text in double quotes, cut at `maxCharacters`, with every control, format, private, surrogate and
 * exotic space character as `\u{…}`: a message is read by terminals, logs and models, and none may be steered by it.
 * What may hold a secret must not be cut here, but after redaction: pass `Number.POSITIVE_INFINITY` for it.
 */
export function quoteText(text: string, maxCharacters: number = 120): string {
  const shown = [...text.slice(0, maxCharacters)].map(showCharacter).join("");
  return text.length > maxCharacters ? `"${shown}…"` : `"${shown}"`;
}

function showCharacter(character: string): string {
  if (character === " " || !/[\p{C}\p{Z}]/u.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** `45 seconds`; from two minutes on also `(about 18 minutes)` or `(about 3 hours)`. */
export function writeDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const exact = whole === 1 ? "1 second" : `${whole} seconds`;
  if (whole < 120) return exact;
  if (whole < 7_200) return `${exact} (about ${Math.round(whole / 60)} minutes)`;
  if (whole < 172_800) return `${exact} (about ${Math.round(whole / 3_600)} hours)`;
  return `${exact} (about ${Math.round(whole / 86_400)} days)`;
}

/** `1 row`, `2 rows`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The fewest letters inserted, left out, changed or swapped with their neighbour that make one string the other. */
export function findDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let least = Math.min(
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped && row > 1 && column > 1) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** The text without this character at its end, in linear time, which no expression that looks for the end has. */
export function dropEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** The same name of 32 hexadecimal digits for the same text: what a text is kept under where it must not stand itself. */
export function hashText(text: string): string {
  return createHash("sha256").update(text.toWellFormed()).digest("hex").slice(0, 32);
}
