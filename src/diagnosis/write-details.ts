/** Puts the particulars of an error into bounded plain JSON: its fields, its own list, its other scalars. */

import type { JsonValue } from "../json/exact-number.js";
import { boundJson } from "./bound-json.js";
import type { ErrorFacts } from "./read-error-facts.js";

/** With the note of a cut, about 1,500 characters of JSON. */
const maxChars = 1_440;

/** `{fields?, errors?, …}`; undefined when there are none. `cut: true` says that something was left out. */
export function writeDetails(facts: ErrorFacts): JsonValue | undefined {
  const parts: [string, JsonValue][] = [];
  if (facts.fields.size > 0) {
    parts.push([
      "fields",
      Object.fromEntries([...facts.fields].map(([field, messages]) => [field, [...messages]])),
    ]);
  }
  parts.push(...facts.particulars);
  if (facts.list !== undefined) parts.push(["errors", facts.list]);
  if (parts.length === 0) return undefined;
  const { value, cut } = boundJson(Object.fromEntries(parts), maxChars);
  if (!cut || value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return { ...value, cut: true };
}
