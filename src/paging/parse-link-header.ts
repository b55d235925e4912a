/** Reads the `Link` header (RFC 8288, section 3). */

export interface Link {
  /** As written: absolute or relative. */
  readonly target: string;
  /** Relation types in lower case. */
  readonly rel: readonly string[];
  /** The other parameters; names in lower case. The first of a name counts (section 3, point 3). */
  readonly params: ReadonlyMap<string, string>;
}

const maxChars = 32_000;
const nameToken = /[^\s;,="<>]+/y;
const quotedString = /"((?:[^"\\]|\\.)*)"/y;

/** Parses one or several header values; what can't be read ends the list. Never throws. */
export function parseLinkHeader(header: string | readonly string[] | undefined): Link[] {
  const text = (typeof header === "string" ? header : (header ?? []).join(", ")).slice(0, maxChars);
  const links: Link[] = [];
  let position = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found !== null) position = pattern.lastIndex;
    return found;
  };
  const skip = (characters: string): void => {
    while (position < text.length && characters.includes(text.charAt(position))) position++;
  };
  const readValue = (): string => {
    skip(" \t");
    const quoted = match(quotedString);
    if (quoted !== null) return (quoted[1] ?? "").replace(/\\(.)/g, "$1");
    return match(nameToken)?.[0] ?? "";
  };
  const readParams = (): Map<string, string> => {
    const params = new Map<string, string>();
    for (skip(" \t"); text[position] === ";"; skip(" \t")) {
      skip("; \t");
      const name = match(nameToken)?.[0]?.toLowerCase();
      skip(" \t");
      if (text[position] !== "=") continue;
      position++;
      const value = readValue();
      if (name !== undefined && !params.has(name)) params.set(name, value);
    }
    return params;
  };

  for (skip(" \t,"); text[position] === "<"; skip(" \t,")) {
    const end = text.indexOf(">", position);
    if (end < 0) break;
    const target = text.slice(position + 1, end).trim();
    position = end + 1;
    const params = readParams();
    const rel = (params.get("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    links.push({ target, rel, params });
  }
  return links;
}
