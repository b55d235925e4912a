/** Tells the values that are looked up: short ones, rather than texts, links, or nothing. */

import type { JsonValue } from "../json/json-document.js";

/** In characters; what is longer is a text. */
export const longestShort = 40;

export function isShort(value: JsonValue): value is string | number | boolean {
  if (typeof value !== "string") return typeof value === "number" || typeof value === "boolean";
  return value !== "" && value.length <= longestShort && !value.includes("://");
}
