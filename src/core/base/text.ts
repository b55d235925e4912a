/** Text as a reader sees it: truncated without splitting a character, quoted, counted, compared, and spans of time in words. */

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
  // A single character longer than the reach: split between its code points.
  return text.slice(0, last > start || start === 0 ? last : backToPair(text, end));
}

/** Whether truncating here cannot split anything: both sides are ASCII, and not a line break's two halves. */
function isPlain(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  const before = end === 0 ? 0 : text.charCodeAt(end - 1);
  return before < 128 && after < 128 && !(before === 13 && after === 10);
}

function backToPair(text: string, end: number): number {
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? Math.max(0, end - 1) : end;
}

/** A text truncated at its last line break, or space, when that loses little. */
export function clipAtLine(text: string, length: number): string {
  const start = clipAtGrapheme(text, length);
  if (start.length === text.length) return start;
  const line = start.lastIndexOf("\n");
  return line >= start.length * 0.85 ? start.slice(0, line + 1) : start;
}

/** Other people's text in a message: white space becomes one space; what is longer than `maxCharacters` is truncated and ends with `…`. */
export function clipText(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).trimEnd()}…`;
}

/**
 * The text in double quotes, truncated at `maxCharacters`, with every control, format, private, surrogate and
 * exotic space character as `\u{…}`: a message is read by terminals, logs and models, and it must not control any of them.
 * Text that may contain a secret must be truncated after its redaction, not here: pass `Number.POSITIVE_INFINITY` for it.
 */
export function quoteText(text: string, maxCharacters: number = 120): string {
  const shown = [...text.slice(0, maxCharacters)].map(showCharacter).join("");
  return text.length > maxCharacters ? `"${shown}…"` : `"${shown}"`;
}

function showCharacter(character: string): string {
  if (character === " " || !/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character)) return character;
  return writeEscape(character);
}

/** `\u{200b}` for the character. */
export function writeEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A line break in a field must not look like another field. */
export function escapeLines(field: string): string {
  return field.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/** Servers write UTF-8 into headers and Node reads them as Latin-1; text that isn't UTF-8 stays as it is. */
export function readLatin1AsUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
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

/**
 * The fewest letters inserted, left out, changed or swapped with their neighbour that make one string the other.
 *
 * @param most - Beyond this distance the strings are only known to be farther apart, which costs less to find. @default no limit
 */
export function findDistance(left: string, right: string, most: number = Number.POSITIVE_INFINITY): number {
  const width = right.length + 1;
  const apart = Math.abs(left.length - right.length);
  if (apart > most) return apart;
  const band = Math.floor(most);
  let before = new Uint32Array(width + 1);
  let previous = Uint32Array.from({ length: width + 1 }, (_, column) => column);
  let current = new Uint32Array(width + 1);
  for (let row = 1; row <= left.length; row += 1) {
    const letter = left.charCodeAt(row - 1);
    // Farther from the diagonal than `most`, a distance is greater.
    const from = Math.max(1, row - band);
    const to = Math.min(width - 1, row + band);
    let nearest = row;
    current[from - 1] = row;
    for (let column = from; column <= to; column += 1) {
      const other = right.charCodeAt(column - 1);
      const changed = (previous[column - 1] ?? 0) + (letter === other ? 0 : 1);
      let least = Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwapped = row > 1 && column > 1 && letter === right.charCodeAt(column - 2);
      if (isSwapped && left.charCodeAt(row - 2) === other)
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current[column] = least;
      if (least < nearest) nearest = least;
    }
    current[to + 1] = row + band;
    // A swap looks two rows back.
    if (nearest > most + 1) return nearest;
    [before, previous, current] = [previous, current, before];
  }
  return previous[width - 1] ?? 0;
}

/** The one of `names` that is surely intended: other case or punctuation, or one or two letters wrong; undefined for none. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string): string =>
    text
      .slice(0, 60)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  const wanted = plain(name);
  const ranked = names.map((key) => ({ key, distance: findDistance(wanted, plain(key)) }));
  const best = ranked.sort((one, other) => one.distance - other.distance)[0];
  return best !== undefined && best.distance <= Math.min(2, wanted.length / 3) ? best.key : undefined;
}

/** The text without this character at its end, in linear time, which no expression that looks for the end has. */
export function dropEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** The text of percent-escapes; undefined where one of them is not UTF-8. */
export function decodeStrictly(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return undefined;
  }
}

/** The text of percent-escapes; where one of them is not UTF-8, all of it as it is. */
export function decodePercent(text: string): string {
  return decodeStrictly(text) ?? text;
}

/** The same name of 32 hexadecimal digits for the same text: a key for a text that must not be a key itself. */
export function hashText(text: string): string {
  return createHash("sha256").update(text.toWellFormed()).digest("hex").slice(0, 32);
}
