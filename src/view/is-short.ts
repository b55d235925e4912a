/** Tells the values that are looked up: short ones, rather than texts, links, or nothing. */

import { type ExactNumber, isJsonNumber, type JsonValue } from "../json/exact-number.js";

/** In characters; what is longer is a text. */
export const longestShort = 40;

export function isShort(value: JsonValue): value is string | number | boolean | ExactNumber {
  if (typeof value !== "string") return isJsonNumber(value) || typeof value === "boolean";
  return value !== "" && value.length <= longestShort && !value.includes("://");
}
