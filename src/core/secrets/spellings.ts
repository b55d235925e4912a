/** The spellings that a text may have of the same characters: those of JSON, of URLs, of CSV and of markup. */

import { type Interval, mergeIntervals } from "./intervals.js";

/** A way to spell characters, and what shows that a text may have it. */
export interface Spelling {
  readonly pattern: RegExp;
  /** A text that has it has all of these: a search for one character is many times faster than a pattern. */
  readonly signs: readonly string[];
  /** Matches such a text, where the signs alone are frequent. */
  readonly confirm?: RegExp;
}

/** The names of the ASCII signs in HTML; XML 1.0 has five of these (section 4.6). */
const references = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["excl", "!"],
  ["num", "#"],
  ["dollar", "$"],
  ["percnt", "%"],
  ["lpar", "("],
  ["rpar", ")"],
  ["ast", "*"],
  ["plus", "+"],
  ["comma", ","],
  ["period", "."],
  ["sol", "/"],
  ["colon", ":"],
  ["semi", ";"],
  ["equals", "="],
  ["quest", "?"],
  ["commat", "@"],
  ["lsqb", "["],
  ["bsol", "\\"],
  ["rsqb", "]"],
  ["hat", "^"],
  ["lowbar", "_"],
  ["grave", "`"],
  ["lcub", "{"],
  ["verbar", "|"],
  ["rcub", "}"],
]);

/** A character as a string of JSON (RFC 8259, section 7) may spell it, and percent-encoded UTF-8 (RFC 3986, section 2.1). */
const inJson = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi;
const inUrl = /%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f])+)/gi;
const inEither = new RegExp(`${inJson.source}|${inUrl.source}`, "gi");
/** A quote in a value of CSV (RFC 4180, section 2). */
const inCsv = /""/g;
/** A browser needs no semicolon after a number, which may begin with zeros (WHATWG HTML, section 13.2.5.80). */
const reference = `&(?:(?:${[...references.keys()].join("|")});|#0{0,99}\\d{1,8};?|#x0{0,99}[0-9a-f]{1,8};?)`;
const inMarkup = new RegExp(reference, "gi");

const markup: Spelling = { pattern: inMarkup, signs: ["&"], confirm: new RegExp(reference, "i") };

/**
 * UTF-16 and UTF-32 spell an ASCII character with zero bytes beside it, which stay where they are read as another charset. A bounded number:
 * V8 compiles patterns without optimization in a process that has many, and an unbounded one then runs out of stack on ten million zeros.
 */
const zeros: Spelling = { pattern: /\0{1,1024}/g, signs: ["\0"] };

/** JSON and URLs may contain these characters of a secret as they are: only an unusual escape spells one. */
const usualText = /^[\w .~+/=:;,@-]*$/;
const usualEscape = /\\u00(?:00|[2-7])|\\\/|%[2-7][0-9a-f]/i;

const ofUsualTexts: readonly Spelling[] = [
  { pattern: inEither, signs: ["\\"], confirm: usualEscape },
  { pattern: inUrl, signs: ["%"], confirm: usualEscape },
  markup,
  zeros,
];

/** A secret with `%41`, a backslash or a quote in it may be spelled in one of them alone. */
const ofAnyTexts: readonly Spelling[] = [
  { pattern: inJson, signs: ["\\"] },
  { pattern: inUrl, signs: ["%"] },
  { pattern: inEither, signs: ["\\", "%"] },
  { pattern: inCsv, signs: ['""'] },
  markup,
  zeros,
];

/** The spellings that may hide one of these texts. */
export function listSpellings(texts: readonly string[]): readonly Spelling[] {
  return texts.every((text) => usualText.test(text)) ? ofUsualTexts : ofAnyTexts;
}

/** Searches a text with a spelling undone. @returns the stretches of the text as it is. */
export function findUndone(
  { pattern }: Spelling,
  text: string,
  find: (text: string) => readonly Interval[],
): readonly Interval[] {
  const plain = undo(pattern, text);
  const found = plain === text ? [] : mergeIntervals(find(plain));
  if (found.length === 0) return [];
  const spellings = text.matchAll(pattern);
  let next = spellings.next();
  let shift = 0;
  // How much longer the text is before a place than what it spells.
  const locate = (place: number): number => {
    for (; next.done !== true; next = spellings.next()) {
      const [whole] = next.value;
      const { length } = readSpelling(whole);
      if (next.value.index - shift + length > place) break;
      shift += whole.length - length;
    }
    return place + shift;
  };
  return found.map(({ from, to }) => ({ from: locate(from), to: locate(to) }));
}

/** Pieces that are joined at once: `replace` holds all of them, and millions take the collector a second. */
const mostPieces = 1_024;

/** The text with each spelling read; the same one without a spelling. */
function undo(pattern: RegExp, text: string): string {
  let plain = "";
  let pieces: string[] = [];
  let read = 0;
  for (const { 0: whole, index } of text.matchAll(pattern)) {
    if (index > read) pieces.push(text.slice(read, index));
    pieces.push(readSpelling(whole));
    read = index + whole.length;
    if (pieces.length < mostPieces) continue;
    plain += pieces.join("");
    pieces = [];
  }
  return read === 0 ? text : plain + pieces.join("") + text.slice(read);
}

const shortEscapes = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

function readSpelling(whole: string): string {
  if (whole.startsWith("&")) return readReference(whole);
  if (whole.startsWith("\0")) return "";
  // The usual one: of a body that is all percent-encoded, bytes for each would take seconds.
  if (whole.length === 3)
    return String.fromCharCode(16 * readDigit(whole, 1) + readDigit(whole, 2));
  if (whole.startsWith("%")) return Buffer.from(whole.replaceAll("%", ""), "hex").toString("utf8");
  const second = whole.charAt(1);
  if (whole.length > 2) return String.fromCharCode(Number.parseInt(whole.slice(2), 16));
  return shortEscapes.get(second) ?? second;
}

/** The value of a hexadecimal digit, in either case. */
function readDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 57 ? code - 48 : (code | 32) - 87;
}

const lastCodePoint = 0x10ffff;

function readReference(whole: string): string {
  const name = whole.slice(1).replace(/;$/, "").toLowerCase();
  if (!name.startsWith("#")) return references.get(name) ?? whole;
  const isHexadecimal = name.startsWith("#x");
  const code = Number.parseInt(name.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10);
  return code <= lastCodePoint ? String.fromCodePoint(code) : whole;
}
