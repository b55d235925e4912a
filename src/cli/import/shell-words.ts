/** The words of a command that somebody pasted: as a POSIX shell, bash's `$'…'` and cmd.exe have them, without expanding anything. */

import { invalidInput } from "../../core/base/errors.js";

/** A space, the end of the command, and what a word is made of: `'…'`, `$'…'`, `"…"`, `\` and a character, and what needs no quotes. */
const token =
  /(\s+)|(&&|[|;]|(?<=\s)[>#])|'([^']*)'|\$'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|\\(.?)|([^\s'"\\|;&$]+|\$(?!')|&(?!&))|./gs;

/** Quotes and dashes that a word processor, a chat or a web page writes in place of `"`, `'` and `-`. */
const typographic = /^(?:[\u2018-\u201f\u00ab\u00bb\u2032\u2033]|[\u2010-\u2015\u2212]+\w)/;

/**
 * Splits a command into words; what follows `|`, `;` or `>` belongs to others.
 *
 * @throws ApiSourceError `invalid_input` for a quote that isn't closed, and for typographic quotes and dashes, which no shell reads.
 */
export function splitShell(text: string): string[] {
  const source = isCmd(text) ? readCmd(text) : joinLines(text);
  const words: string[] = [];
  let word: string | undefined;
  for (const [, space, end, single, ansi, double, escaped, plain] of source.matchAll(token)) {
    if (plain !== undefined && word === undefined) checkTypographic(plain);
    const quoted =
      single ??
      double?.replace(/\\(["\\$`])/g, "$1") ??
      ansi?.replace(/\\(?:u([\da-f]{1,4})|x([\da-f]{1,2})|(.))/gis, readEscape);
    const part = quoted ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? "") + part;
    else if (end !== undefined) break;
    else if (space === undefined)
      throw invalidInput(
        "A quote of the command isn't closed.",
        "Paste the whole command, from its first word to its end.",
      );
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (space.includes("\n") && words.length > 1) break;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** A line that goes on ends with `\` in a POSIX shell, and with a backtick in PowerShell. */
function joinLines(text: string): string {
  return text.replace(/[\\`]\r?\n/g, " ");
}

/** @throws ApiSourceError `invalid_input` for a word that begins with a typographic quote or dash outside of quotes. */
export function checkTypographic(word: string): void {
  if (!typographic.test(word)) return;
  throw invalidInput(
    `The command has a typographic quote or dash (${word.charAt(0)}), which a word processor, a chat or a web page wrote in place of ", ' or -.`,
    "Copy the command from its source again, or correct each of them, and paste it.",
  );
}

/** Whether a command is escaped for cmd.exe, as "Copy as cURL (cmd)" of a browser writes it: no other shell has `^"`, `^%^`, or `^` at the end of a line. */
function isCmd(text: string): boolean {
  return /(?:^|\s)\^"|\^%\^|\^\r?\n|\^\\\^"/.test(text);
}

/**
 * Undoes the escapes of cmd.exe: `^` before a character means that character, and before a line break that the line goes on, unless another
 * line break follows, which is one of the text. `""` inside quotes is a quote.
 */
function readCmd(text: string): string {
  return text
    .replace(/\^(\r?\n)(\r?\n)?|\^([\s\S])/g, (_whole, line, second, character = "") => {
      if (line === undefined) return character;
      return second === undefined ? " " : "\n";
    })
    .replace(/(?<=[^\s\\"])""(?=[^\s"])|(?<=[[{:,])""(?=[^\s"])/g, '\\"');
}

function readEscape(_whole: string, unit?: string, byte?: string, character: string = ""): string {
  const code = unit ?? byte;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return { n: "\n", r: "\r", t: "\t" }[character] ?? character;
}
