/** Knows the list syntax of headers (RFC 9651, and looser ones in use), and the counts that stand in it. */

export interface ListMember {
  /** The member as written, such as `"daily";q=100;w=60`. */
  readonly text: string;
  /** What stands before the first `;`, without quotes. */
  readonly item: string;
  /** `key=value` parts after a `;`, keys in lower case, values without quotes. A bare `key` has the value `""`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** More than any API sends; a longer header is clipped here. */
const maxMembers = 64;
const maxLineLength = 8_192;

/** The lines of a header, whether it came once or several times. */
export function listLines(value: string | readonly string[]): string[] {
  const lines = typeof value === "string" ? [value] : value;
  return lines.filter((line) => typeof line === "string").map((line) => line.slice(0, maxLineLength).trim());
}

/** The members of a list header; repeated lines are one list (RFC 9110 section 5.3). */
export function parseListField(value: string | readonly string[]): ListMember[] {
  return listLines(value)
    .flatMap((line) => splitOutsideQuotes(line, ","))
    .filter((text) => text !== "")
    .slice(0, maxMembers)
    .map(parseMember);
}

function parseMember(text: string): ListMember {
  const [item = "", ...rest] = splitOutsideQuotes(text, ";");
  // Turned around, the first of equal keys is the one that stays.
  return { text, item: unquote(item), parameters: new Map(rest.map(parsePair).reverse()) };
}

/** `key=value` as its two parts, the key in lower case and the value without quotes; without `=` the value is `""`. */
export function parsePair(text: string): readonly [key: string, value: string] {
  const equals = text.indexOf("=");
  if (equals < 0) return [text.trim().toLowerCase(), ""];
  return [text.slice(0, equals).trim().toLowerCase(), unquote(text.slice(equals + 1).trim())];
}

function splitOutsideQuotes(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isQuoted && character === "\\") index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

/** Fifteen digits stay exact in a double; a longer "count" is not one, nor is the `000` of a grouped `1,000`. */
const countPattern = /^(0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/**
 * Reads a count such as `60` or `586.0` (Reddit counts in floats).
 *
 * @returns a non-negative whole number, rounded down because part of a request is no request; undefined for
 * anything else (`-1`, `unlimited`, `0x2`, `1e99`, a rate below one such as `0.5`).
 */
export function parseCount(text: string | undefined): number | undefined {
  const digits = countPattern.exec(text?.trim() ?? "")?.[1];
  if (digits === undefined) return undefined;
  const isRateBelowOne = Number(digits) === 0 && Number(text) !== 0;
  return isRateBelowOne ? undefined : Number(digits);
}

/** Every item of a list as a count; none when one is not: what the others mean would be a guess (`1,000`). */
export function parseCounts(value: string | readonly string[] = []): number[] {
  const items = parseListField(value);
  const counts = items.flatMap(({ item }) => parseCount(item) ?? []);
  return counts.length === items.length ? counts : [];
}
