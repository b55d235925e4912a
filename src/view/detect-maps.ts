/** Tells a map, an object whose keys are data (`{"u1": {…}, "u2": {…}}`), from a record. */

import type { JsonValue } from "../json/exact-number.js";

/** Fewer keys than these make a record, whatever is in it. */
const fewestKeysOfObjects = 8;
const fewestKeysOfScalars = 80;
const looks = 8;

/** Whether an object's values are alike, as rows are: objects with mostly the same fields, or very many scalars of a kind. */
export function isMapLike(value: { readonly [key: string]: JsonValue }, keys: readonly string[]): boolean {
  if (keys.length < fewestKeysOfObjects) return false;
  const sample = Array.from(
    { length: looks },
    (_, index) => value[keys[Math.floor((index * keys.length) / looks)] ?? ""],
  );
  const filled = sample.filter((item) => item !== null && item !== undefined);
  const kinds = new Set(filled.map(kindOf));
  if (kinds.size !== 1) return false;
  if (kinds.has("array")) return keys.length >= fewestKeysOfScalars;
  if (!kinds.has("object")) return keys.length >= fewestKeysOfScalars;
  return filled.length > looks / 2 && shareFields(filled as { [key: string]: JsonValue }[]);
}

function kindOf(value: JsonValue | undefined): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether the fields of the first object come back in the others, and theirs are mostly its own. */
function shareFields(objects: readonly { [key: string]: JsonValue }[]): boolean {
  const [first, ...others] = objects.map((object) => Object.keys(object));
  if (first === undefined || first.length === 0 || first.length > 400) return false;
  const own = new Set(first);
  const alike = others.filter((keys) => {
    const shared = keys.slice(0, 400).filter((key) => own.has(key)).length;
    return shared * 2 >= Math.max(keys.length, first.length);
  });
  return alike.length * 4 >= others.length * 3;
}
