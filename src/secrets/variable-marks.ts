/** Variables in the texts of a command line: each is a mark that no other text contains, until the words are quoted. */

import { randomBytes } from "node:crypto";

export class VariableMarks {
  // Who writes a request or an answer cannot guess it.
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
}
