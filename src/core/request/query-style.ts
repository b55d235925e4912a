/** How a list or an object is written into a query by the API's document: OpenAPI's `style` and `explode`, Swagger's `collectionFormat`. */

import { invalidInput } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import { readScalar } from "./read-scalar.js";

/**
 * `comma`, `space`, `tab`, `pipe`: one parameter with all values. `brackets`: `filter[state]=open`, `expand[]=a`. `members`: each member of an object is a
 * parameter. `json`: JSON text. Without one, a list repeats its parameter.
 */
export type QueryStyle = "comma" | "space" | "tab" | "pipe" | "brackets" | "members" | "json";

/** By the name of a parameter. */
export type QueryStyles = ReadonlyMap<string, QueryStyle>;

type QueryPair = readonly [name: string, value: string];

const separators: ReadonlyMap<QueryStyle, string> = new Map([
  ["comma", ","],
  ["space", " "],
  ["tab", "\t"],
  ["pipe", "|"],
]);
/** No API documents more levels, and what contains itself has no end. */
const maxDepth = 32;

/**
 * The pairs of a list or an object in its style; those that become one parameter still have a pair for each value.
 *
 * @returns undefined where the style is not about such a value.
 * @throws ApiSourceError `invalid_input` for a value that the style can't hold
 */
export function writeStyled(name: string, value: object, style: QueryStyle): QueryPair[] | undefined {
  const isList = Array.isArray(value);
  if (style === "json") return [[name, writeJsonText(name, value)]];
  if (style === "brackets") return writeBrackets(name, value, 0);
  if (style === "members" && isList) return undefined;
  const entries = Object.entries(value);
  if (style === "members")
    return entries.flatMap(([key, member]) => [member].flat().flatMap((each) => toPair(key, each)));
  // An object is its keys and values in turn (RFC 6570, section 3.2.8, without the explode modifier).
  return entries.flatMap(([key, item]) => [...(isList ? [] : toPair(name, key)), ...toPair(name, item)]);
}

/** Makes one parameter of those that are repeated where their style is one with a separator. */
export function joinRepeated(pairs: readonly QueryPair[], styles: QueryStyles): QueryPair[] {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const separator = separators.get(styles.get(name) ?? "json");
    const before = joined.get(name);
    if (separator !== undefined)
      joined.set(name, before === undefined ? value : `${before}${separator}${value}`);
  }
  return pairs.flatMap(([name, value]): QueryPair[] => {
    if (!styles.has(name) || !separators.has(styles.get(name) ?? "json")) return [[name, value]];
    const whole = joined.get(name);
    joined.delete(name);
    return whole === undefined ? [] : [[name, whole]];
  });
}

function toPair(name: string, value: unknown): QueryPair[] {
  if (value === undefined || value === null) return [];
  const text = readScalar(value, `Query parameter ${quoteText(name)}`);
  if (text === undefined) throw nested(name, "a value of it is a list or an object");
  return [[name, text]];
}

/** As PHP, Rails and qs read it, and as Stripe documents it: `a[b]=c`, `a[]=1` for a list of values, `a[0][b]=c` for one of objects. */
function writeBrackets(name: string, value: unknown, depth: number): QueryPair[] {
  if (typeof value !== "object" || value === null || readScalar(value, name) !== undefined)
    return toPair(name, value);
  if (depth >= maxDepth) throw nested(name, `it is nested deeper than ${maxDepth} levels`);
  const isPlainList =
    Array.isArray(value) && !value.some((each) => typeof each === "object" && each !== null);
  return Object.entries(value).flatMap(([key, item]) =>
    writeBrackets(`${name}[${isPlainList ? "" : key}]`, item, depth + 1),
  );
}

function writeJsonText(name: string, value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw nested(name, "it contains itself");
  }
}

function nested(name: string, why: string): Error {
  return invalidInput(
    `Query parameter ${quoteText(name)} can't be sent as the API's document has it: ${why}.`,
    "Send a string that is written as the API wants it.",
  );
}
