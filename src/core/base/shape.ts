/** A look at an object by what its keys mean, whatever their spelling: `errorMessage`, `error_message`, `ns:ErrorMessage`. */

import {
  isJsonNumber,
  isMap,
  isJsonObject as isObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "./exact-number.js";

export { isObject, type JsonObject };

interface ShapeEntry {
  readonly key: string;
  readonly value: JsonValue;
}

/** Normalised key to the first entry that has it. */
export type Shape = ReadonlyMap<string, ShapeEntry>;

/** An object with more keys is data, not an error; the rest of its keys is not looked at. */
const maxKeys = 200;

/** Lower case, without a namespace prefix and without anything but letters and digits: `soap:Fault` is `fault`. */
export function normalizeKey(key: string): string {
  const short = key.slice(0, 80);
  const name = short.slice(short.lastIndexOf(":") + 1).toLowerCase();
  return name.replace(/[^a-z0-9]/g, "") || name;
}

/** A map has an empty one. */
export function toShape(object: JsonObject): Shape {
  const shape = new Map<string, ShapeEntry>();
  if (isMap(object)) return shape;
  for (const key of listKeys(object).slice(0, maxKeys)) {
    const name = normalizeKey(key);
    const value = object[key];
    // The plain spelling counts, where there are `message` and `_message`.
    if (value !== undefined && (key === name || !shape.has(name))) shape.set(name, { key, value });
  }
  return shape;
}

/** The text of a string, a number, or an object that wraps one (`{"lang":"en","value":"…"}`, `{"#text":"…"}`). */
export function toText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") {
    const text = value.trim();
    return text === "" ? undefined : text;
  }
  if (isJsonNumber(value)) return String(value);
  if (Array.isArray(value))
    return value.length === 1 && !isObject(value[0]) ? toText(value[0]) : undefined;
  if (!isObject(value)) return undefined;
  const shape = toShape(value);
  for (const name of ["value", "text", "defaultmessage", "simpletext"]) {
    const inner = shape.get(name)?.value;
    if (typeof inner === "string" || isJsonNumber(inner)) return toText(inner);
    if (isObject(inner) && name === "text") return toText(inner["#text"]);
  }
  return undefined;
}

/** Whether a flag is set; XML has its booleans as text. Not by `String(value)`: an object of an API may have a `toString` of its own. */
export function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === "true";
}

/** Whether a value is without content: null, false, 0, an empty text, list or object. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (isJsonNumber(value)) return Number(value) === 0;
  if (typeof value !== "object") return false;
  // An enumeration lists the keys first, a million of them for a million rows.
  if (Array.isArray(value)) return value.length === 0;
  for (const _key in value) return false;
  return true;
}
