/**
 * Reads names and values that the agent gave, in each form models write them, into plain pairs, and writes pairs for the wire. Lists and objects are
 * written by the API's document: OpenAPI's `style` and `explode`, Swagger's `collectionFormat`.
 */

import { invalidInput } from "../base/errors.js";
import { ExactNumber, isJsonContainer } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { quoteText } from "../base/text.js";
import type { QueryPair, QueryStyle, QueryStyles, WrittenPair } from "./query-style.js";
import { encodePart, joinRepeated, separators } from "./write-query.js";

const formsHint =
  'Send query as a list such as [{"name":"page","value":"2"}], an object, or a query string.';

/** As own keys these reach for the prototype of whatever a server builds from them. */
const prototypeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The pairs of a query given as `[{name, value}]`, `[["name", "value"]]`, an object of scalars or arrays of
 * scalars (repeated parameters), JSON text of these, or a query string with or without `?`.
 * `undefined`, `null`, `""`, `[]` and `{}` mean that the query is absent; a `null` value omits its parameter.
 *
 * @param styles - How the API takes lists and objects; without one a list repeats its parameter, and an object is refused.
 * @throws ApiSourceError `invalid_input` for nested values (with the flat name to use instead), NaN, integers that
 *   lost digits, functions, lone surrogates, malformed escapes, and empty or `__proto__`-like names
 */
export function parseQuery(value: unknown, styles: QueryStyles = new Map()): WrittenPair[] {
  const text = typeof value === "string" ? value.trim() : "";
  const isQueryString = text !== "" && text !== "null" && !/^[{[]/.test(text);
  const given = isQueryString
    ? parseQueryString(text.replace(/^[?]/, ""))
    : readPairs(value, "query", formsHint);
  const pairs = given.flatMap(([name, item]) => toPairs(name, item, styles.get(name)));
  for (const [name] of pairs) checkName(name);
  return styles.size === 0 ? pairs : joinRepeated(pairs, styles);
}

/**
 * The decoded pairs of a query string; `+` is a space.
 *
 * @throws ApiSourceError `invalid_input` for an escape that isn't UTF-8, a `#`, or a control character
 */
export function parseQueryString(text: string): QueryPair[] {
  if (/[#\p{Cc}]/u.test(text)) {
    throw invalidInput(
      `The query string holds a "#" or a control character: ${quoteText(text)}.`,
      'Percent-encode it: "#" is %23, a line break is %0A.',
    );
  }
  return text
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const equals = part.indexOf("=");
      const name = decodePart(equals === -1 ? part : part.slice(0, equals));
      return [checkName(name), equals === -1 ? "" : decodePart(part.slice(equals + 1))] as const;
    });
}

function decodePart(part: string): string {
  checkWellFormed(part, "The query string");
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw invalidInput(
      `The query string holds a malformed percent escape: ${quoteText(part)}.`,
      'Write a literal "%" as %25, and other characters as percent-encoded UTF-8.',
    );
  }
}

/** Pairs that become one parameter still are a pair for each value. */
export function toPairs(
  name: string,
  given: unknown,
  style: QueryStyle | undefined,
): WrittenPair[] {
  const value = style === undefined || style === "json" ? given : readContainer(given);
  const isList = Array.isArray(value);
  if (!isJsonContainer(value) || (!isList && (style === undefined || style === "repeat")))
    return toPair(name, value);
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (style === "brackets") return listBracketed(name, value, "Query parameter");
  const entries = Object.entries(value);
  const toItem = (item: unknown): WrittenPair[] => markItems(toPair(name, item), style);
  if (isList) return entries.flatMap(([, item]) => toItem(item));
  if (style === "members")
    return entries.flatMap(([key, member]) => [member].flat().flatMap((each) => toPair(key, each)));
  // An object is its keys and values in turn (RFC 6570, section 3.2.8, without the explode modifier).
  return entries.flatMap(([key, item]) => [...toItem(key), ...toItem(item)]);
}

/** A value of a list whose separator is a part of the value itself is written apart from the separators. */
function markItems(pairs: readonly QueryPair[], style: QueryStyle | undefined): WrittenPair[] {
  const separator = separators[style ?? "repeat"];
  return pairs.map(([name, value]) => {
    if (separator === undefined || !value.includes(separator)) return [name, value];
    if (style === "comma") return [name, value, encodePart(value).replaceAll(",", "%2C")];
    throw invalidInput(
      `A value of ${quoteText(name)} contains the character that separates its values in this API: ${quoteText(value)}.`,
      "Send values without it; the API has no form for such a value.",
    );
  });
}

