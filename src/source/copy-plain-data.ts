/** Takes a copy of what a caller passed, as far as it is JSON data: nothing later reads or changes the original. */

import type { PlacedFlaw } from "./flaw.js";

export type PlainData = null | boolean | number | string | PlainData[] | PlainObject;
export interface PlainObject {
  [key: string]: PlainData;
}

/** No honest record comes near these; a hostile one ends here instead of in a stack overflow. */
const maxDepth = 50;
const maxValues = 20_000;
const maxCharacters = 1_000_000;

export interface PlainCopy {
  readonly value: PlainData;
  readonly flaws: readonly PlacedFlaw[];
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object's own; never what a prototype has under that name. */
export function readMember(object: PlainData | undefined, key: string): PlainData | undefined {
  return isPlainObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Copies own enumerable members; `undefined` counts as absent. What can't be in a record is named in `flaws` and
 * left out: functions, symbols, bigints, numbers that aren't finite, `__proto__` keys, and what goes too deep.
 */
export function copyPlainData(value: unknown): PlainCopy {
  const flaws: PlacedFlaw[] = [];
  let room = maxValues;
  let characters = maxCharacters;

  const refuse = (path: readonly PropertyKey[], message: string, fix: string): null => {
    flaws.push({ path, message, fix });
    return null;
  };

  const copyObject = (object: object, path: readonly PropertyKey[]): PlainData => {
    const copy: PlainObject = {};
    for (const [key, member] of Object.entries(object)) {
      if (room < 0) break;
      characters -= key.length;
      if (key === "__proto__") refuse([...path, key], "is a name that no field can have", "Remove it.");
      else if (member !== undefined) copy[key] = copyValue(member, [...path, key]);
    }
    return copy;
  };

  const copyValue = (given: unknown, path: readonly PropertyKey[]): PlainData => {
    room -= 1;
    if (typeof given === "string") characters -= given.length;
    // Told once: everything after it is left out.
    if (room === -1 || (room > 0 && characters < 0)) {
      room = -1;
      return refuse([], "is too large", "Keep a record under 1,000,000 characters and 20,000 values.");
    }
    if (room < 0) return null;
    if (given === null || typeof given === "string" || typeof given === "boolean") return given;
    if (typeof given === "number" && Number.isFinite(given)) return given;
    if (typeof given !== "object") {
      return refuse(
        path,
        `is ${toTypeName(given)}, not JSON data`,
        "Give a text, a number, true, false, a list or an object.",
      );
    }
    if (path.length > maxDepth) return refuse(path.slice(0, 3), "is nested too deeply", "Flatten it.");
    return Array.isArray(given)
      ? given.slice(0, room + 1).map((item, index) => copyValue(item, [...path, index]))
      : copyObject(given, path);
  };

  return { value: copyValue(value, []), flaws };
}

function toTypeName(value: unknown): string {
  if (typeof value === "number") return "not a finite number";
  return value === undefined ? "nothing" : `a ${typeof value}`;
}
