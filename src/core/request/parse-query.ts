/** Reads the query the agent gave, in each form models write it, into plain pairs, and writes pairs for the wire. */

import { invalidInput } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import { checkWellFormed, readPairs, readScalar } from "./read-scalar.js";

/** Decoded name and value; a repeated name is a repeated parameter. */
export type QueryPair = readonly [name: string, value: string];

const formsHint = 'Send query as a list such as [{"name":"page","value":"2"}], an object, or a query string.';

/** As own keys these reach for the prototype of whatever a server builds from them. */
const prototypeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The pairs of a query given as `[{name, value}]`, `[["name", "value"]]`, an object of scalars or arrays of
 * scalars (repeated parameters), JSON text of these, or a query string with or without `?`.
 * `undefined`, `null`, `""`, `[]` and `{}` mean that the query is absent; a `null` value omits its parameter.
 *
 * @throws ApiSourceError `invalid_input` for nested values (with the flat name to use instead), NaN, integers that
 *   lost digits, functions, lone surrogates, malformed escapes, and empty or `__proto__`-like names
 */
export function parseQuery(value: unknown): QueryPair[] {
  const text = typeof value === "string" ? value.trim() : "";
  if (text !== "" && text !== "null" && !/^[{[]/.test(text))
    return parseQueryString(text.replace(/^[?]/, ""));
  return readPairs(value, "query", formsHint).flatMap(([name, item]) => toPairs(name, item));
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

function toPairs(name: string, value: unknown): QueryPair[] {
  checkName(name);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    if (item === undefined || item === null) return [];
    const text = readScalar(item, `Query parameter ${quoteText(name)}`);
    if (text === undefined) throw nestedValue(name, item);
    return [[name, text] as const];
  });
}

function nestedValue(name: string, item: unknown): Error {
  if (typeof item !== "object" || item === null) {
    return invalidInput(`Query parameter ${quoteText(name)} is a ${typeof item}.`, formsHint);
  }
  const key = Array.isArray(item) ? "" : (Object.keys(item)[0] ?? "key");
  return invalidInput(
    `Query parameter ${quoteText(name)} is nested; a value is a string, a number, true or false, or a list of these.`,
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
 * The query string without `?`; `""` for no pairs. A space is `%20`. Letters, digits and `-._~!*()$,:@/` stay
 * plain (RFC 3986 allows them in a query, and `$filter` stays readable), everything else is percent-encoded UTF-8.
 *
 * @throws URIError for a lone surrogate; `parseQuery` lets none pass
 */
export function writeQuery(pairs: readonly QueryPair[]): string {
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/** No URL parser changes a byte of what this writes. */
function encodePart(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("'", "%27")
    .replace(/%(?:24|2C|3A|40|2F)/g, decodeURIComponent);
}
