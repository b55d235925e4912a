/** Splits a pasted shell command into words, as a POSIX shell and bash's `$'…'` do, without expanding anything. */

import { importError } from "./imported.js";

const ansiEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "",
  b: "",
  f: "",
  v: "",
};

/**
 * The words of the first command: what follows `|`, `;` or `>` belongs to others. Variables stay as they are written.
 *
 * @throws ApiSourceError `invalid_input` for a quote that isn't closed.
 */
export function splitShell(text: string): string[] {
  // A line that goes on ends with `\` in a POSIX shell, with `^` in cmd.exe and with a backtick in PowerShell.
  const source = text.replace(/[\\^`]\r?\n/g, " ");
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    const rest = source.slice(at, at + 2);
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      if (character === "\n" && words.length > 1) break;
    } else if (word === undefined && /[|;>#]|&&/.test(rest === "&&" ? rest : character)) {
      break;
    } else if (character === "'" || character === '"' || rest === "$'") {
      const [value, end] = readQuoted(source, at);
      word = (word ?? "") + value;
      at = end;
    } else if (character === "\\") {
      word = (word ?? "") + source.charAt(at + 1);
      at += 2;
    } else if (/[|;]/.test(character)) {
      break;
    } else {
      word = (word ?? "") + character;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The value between quotes, and the place after them. */
function readQuoted(source: string, start: number): [string, number] {
  const isAnsi = source.charAt(start) === "$";
  const quote = isAnsi ? "'" : source.charAt(start);
  const parts: string[] = [];
  let at = start + (isAnsi ? 2 : 1);
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === quote) return [parts.join(""), at + 1];
    if (character !== "\\" || (quote === "'" && !isAnsi)) {
      parts.push(character);
      at += 1;
    } else if (isAnsi) {
      const code = /^\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(source.slice(at, at + 6));
      const next = source.charAt(at + 1);
      parts.push(
        code === null
          ? (ansiEscapes[next] ?? next)
          : String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16)),
      );
      at += code === null ? 2 : code[0].length;
    } else {
      const next = source.charAt(at + 1);
      // In double quotes a backslash escapes only these.
      parts.push('"\\$`'.includes(next) ? next : `\\${next}`);
      at += 2;
    }
  }
  throw importError(
    "A quote of the curl line isn't closed.",
    "Paste the whole line, from `curl` to its end.",
  );
}
