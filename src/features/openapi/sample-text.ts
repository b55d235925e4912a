/** Texts and numbers that fit what a schema asks of a scalar, where that is simple: format, pattern, length, range. */

import type { Plain } from "./api-document.js";

const formats: ReadonlyMap<unknown, string> = new Map([
  ["date", "2026-01-31"],
  ["date-time", "2026-01-31T12:00:00Z"],
  ["time", "12:00:00Z"],
  ["duration", "P1D"],
  ["uuid", "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
  ["email", "someone@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com"],
  ["url", "https://example.com"],
  ["byte", "dGV4dA=="],
]);

/** No text of an example is longer. */
const maxCharacters = 300;

/** @param preset - The text for a schema that asks for nothing. */
export function makeText(schema: Plain, preset: string): string {
  const { format, pattern, minLength, maxLength } = schema;
  const least = Math.min(toNumber(minLength) ?? 0, maxCharacters);
  const most = toNumber(maxLength) ?? maxCharacters;
  const made = typeof pattern === "string" ? makeByPattern(pattern, least, most) : undefined;
  const text = made ?? formats.get(format) ?? preset;
  return text.slice(0, Math.max(0, most)).padEnd(least, text === "" ? "a" : text);
}

export function makeNumber(schema: Plain, isWhole: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = toNumber(multipleOf) ?? 1;
  const least = findBound(minimum, exclusiveMinimum, isWhole ? step : step / 2);
  const most = findBound(maximum, exclusiveMaximum, isWhole ? -step : -step / 2);
  const low = least ?? (most === undefined || most >= 1 ? 1 : most);
  const near = Math.max(low, Math.min(1, most ?? 1));
  const rounded = step > 0 ? Math.ceil(near / step) * step : near;
  const fits = (most === undefined || rounded <= most) && (least === undefined || rounded >= least);
  return fits ? rounded : low;
}

/** OpenAPI 3.0 has `exclusiveMinimum: true` beside `minimum`, OpenAPI 3.1 a number. */
function findBound(inclusive: unknown, exclusive: unknown, step: number): number | undefined {
  const bound = toNumber(inclusive);
  const other = toNumber(exclusive);
  if (other !== undefined) return other + step;
  return bound !== undefined && exclusive === true ? bound + step : bound;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A longer pattern is not read. */
const maxPattern = 300;

/**
 * A text for a regular expression of literals, classes, groups and counts. The expression itself is never run: it is the document's, and may take for
 * ever.
 *
 * @returns undefined for an expression with anything else, such as a look-ahead
 */
function makeByPattern(pattern: string, least: number, most: number): string | undefined {
  if (pattern.length > maxPattern) return undefined;
  const reader: PatternReader = { pattern, at: 0, left: maxCharacters };
  const pieces = readAlternatives(reader);
  if (pieces === undefined || reader.at < pattern.length) return undefined;
  const shortest = pieces.reduce((sum, { least: count }) => sum + count, 0);
  let missing = Math.max(0, Math.min(least, most) - shortest);
  const counted = pieces.map(({ text, least: count, most: limit }) => {
    const more = Math.min(missing, limit - count);
    missing -= more;
    return text.repeat(count + more);
  });
  return counted.join("");
}

interface PatternReader {
  readonly pattern: string;
  at: number;
  /** How many characters may be made. */
  left: number;
}

/** A text that occurs so many times. */
interface PatternPiece {
  readonly text: string;
  readonly least: number;
  readonly most: number;
}

/** The pieces of the first alternative; the others are passed over. */
function readAlternatives(reader: PatternReader): PatternPiece[] | undefined {
  let first: PatternPiece[] | undefined;
  do {
    if (first !== undefined) reader.at += 1;
    const pieces = readSequence(reader);
    if (pieces === undefined) return undefined;
    first ??= pieces;
  } while (reader.pattern[reader.at] === "|");
  return first;
}

function readSequence(reader: PatternReader): PatternPiece[] | undefined {
  const pieces: PatternPiece[] = [];
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern[reader.at] ?? "")) {
    const text = readAtom(reader);
    if (text === undefined) return undefined;
    const { least, most } = readCount(reader);
    reader.left -= text.length * least;
    if (reader.left < 0) return undefined;
    pieces.push({ text, least, most });
  }
  return pieces;
}

/** One character, a class, or a group; `""` for `^` and `$`. */
function readAtom(reader: PatternReader): string | undefined {
  const { pattern } = reader;
  const character = pattern[reader.at] ?? "";
  reader.at += 1;
  if (character === "^" || character === "$") return "";
  if (character === ".") return "a";
  if (character === "[") return readClass(reader);
  if (character === "\\") return readEscape(reader);
  if (character !== "(") return /[*+?{]/.test(character) ? undefined : character;
  if (pattern.startsWith("?:", reader.at)) reader.at += 2;
  else if (pattern[reader.at] === "?") return undefined;
  const pieces = readAlternatives(reader);
  if (pieces === undefined || pattern[reader.at] !== ")") return undefined;
  reader.at += 1;
  return pieces.map(({ text, least }) => text.repeat(least)).join("");
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["d", "1"],
  ["w", "a"],
  ["s", " "],
  ["D", "a"],
  ["W", "-"],
  ["S", "a"],
  ["b", ""],
]);

function readEscape(reader: PatternReader): string | undefined {
  const character = reader.pattern[reader.at] ?? "";
  reader.at += 1;
  const known = escapes.get(character);
  if (known !== undefined) return known;
  return /[A-Za-z0-9]/.test(character) || character === "" ? undefined : character;
}

/** The first character that a class names; of `[^…]` a common one that it does not name. */
function readClass(reader: PatternReader): string | undefined {
  const { pattern } = reader;
  const end = findClassEnd(pattern, reader.at);
  if (end === -1) return undefined;
  const content = pattern.slice(reader.at, end);
  reader.at = end + 1;
  if (!content.startsWith("^")) {
    if (!content.startsWith("\\")) return content[0];
    return readEscape({ pattern: content, at: 1, left: 1 });
  }
  return ["a", "1", "-", "_", " "].find((character) => !mayName(content, character));
}

function findClassEnd(pattern: string, start: number): number {
  for (let at = start; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === "]" && at > start) return at;
  }
  return -1;
}

/** Whether a class may name a character: as it is, in a range, or by an escape. */
function mayName(content: string, character: string): boolean {
  const isLetter = /[a-z]/.test(character);
  const isDigit = /\d/.test(character);
  if (content.includes("\\w")) return isLetter || isDigit || character === "_";
  if (isLetter) return /a-|[^-]a|^\^a/.test(content);
  if (isDigit) return /\\d|0-|1/.test(content);
  return character === " " ? /\\s| /.test(content) : content.includes(character);
}

/** `{2}`, `{2,5}`, `*`, `+`, `?`; one where there is none. */
function readCount(reader: PatternReader): { readonly least: number; readonly most: number } {
  const rest = reader.pattern.slice(reader.at, reader.at + 20);
  const [whole = "", mark, low, comma, high] =
    /^(?:([*+?])|\{(\d{1,4})(,)?(\d{1,4})?\})\??/.exec(rest) ?? [];
  reader.at += whole.length;
  if (whole === "") return { least: 1, most: 1 };
  if (mark === "?") return { least: 0, most: 1 };
  if (mark !== undefined) return { least: 1, most: maxCharacters };
  const least = Number(low);
  return { least, most: comma === undefined ? least : Number(high ?? maxCharacters) };
}
