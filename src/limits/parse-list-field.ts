/** Knows the list syntax of headers (RFC 9651 lists, and the looser ones in use): members, and parameters after `;`. */

export interface ListMember {
  /** The member as written, such as `"daily";q=100;w=60`. */
  readonly text: string;
  /** What stands before the first `;`, without quotes. */
  readonly item: string;
  /** `key=value` parts after a `;`, keys in lower case, values without quotes. A bare `key` has the value `""`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** More than any API sends; a longer header is cut off here. */
const maxMembers = 64;
const maxLineLength = 8_192;

/** The lines of a header, whether it came once or several times. */
export function toLines(value: string | readonly string[]): string[] {
  const lines = typeof value === "string" ? [value] : value;
  return lines.filter((line) => typeof line === "string").map((line) => line.slice(0, maxLineLength).trim());
}

/** The members of a list header; repeated lines are one list (RFC 9110 section 5.3). */
export function parseListField(value: string | readonly string[]): ListMember[] {
  return toLines(value)
    .flatMap((line) => splitOutsideQuotes(line, ","))
    .filter((text) => text !== "")
    .slice(0, maxMembers)
    .map(parseMember);
}

function parseMember(text: string): ListMember {
  const [item = "", ...rest] = splitOutsideQuotes(text, ";");
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [key, value] = splitPair(parameter);
    if (key !== "" && !parameters.has(key)) parameters.set(key, value);
  }
  return { text, item: unquote(item), parameters };
}

/** `key=value` as its two parts, the key in lower case and the value without quotes; without `=` the value is `""`. */
export function splitPair(text: string): readonly [key: string, value: string] {
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
