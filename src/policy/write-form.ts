/** Writes a value as `application/x-www-form-urlencoded` with bracketed nesting. */

import { isJsonContainer } from "../json/exact-number.js";
import { quoteText } from "../text.js";
import { checkWellFormed, readScalar } from "./read-scalar.js";
import { invalidInput } from "./refusal.js";

/** Rack, which Rails reads forms with, stops at 100 levels by default; no API documents more than a few. */
const maxDepth = 32;

/**
 * The form text of an object: `a[b]=c` for nesting, `a[]=1` for lists of scalars, `a[0][b]=c` for lists that hold
 * objects or lists. Stripe documents the latter two forms and Rails reads them (an indexed list as a hash of rows, as its
 * nested attributes take it); `a[][b]` is not used, because Rack starts a new row only when a key repeats. `null`, `[]`
 * and `{}` are written as an empty value, which is how both clear a field; `undefined` is left out.
 *
 * @throws ApiSourceError `invalid_input` when the value is no object, is nested deeper than 32 levels (cycles
 *   are), or holds what no string stands for
 */
export function writeForm(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidInput(
      "This API takes form fields, and the body is no object.",
      'Send an object of fields, such as {"name":"x"}.',
    );
  }
  return listFields(Object.entries(value), (key) => encodePart(key), 1).join("&");
}

function listFields(entries: [string, unknown][], toName: (key: string) => string, depth: number): string[] {
  return entries.flatMap(([key, item]) => toFields(toName(key), item, depth));
}

function toFields(name: string, item: unknown, depth: number): string[] {
  if (item === undefined) return [];
  if (item === null) return [`${name}=`];
  const text = readScalar(item, `Form field ${quoteText(name)}`);
  if (text !== undefined) return [`${name}=${encodePart(text)}`];
  if (typeof item !== "object")
    throw invalidInput(`Form field ${quoteText(name)} is a ${typeof item}.`, "Send plain data.");
  if (depth >= maxDepth) {
    throw invalidInput(
      `The body is nested deeper than ${maxDepth} levels, which no form field can name.`,
      "Send fewer levels.",
    );
  }
  const entries = Object.entries(item);
  if (entries.length === 0) return [`${name}=`];
  const isPlainList = Array.isArray(item) && !item.some(isJsonContainer);
  return listFields(entries, (key) => `${name}[${isPlainList ? "" : encodePart(key)}]`, depth + 1);
}

/** A space is `+`, as the form standard has it. */
function encodePart(text: string): string {
  return encodeURIComponent(checkWellFormed(text, "The body"))
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}
