/** Tells cheaply that a body is too large to fit. */

import { isJsonContainer, type JsonObject, type JsonValue } from "../json/exact-number.js";

/** Whether a tree holds more than `limit` keys, elements and scalars; looks at no more than that many. */
export function hasMoreScalars(value: JsonValue, limit: number): boolean {
  if (!isJsonContainer(value)) return limit < 1;
  const pending: (JsonValue[] | JsonObject)[] = [value];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length; index += 1) {
        const item = next[index] ?? null;
        seen += 1;
        if (isJsonContainer(item)) pending.push(item);
        if (seen > limit) return true;
      }
    } else {
      for (const key in next) {
        const item = next[key] ?? null;
        seen += isJsonContainer(item) ? 1 : 2;
        if (isJsonContainer(item)) pending.push(item);
        if (seen > limit) return true;
      }
    }
  }
  return false;
}
