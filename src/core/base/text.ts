/** Text as a reader sees it: truncated without splitting a character, quoted, counted, compared, and spans of time in words. */

import { createHash } from "node:crypto";

/** Marks the end of a text that goes on. */
export const clipMark = "…";

/** The longest beginning of at most `length` UTF-16 units that splits no pair of surrogates, without a mark. */
export function clipAtCharacter(text: string, length: number): string {
  const end = Math.max(0, Math.floor(length));
  const isFirstOfPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isFirstOfPair && end < text.length ? end - 1 : end);
}

/** A text truncated at its last line break, or space, when that loses little. */
export function clipAtLine(text: string, length: number): string {
  const start = clipAtCharacter(text, length);
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
  if (character === " " || !/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character))
    return character;
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

/** The fewest letters inserted, left out, changed or swapped with their neighbour that make one string the other. */
export function findDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const added = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1;
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : changed;
      current[column] = Math.min(changed, added, swapped);
    }
    [before, previous] = [previous, current];
  }
  return previous[right.length] ?? 0;
}

/** Names are the same if their letters and digits are, in lower case. */
export function foldName(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
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
