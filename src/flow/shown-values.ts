/** Which values of an answer identify somebody or something: long texts, ids and numbers; not dates, states, or what every row has. */

import { ExactNumber, isJsonContainer, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { clipMark, clipText, dropEnd } from "../text.js";
import type { FlowValue } from "./flow.js";
import { createHashOf, type Fragment, fold, listFragments, listNumbers, shortestText } from "./fold.js";

/** A fragment, and the place and kind of the value it is of. */
export interface ShownFragment extends Fragment, Pick<FlowValue, "field" | "kind"> {}

const shortestValue = 12;
const mostRows = 5;
/** An answer for code may have millions of values, or a text of many megabytes: the rest of it is not listed. */
const maxFragments = 200_000;
const maxCharacters = 500_000;
const maxFieldCharacters = 80;

const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const date = String.raw`(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}[-/. ](?:\d{1,2}|${month})[-/. ]\d{4}|${month} \d{1,2},? \d{4}|\d{8}(?=T))`;
const time = String.raw`\d{1,2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]m)?`;
const timestamp = new RegExp(
  `^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?${date}(?:(?:T|,? (?:at )?)${time} ?(?:Z|[a-z]{2,5}|[+-]\\d{2}:?\\d{2})?)?(?:\\[[\\w/]+\\])?$`,
  "i",
);
/** `20261122`, also with a time. */
const compactDate = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d(?:[0-5]\d){1,2})?$/;
/** The last word of the name of a member that holds a time. */
const timeWords = new Set(
  "at on date time timestamp ts stamp exp expires since until created updated modified".split(" "),
);
/** From 2001 to 2065, in seconds, milliseconds, microseconds or nanoseconds. */
const epoch = /^[12]\d{9}(?:\d{3}){0,3}$/;
/** The last word of the name of a member whose values are a few for many rows. */
const stateWords = new Set(
  "state status type kind role category scope mode level priority severity stage phase currency locale timezone department team division position job jobtitle country nationality city language gender".split(
    " ",
  ),
);
const words = /^\p{L}{1,30}(?:[ _-]\p{L}{1,30}){0,3}$/u;
/** Inside a text: what has an at sign or four digits, an IBAN, and digits in groups. */
const tokens = [
  /[\p{L}\p{N}][\p{L}\p{N}._%+@:/#-]{6,200}[\p{L}\p{N}]/gu,
  /\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,4})?\b/g,
  /\b\d{3,6}(?:[ -]\d{3,6}){2,6}\b/g,
];

interface Value {
  readonly field: string;
  /** The last name on the way to it. */
  readonly name: string;
  readonly text: string;
  readonly isNumber?: boolean;
}

export interface Shown {
  /** Each once. */
  readonly fragments: readonly ShownFragment[];
  /** False where there are too many to list. */
  readonly isWhole: boolean;
}

/** Lists the fragments of some documents. @param thread - Whose hashes they are. */
export function listShown(documents: readonly JsonValue[], thread: string): Shown {
  const rows = new Map<string, { readonly kind: FlowValue["kind"]; readonly field: string; count: number }>();
  let isWhole = true;
  for (const value of walk(documents)) {
    isWhole &&= value.text.length <= maxCharacters && rows.size <= maxFragments;
    if (!isWhole) break;
    for (const [kind, text] of readValue(value)) {
      const key = kind === "number" ? `#${text}` : text;
      const known = rows.get(key);
      if (known === undefined) rows.set(key, { kind, field: value.field, count: 1 });
      else known.count += 1;
    }
  }
  const hash = createHashOf(thread);
  const found: ShownFragment[] = [];
  for (const [key, { kind, field, count }] of rows) {
    if (count > mostRows) continue;
    const fragments =
      kind === "number" ? [{ anchor: 0, length: 0, hash: hash(key) }] : listFragments(key, hash);
    for (const fragment of fragments) found.push({ ...fragment, kind, field });
    if (found.length > maxFragments) break;
  }
  return { fragments: found, isWhole: isWhole && found.length <= maxFragments };
}