/** The list or object of a JSON text, for a parameter that takes one; everything else as it is. */
function readContainer(given: unknown): unknown {
  if (typeof given !== "string" || !/^\s*[[{]/.test(given)) return given;
  try {
    const value = parseJson(given);
    return isJsonContainer(value) ? value : given;
  } catch {
    return given;
  }
}

function toPair(name: string, value: unknown): QueryPair[] {
  if (value === undefined || value === null) return [];
  const where = `Query parameter ${quoteText(name)}`;
  const text = readScalar(value, where);
  if (text !== undefined) return [[name, text]];
  if (typeof value !== "object") throw invalidInput(`${where} is a ${typeof value}.`, formsHint);
  const key = Array.isArray(value) ? "" : (Object.keys(value)[0] ?? "key");
  throw invalidInput(
    `${where} is nested; a value is a string, a number, true or false, or a list of these.`,
    `Write nesting into the name, as this API spells it, for example ${quoteText(`${name}[${key}]`)}: "…"; or send JSON text as the value.`,
  );
}

/** A control character can end the name early for a server, and so disguise another one. */
function checkName(name: string): string {
  checkWellFormed(name, "A query parameter's name");
  if (name.trim() === "") throw invalidInput("A query parameter has no name.", formsHint);
  if (prototypeNames.has(name) || /\p{Cc}/u.test(name)) {
    throw invalidInput(
      `The query parameter name ${quoteText(name)} can't be sent.`,
      "Use a name from the API's documentation.",
    );
  }
  return name;
}

/**
 * Names and values of `[{name, value}]`, `[["name", "value"]]`, an object, or JSON text of these. `undefined`, `null`, `""`,
 * `[]` and `{}` have no pairs; a `null` value omits its pair.
 *
 * @param what for the message, such as `query`
 * @param hint which forms there are
 * @throws ApiSourceError `invalid_input` for anything else
 */
export function readPairs(
  value: unknown,
  what: string,
  hint: string,
): [name: string, value: unknown][] {
  if (value === undefined || value === null) return [];
  const given = typeof value === "string" ? parseText(value.trim(), what, hint) : value;
  // A string within the string is not one of the forms.
  if (typeof given !== "object")
    throw invalidInput(`The ${what} can't be a ${typeof given}.`, hint);
  const entries = Array.isArray(given)
    ? given.map((item) => readItem(item, what, hint))
    : Object.entries(given ?? {});
  return entries.filter(([, item]) => item !== undefined && item !== null);
}

function parseText(text: string, what: string, hint: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput(`The ${what} can't be read: ${quoteText(text)}.`, hint);
  }
}

function readItem(item: unknown, what: string, hint: string): [string, unknown] {
  if (Array.isArray(item) && item.length === 2 && typeof item[0] === "string")
    return [item[0], item[1]];
  if (
    typeof item === "object" &&
    item !== null &&
    "name" in item &&
    typeof item.name === "string"
  ) {
    return [item.name, "value" in item ? item.value : undefined];
  }
  throw invalidInput(`An item of the ${what} list has no name and value.`, hint);
}

/**
 * A string, boolean, number or bigint as text; numbers without exponent.
 *
 * @param where what the value belongs to, for the message, such as `Query parameter "page"`
 * @returns `undefined` when the value is not a scalar
 * @throws ApiSourceError `invalid_input` for a lone surrogate, NaN, an infinity, or an integer beyond 2^53, whose
 *   last digits were already lost when it became a number
 */
export function readScalar(value: unknown, where: string): string | undefined {
  if (typeof value === "string") return checkWellFormed(value, where);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof ExactNumber) return value.text;
  return typeof value === "number" ? readNumber(value, where) : undefined;
}

/** @throws ApiSourceError `invalid_input` when the text holds half of a surrogate pair: UTF-8 has no form for it. */
export function checkWellFormed(text: string, where: string): string {
  if (text.isWellFormed()) return text;
  throw invalidInput(
    `${where} holds half of a surrogate pair: ${quoteText(text)}.`,
    "Send the whole character, or leave it out.",
  );
}

function readNumber(value: number, where: string): string {
  if (!Number.isFinite(value)) {
    throw invalidInput(
      `${where} is ${value}, which an API can't read as a number.`,
      "Send a finite number.",
    );
  }
  // Beyond 2^53, and still printed as digits: most often an id whose last digits are wrong by now.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
    throw invalidInput(
      `${where} is ${value}, an integer too large to be exact as a number.`,
      "Send it as a string, or the whole body as JSON text, so that no digit is lost.",
    );
  }
  const printed = String(value);
  if (!printed.includes("e")) return printed;
  return value.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 21 });
}

/** Rack, which Rails reads forms with, stops at 100 levels by default; no API documents more than a few, and what contains itself has no end. */
const maxDepth = 32;

/**
 * The parameters that a value becomes as PHP, Rails and qs read it, and as Stripe documents it: `a[b]=c` for a member, `a[]=1` for a list
 * of scalars, `a[0][b]=c` for one that holds objects or lists. `a[][b]` is not used, because Rack starts a new row only when a key
 * repeats.
 *
 * @param what - Of what kind the parameters are, for messages.
 * @param empty - What null and an empty list or object are written as; left out without it.
 * @throws ApiSourceError `invalid_input` for more than 32 levels, and for what is not data
 */
export function listBracketed(
  name: string,
  value: unknown,
  what: string,
  empty?: string,
  depth = 0,
): [name: string, text: string][] {
  const where = `${what} ${quoteText(name)}`;
  if (value === undefined) return [];
  const entries = typeof value === "object" ? Object.entries(value ?? {}) : [];
  const text = readScalar(value, where) ?? (entries.length === 0 ? empty : undefined);
  if (text !== undefined) return [[name, text]];
  if (typeof value !== "object")
    throw invalidInput(`${where} is a ${typeof value}.`, "Send plain JSON data.");
  if (depth >= maxDepth)
    throw invalidInput(`${where} is nested deeper than ${maxDepth} levels.`, "Send fewer levels.");
  const isPlainList = Array.isArray(value) && !value.some(isJsonContainer);
  // `ids[]` says itself that it is a list: its name is repeated as it is.
  const nameOf = (key: string): string =>
    isPlainList ? `${name.replace(/\[\]$/, "")}[]` : `${name}[${key}]`;
  return entries.flatMap(([key, item]) => listBracketed(nameOf(key), item, what, empty, depth + 1));
}
