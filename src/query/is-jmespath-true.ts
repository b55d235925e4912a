/** What counts as true in JMESPath: everything but null, false, and the empty string, list and object. */

import type { JsonValue } from "../json/exact-number.js";

export function isJmespathTrue(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
