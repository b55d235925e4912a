/** Words of a POSIX shell, and the variables in them. */

import { randomBytes } from "node:crypto";

/** Variables in the texts of a command line: each is a mark that no other text contains, until the words are quoted. */
export class VariableMarks {
  // The author of a request or an answer cannot guess it.
  readonly #id = randomBytes(8).toString("hex");
  readonly #names: string[] = [];

  /** @returns lower-case letters and digits, which stay unchanged in a host name, a path, a query and a header. */
  mark(name: string): string {
    // A shell takes no other name (POSIX XBD 8.1).
    const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
    return `zq${this.#id}n${this.#names.push(isName ? name : "CREDENTIAL") - 1}z`;
  }

  /** Every second part is the name of a variable. */
  split(text: string): string[] {
    const parts = text.split(new RegExp(`zq${this.#id}n(\\d+)z`));
    return parts.map((part, index) => (index % 2 === 0 ? part : (this.#names[Number(part)] ?? "")));
  }

  /** A text for a reader: `${NAME}` for each variable. */
  show(text: string): string {
    const parts = this.split(text);
    return parts.map((part, index) => (index % 2 === 0 ? part : `\${${part}}`)).join("");
  }
}

/**
 * One word of a POSIX shell (XCU 2.2): in double quotes where a variable is in it and nothing else is special there, else in single quotes that
 * keep everything but themselves. NUL is dropped: no argument can contain it.
 *
 * @param marks - The variables in it. Without them all of it is text.
 */
export function quoteWord(word: string, marks?: VariableMarks): string {
  const text = word.replaceAll("\0", "");
  const parts = marks?.split(text) ?? [text];
  // zsh reads a word that begins with `=` as the path of a program.
  if (parts.length === 1 && /^(?!=)[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (parts.length > 1 && parts.every((part) => !/["$`\\!\p{Cc}]/u.test(part))) {
    const written = parts.map((part, index) => {
      if (index % 2 === 0) return part;
      return /^[A-Za-z0-9_]/.test(parts[index + 1] ?? "") ? `\${${part}}` : `$${part}`;
    });
    return `"${written.join("")}"`;
  }
  const quoted = parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : quoteText(part)));
  return quoted.join("") || "''";
}

/** A line that is pasted is typed: Ctrl-C among its characters would end it, and what follows would be a command of its own. */
function quoteText(text: string): string {
  const parts = text.split(/([^\P{Cc}\n]+)/u);
  const quoted = parts.map((part, index) => {
    const codes = [...Buffer.from(part)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
    if (index % 2 === 1) return `"$(printf '${codes.join("")}')"`;
    return part === "" ? "" : `'${part.replaceAll("'", `'\\''`)}'`;
  });
  return quoted.join("");
}
