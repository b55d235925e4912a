/** Reads the form `{"title":["can't be blank"]}`: errors keyed by the field they speak of, nested or not. */

import { isJsonNumber, type JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject, normalizeKey, toShape, toText } from "../json/shape.js";
import { errorListKeys, fieldMapKeys, generalFieldKeys } from "./key-roles.js";
import { readOwnCodes, readOwnText } from "./read-own-text.js";

/** Takes each found message with the dotted name of its field; `""` when it belongs to none. */
export type AddFieldError = (field: string, message: string) => void;

const maxDepth = 6;
const maxFields = 60;

/** Whether the member `key` of an error body holds errors by field, rather than being one error itself. */
export function isFieldMap(key: string, value: JsonObject): boolean {
  if (!fieldMapKeys.has(key)) return false;
  const shape = toShape(value);
  if (
    ["message", "msg", "code", "errorcode", "errormessage"].some((name) => isScalar(shape.get(name)?.value))
  ) {
    return false;
  }
  if (["error", "errors", "fault", "exception"].some((name) => shape.has(name))) return false;
  const values = Object.values(value).slice(0, maxFields);
  const textsCount = key !== "error" && !key.startsWith("message") && !key.startsWith("detail");
  return values.length > 0 && values.every((item) => isFieldErrors(item, textsCount, 0));
}

/** Whether a whole body is such a map (Django): every member a list of texts, and not only under names for lists of errors. */
export function isBareFieldMap(value: JsonObject): boolean {
  const entries = Object.entries(value).slice(0, maxFields);
  const isOwn = ([key]: [string, JsonValue]): boolean => !errorListKeys.has(normalizeKey(key));
  return (
    entries.some(isOwn) &&
    entries.every((entry) => isFieldErrors(entry[1], false, 0) && (isOwn(entry) || isTextList(entry[1])))
  );
}

function isTextList(value: JsonValue): boolean {
  return Array.isArray(value) && value.slice(0, 20).every((item) => typeof item === "string");
}

function isFieldErrors(value: JsonValue, textsCount: boolean, depth: number): boolean {
  if (depth > 3) return false;
  if (typeof value === "string") return textsCount || depth > 0;
  if (Array.isArray(value)) {
    return value.length > 0 && value.slice(0, 20).every((item) => typeof item === "string" || isObject(item));
  }
  if (!isObject(value)) return false;
  const values = Object.values(value).slice(0, 20);
  return (
    textsCount ||
    (values.length > 0 && values.every((item) => Array.isArray(item) || isNestedMap(item, depth)))
  );
}

function isNestedMap(value: JsonValue, depth: number): boolean {
  return isObject(value) && isFieldErrors(value, false, depth + 1);
}

/** Walks the map and reports every message under the dotted name of its field. */
export function readFieldMap(map: JsonObject, add: AddFieldError): void {
  const visit = (value: JsonValue | undefined, field: string, depth: number): void => {
    if (depth > maxDepth || value === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) visit(item, field, depth + 1);
      return;
    }
    if (!isObject(value)) {
      const text = toText(value);
      if (text !== undefined) add(field, text);
      return;
    }
    const shape = toShape(value);
    const said = depth === 0 ? undefined : (readOwnText(shape) ?? readOwnCodes(shape)[0]);
    if (said !== undefined && !shape.has("errors")) {
      add(field, said);
      return;
    }
    for (const [key, item] of Object.entries(value).slice(0, maxFields)) {
      visit(item, generalFieldKeys.has(normalizeKey(key)) ? field : joinField(field, key), depth + 1);
    }
  };
  visit(map, "", 0);
}

function joinField(parent: string, key: string): string {
  return parent === "" ? key : `${parent}.${key}`;
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value === "string" || isJsonNumber(value);
}
