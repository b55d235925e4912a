/** Parses the list syntax of headers (RFC 9651, and looser ones in use), and the counts in it. */

export interface ListMember {
  /** The member as written, such as `"daily";q=100;w=60`. */
  readonly text: string;
  /** The part before the first `;`, without quotes. */
  readonly item: string;
  /** `key=value` parts after a `;`, keys in lower case, values without quotes. A bare `key` has the value `""`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** More than any API sends; a longer header is truncated here. */
const maxMembers = 64;
const maxLineLength = 8_192;

/** The text between two commas or semicolons outside of quotes; quotes may be left open. */
const betweenCommas = /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,"])+/g;
const betweenSemicolons = /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^;"])+/g;

/** The lines of a header, whether it came once or several times. */
export function listLines(value: string | readonly string[]): string[] {
  return [value].flat().map((line) => line.slice(0, maxLineLength).trim());
}

/** The members of a list header; repeated lines are one list (RFC 9110 section 5.3). */
export function parseListField(value: string | readonly string[]): ListMember[] {
  return listLines(value)
    .flatMap((line) => line.match(betweenCommas) ?? [])
    .map((member) => member.trim())
    .filter((member) => member !== "")
    .slice(0, maxMembers)
    .map(parseMember);
}

function parseMember(text: string): ListMember {
  const [item = "", ...rest] = text.match(betweenSemicolons) ?? [];
  // Turned around, the first of equal keys is the one that stays.
  return { text, item: unquote(item), parameters: new Map(rest.map(parsePair).reverse()) };
}

/** `key=value` as its two parts, the key in lower case and the value without quotes; without `=` the value is `""`. */
export function parsePair(text: string): readonly [key: string, value: string] {
  const [key = "", ...value] = text.split("=");
  return [key.trim().toLowerCase(), unquote(value.join("="))];
}

function unquote(text: string): string {
  const trimmed = text.trim();
  return /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1).replace(/\\(.)/g, "$1") : trimmed;
}

/**
 * Reads a count such as `60` or `586.0` (Reddit counts in floats). Fifteen digits stay exact in a double; a longer "count" is not one,
 * nor is the `000` of a grouped `1,000`.
 *
 * @returns a non-negative whole number, rounded down because a part of a request cannot be sent; undefined for
 * anything else (`-1`, `unlimited`, `0x2`, `1e99`, a rate below one such as `0.5`).
 */
export function parseCount(text: string = ""): number | undefined {
  const isCount = /^(?:0(?:\.0{1,15})?|[1-9]\d{0,14}(?:\.\d{1,15})?)$/.test(text.trim());
  return isCount ? Math.floor(Number(text)) : undefined;
}

/** Every item of a list as a count; none when one is not: what the others mean would be a guess (`1,000`). */
export function parseCounts(value: string | readonly string[] = []): number[] {
  const counts = parseListField(value).map(({ item }) => parseCount(item));
  return counts.every((count) => count !== undefined) ? counts : [];
}
