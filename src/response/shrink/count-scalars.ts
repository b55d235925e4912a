/** Tells cheaply that a body is too large to fit. */

import type { JsonValue } from "../json-document.js";

/** Whether a tree holds more than `limit` keys and scalars; looks at no more than that many. */
export function hasMoreScalars(value: JsonValue, limit: number): boolean {
  const pending: JsonValue[] = [value];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) {
      seen += 1;
    } else if (Array.isArray(next)) {
      for (let index = 0; index < Math.min(next.length, limit + 1); index += 1)
        pending.push(next[index] ?? null);
    } else {
      for (const key in next) {
        seen += 1;
        pending.push(next[key] ?? null);
        if (seen > limit) return true;
      }
    }
    if (seen > limit) return true;
  }
  return false;
}
