/** Knows the forms in which models write pairs, which scalars a URL, a header or a form can hold, and prints them plainly. */

import { invalidInput } from "../base/errors.js";
import { ExactNumber, isJsonContainer } from "../base/exact-number.js";
import { quoteText } from "../base/text.js";

/**
 * Names and values of `[{name, value}]`, `[["name", "value"]]`, an object, or JSON text of these. `undefined`, `null`, `""`,
 * `[]` and `{}` have no pairs; a `null` value omits its pair.
 *
 * @param what for the message, such as `query`
 * @param hint which forms there are
 * @throws ApiSourceError `invalid_input` for anything else
 */
export function readPairs(value: unknown, what: string, hint: string): [name: string, value: unknown][] {
  if (value === undefined || value === null) return [];
  const given = typeof value === "string" ? parseText(value.trim(), what, hint) : value;
  // A string within the string is not one of the forms.
  if (typeof given !== "object") throw invalidInput(`The ${what} can't be a ${typeof given}.`, hint);
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
  if (Array.isArray(item) && item.length === 2 && typeof item[0] === "string") return [item[0], item[1]];
  if (typeof item === "object" && item !== null && "name" in item && typeof item.name === "string") {
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
    throw invalidInput(`${where} is ${value}, which an API can't read as a number.`, "Send a finite number.");
  }
  if (isRoundedInteger(value)) {
    throw invalidInput(
      `${where} is ${value}, an integer too large to be exact as a number.`,
      "Send it as a string, or the whole body as JSON text, so that no digit is lost.",
    );
  }
  const printed = String(value);
  if (!printed.includes("e")) return printed;
  return value.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 21 });
}

/** An integer beyond 2^53 that still prints as digits: most often an id whose last digits are wrong by now. */
function isRoundedInteger(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
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
  return entries.flatMap(([key, item]) =>
    listBracketed(`${name}[${isPlainList ? "" : key}]`, item, what, empty, depth + 1),
  );
}