/** Every scalar of some trees, and every name in them that looks like data. Any depth. */
function* walk(documents: readonly JsonValue[]): Generator<Value> {
  const open = documents.map((value) => ({ value, field: "", name: "" }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, field, name } = next;
    if (Array.isArray(value)) {
      for (const item of value) open.push({ value: item, field: `${field}[]`, name });
    } else if (isJsonContainer(value)) {
      for (const [key, item] of Object.entries(value as JsonObject)) {
        const isData = isDataName(key);
        const place = clipText(`${field}${field === "" ? "" : "."}${isData ? "*" : key}`, maxFieldCharacters);
        if (isData) yield { field: `${place} (name)`, name: "", text: key };
        open.push({ value: item, field: place, name: isData ? "" : key });
      }
    } else if (typeof value === "string") {
      yield { field: field || "body", name, text: dropEnd(value, clipMark) };
    } else if (typeof value === "number" || value instanceof ExactNumber) {
      yield { field: field || "body", name, text: String(value), isNumber: true };
    }
  }
}

/** A name such as an address or a number of an account is a value, and is not shown in a question. */
function isDataName(name: string): boolean {
  return /@|\d(?:\D?\d){3}/.test(name) || name.length > 60 || !/^[\p{L}\p{N}_$@:. -]*$/u.test(name);
}

type Reading = readonly [kind: "text" | "id" | "number", text: string];

function readValue({ field: _field, name, text, isNumber }: Value): Reading[] {
  const trimmed = text.trim();
  if (timestamp.test(trimmed)) return [];
  if (isNumber === true || /^\d+$/.test(trimmed)) {
    if (epoch.test(trimmed) && timeWords.has(readLastWord(name))) return [];
    // A longer one is also found with other separators in it.
    const long: Reading[] = !isNumber && trimmed.length >= shortestValue ? [["id", fold(trimmed)]] : [];
    return [...long, ...readNumbers(trimmed)];
  }
  if (words.test(trimmed) && stateWords.has(readLastWord(name))) return [];
  const folded = fold(trimmed);
  const isLong = trimmed.length >= shortestValue && folded.length >= shortestText;
  const whole: Reading[] =
    isLong || isId(trimmed, folded) ? [[isId(trimmed, folded) ? "id" : "text", folded]] : [];
  return /[\s,;|\t]/.test(trimmed) || folded.length > 40 ? [...whole, ...readInside(trimmed)] : whole;
}

/** Of `createdAt`, `created_at` and `Created at` the `at`; a job's title is one word. */
function readLastWord(name: string): string {
  const last =
    name
      .replace(/job[_ ]?title$/i, "jobtitle")
      .split(/[_.\- ]|(?<=[a-z])(?=[A-Z])/)
      .at(-1) ?? "";
  return last.toLowerCase();
}

/** Without a space, of eight and more characters, three of them digits. */
function isId(text: string, folded: string): boolean {
  return !/\s/.test(text) && folded.length >= shortestText && folded.replace(/\D/g, "").length >= 3;
}

function readNumbers(text: string): Reading[] {
  return listNumbers(text)
    .filter((number) => !compactDate.test(number))
    .map((number) => ["number", number]);
}

/** The cells of a table, and the ids, addresses and numbers in any text. */
function readInside(text: string): Reading[] {
  const found = readNumbers(text);
  for (const token of tokens.flatMap((each) => text.match(each) ?? [])) {
    const folded = fold(token);
    const isIdentity = /@|\d(?:\D{0,3}\d){3}/.test(token) && folded.length >= shortestText;
    if (isIdentity && !timestamp.test(token)) found.push(["id", folded]);
  }
  for (const cell of readCells(text)) found.push(...readValue({ field: "", name: "", text: cell }));
  return found;
}

/** The cells of a text whose first two lines have the same number of one delimiter; none of another one. */
function readCells(text: string): string[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  const [first = "", second = ""] = lines;
  if (lines.length < 2) return [];
  const count = (line: string, sign: string): number => line.split(sign).length;
  const sign = ["\t", ";", "|", ","].find(
    (each) => count(first, each) > 1 && count(first, each) === count(second, each),
  );
  if (sign === undefined) return [];
  return lines.flatMap((line) => line.split(sign)).map((cell) => cell.replace(/^[\s"]+|[\s"]+$/g, ""));
}
