/** Reads `WWW-Authenticate`: which schemes a server asks for and what it says about the refusal (RFC 9110, section 11.6.1). */

export interface Challenge {
  /** As written, such as `Bearer`. */
  readonly scheme: string;
  /** Parameter names in lower case. */
  readonly params: ReadonlyMap<string, string>;
}

const maxChars = 4_000;
const token = /[^\s,="]+/y;
const quoted = /"((?:[^"\\]|\\.)*)"/y;

/** Parses one or several header values; what can't be read is skipped. Never throws. */
export function parseChallenges(header: string | readonly string[] | undefined): Challenge[] {
  const text = (typeof header === "string" ? header : (header ?? []).join(", ")).slice(0, maxChars);
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  let position = 0;
  let isAfterScheme = false;

  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null) position = pattern.lastIndex;
    return match;
  };

  const skipSpace = (): void => {
    while (text[position] === " " || text[position] === "\t") position++;
  };

  const readValue = (): string => {
    skipSpace();
    const inQuotes = read(quoted);
    if (inQuotes !== null) return (inQuotes[1] ?? "").replace(/\\(.)/g, "$1");
    return read(token)?.[0] ?? "";
  };

  while (position < text.length) {
    const word = read(token)?.[0];
    if (word === undefined) {
      if (text[position] === ",") isAfterScheme = false;
      position++;
      continue;
    }
    skipSpace();
    if (text[position] !== "=") {
      // What follows a scheme without a comma is the token68 of a handshake: `Negotiate oYG2`.
      if (!isAfterScheme) challenges.push({ scheme: word, params: new Map() });
      isAfterScheme = !isAfterScheme;
      continue;
    }
    isAfterScheme = false;
    position++;
    const value = readValue();
    challenges.at(-1)?.params.set(word.toLowerCase(), value);
  }
  return challenges;
}
