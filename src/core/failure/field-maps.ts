/** Whether an object holds errors by field, rather than being one error: `{"email":["is taken"]}`. */

import { isMap, type JsonValue, listMembers } from "../base/exact-number.js";
import { isObject, type JsonObject, normalizeKey, toShape } from "../base/shape.js";
import { dataKeys, fieldMapKeys, partKeys } from "./error-keys.js";

const [maxItems, maxMembers] = [20, 60] as const;
/** Members of an object that is one error itself, and of one that has errors. */
const ownTexts = ["message", "msg", "code", "errorcode", "errormessage"];
const ownErrors = ["error", "errors", "fault", "exception"];

/** Whether the member `key` of an error body holds errors by field, rather than being one error itself. */
export function isFieldMap(key: string, value: JsonObject): boolean {
  if (!fieldMapKeys.test(key) || isMap(value)) return false;
  const shape = toShape(value);
  const isText = (name: string): boolean =>
    ["string", "number"].includes(typeof shape.get(name)?.value);
  if (ownTexts.some(isText)) return false;
  if (ownErrors.some((name) => shape.has(name))) return false;
  const values = listMembers(value, maxMembers).map(([, item]) => item);
  const takesTexts = key !== "error" && !/^(?:message|detail)/.test(key);
  return values.length > 0 && values.every((item) => isOfField(takesTexts ? [item].flat() : item));
}

/** Whether a whole body is such a map (Django, Rails): every member a list of texts, or an object of such, and not only under names for lists of errors. */
export function isBareFieldMap(value: JsonObject): boolean {
  const entries = listMembers(value, maxMembers);
  return (
    entries.some(([key]) => !partKeys.includes(normalizeKey(key)) && !dataKeys.test(key)) &&
    entries.every(
      ([, item]) => isTextList(item) || (isOfField(item) && listItems(item).every(isTextList)),
    )
  );
}

function isTextList(value: JsonValue): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.slice(0, maxItems).every((text) => typeof text === "string")
  );
}

/** A list of texts or errors, or an object of such lists. */
function isOfField(value: JsonValue): boolean {
  const isTextOrObject = (item: JsonValue): boolean => typeof item === "string" || isObject(item);
  if (Array.isArray(value))
    return value.length > 0 && value.slice(0, maxItems).every(isTextOrObject);
  const inner = isObject(value) ? listItems(value) : [];
  return inner.length > 0 && inner.every((item) => Array.isArray(item));
}

/** The first elements of a list, or values of an object. */
function listItems(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value.slice(0, maxItems);
  return isObject(value) ? listMembers(value, maxItems).map(([, item]) => item) : [];
}
