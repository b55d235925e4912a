/** Writes an urlencoded form, and the fields that one value becomes: as the operation has them, else in brackets. */

import { invalidInput } from "../base/errors.js";
import { isJsonContainer } from "../base/exact-number.js";
import { quoteText } from "../base/text.js";
import { checkWellFormed, listBracketed, readScalar, toPairs } from "./parse-query.js";
import type { QueryStyle, QueryStyles, WrittenPair } from "./query-style.js";
import { writeJson } from "./write-json.js";
import { joinRepeated } from "./write-query.js";

/** Names and values joined by `=` and `&`, in the characters that an urlencoded form has, each escape complete. */
export function isFormText(text: string): boolean {
  const hasOnlyFormCharacters = /^(?:[A-Za-z0-9*\-._~+!'()$,;:@/?[\]=&]|%[0-9A-Fa-f]{2})*$/.test(
    text,
  );
  return hasOnlyFormCharacters && text.includes("=");
}

/**
 * The form text of an object, with `null`, `[]` and `{}` as an empty value, which is how each clears a field; `undefined` is left out.
 *
 * @throws ApiSourceError `invalid_input` when the value is not an object, is nested too deeply (cycles are), or holds what can't be
 *   written as a string
 */
export function writeForm(value: unknown, styles: QueryStyles | undefined): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidInput(
      "This API takes form fields, and the body is not an object.",
      'Send an object of fields, such as {"name":"x"}.',
    );
  }
  return Object.entries(value)
    .flatMap(([key, item]) =>
      styles === undefined
        ? listBracketed(key, item, "Form field", "")
        : listStyled(key, item, styles.get(key)),
    )
    .map(([name, text, written]) => {
      const key = encodeFormPart(name).replace(/%5[BD]/g, decodeURIComponent);
      return `${key}=${written ?? encodeFormPart(text)}`;
    })
    .join("&");
}

/** A space is `+`, as the form standard has it. */
function encodeFormPart(text: string): string {
  const sound = checkWellFormed(text, "The body");
  return new URLSearchParams([["", sound]]).toString().slice(1);
}

/**
 * The fields of a form for one value, as the operation has them.
 *
 * @param style - Absent for a field that the operation does not describe: a list repeats it, an object is in brackets.
 * @throws ApiSourceError `invalid_input` for nesting that the style has no form for
 */
export function listStyled(name: string, value: unknown, style?: QueryStyle): WrittenPair[] {
  if (value === undefined) return [];
  if (!isJsonContainer(value)) return [[name, readField(name, value)]];
  const isList = Array.isArray(value);
  const isEmpty = Object.keys(value).length === 0;
  const known = style ?? (isList ? "repeat" : "brackets");
  if (known === "json" || (known === "repeat" && !isList)) return [[name, writeJson(value)]];
  // An empty value is how each field is cleared.
  if (isEmpty) return [[name, ""]];
  if (known === "brackets") return listBracketed(name, value, "Form field", "");
  if (known === "repeat" && isList) return value.map((item) => [name, readItem(name, item)]);
  return joinRepeated(toPairs(name, value, known), new Map([[name, known]]));
}

/** An object in a list is its JSON text (OpenAPI 3.0.3, section 4.7.15.1). */
function readItem(name: string, item: unknown): string {
  return isJsonContainer(item) ? writeJson(item) : readField(name, item);
}

function readField(name: string, value: unknown): string {
  return value === null ? "" : (readScalar(value, `Form field ${quoteText(name)}`) ?? "");
}
