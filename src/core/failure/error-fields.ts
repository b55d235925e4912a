/** Finds which input field an error is about: a member that names it, or a map with a key for each field. */

import type { JsonValue } from "../base/exact-number.js";
import { isObject, type JsonObject, normalizeKey, type Shape, toShape, toText } from "../base/shape.js";
import { listWords } from "./error-words.js";

/**
 * Members that name the field wherever an error has them. The last are members of members: JSON:API's `source`, hapi's `validation.keys`,
 * Magento's `parameters.fieldName`.
 */
const namingKeys = listWords(
  "param parameter field fieldname propertyname element target attribute " +
    "source.pointer source.parameter source.header validation.keys parameters.fieldname",
);
/** Members that name it only in a list of errors; alone they are often something else. */
const listedKeys = listWords(
  "fields parametername property propertypath attr loc pointer instancepath expression",
);
/** A list in these names several fields; in any other it is the way to one. */
const severalKeys = /^(?:fields|keys|expression)$/;
/** Parts whose members are keyed by field when they are not an error themselves. */
const fieldMapKeys =
  /^(?:(?:field|validation)?errors|error|messages?|details?|invalidfields|modelstate|violations|issues|data|params|fields)$/;
/** Lists under these keys are of errors; under any other key of a bare map they are one field's. */
const errorListKeys =
  /^(?:(?:field|validation|user)?errors|err(?:or)?|(?:error)?messages|message|details?|violations|issues|problems|causes|errorlist|invalidparams|results|data|items|warnings)$/;

/**
 * The field, such as `user.email` or a JSON pointer as given; undefined when the error names no field. `list` is the normalised key of the list
 * that contains the error. In GraphQL `path` is a place in the answer, not in the input.
 */
export function findNamedField(error: Shape, isGraphql: boolean, list?: string): string | undefined {
  const isPlace = !isGraphql && !error.has("locations") && !error.has("extensions");
  const inList = [
    ...listedKeys,
    ...(error.has("locationtype") ? ["location"] : isPlace ? ["path"] : []),
    // Elsewhere than in a list about parameters it is the error's own.
    ...(/param|field|valid|violation/.test(list ?? "") ? ["name"] : []),
  ];
  for (const key of list === undefined ? namingKeys : [...namingKeys, ...inList]) {
    const [outer = "", inner] = key.split(".");
    const value = error.get(outer)?.value;
    const named = inner !== undefined && isObject(value) ? toShape(value).get(inner)?.value : value;
    const name = inner === undefined || isObject(value) ? toFieldName(inner ?? outer, named) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function toFieldName(key: string, value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return typeof value === "string" ? toText(value) : undefined;
  const parts = value.slice(0, 12).map((part) => toText(part));
  const isWhole = parts.length > 0 && parts.every((part) => part !== undefined);
  return isWhole ? parts.join(severalKeys.test(key) ? ", " : ".") : undefined;
}

const maxFields = 60;
const maxItems = 20;

/** Whether the member `key` of an error body holds errors by field, rather than being one error itself. */
export function isFieldMap(key: string, value: JsonObject): boolean {
  if (!fieldMapKeys.test(key)) return false;
  const shape = toShape(value);
  const isText = (name: string): boolean => ["string", "number"].includes(typeof shape.get(name)?.value);
  if (listWords("message msg code errorcode errormessage").some(isText)) return false;
  if (listWords("error errors fault exception").some((name) => shape.has(name))) return false;
  const values = Object.values(value).slice(0, maxFields);
  // The payloads of GraphQL mutations.
  if (values.some((item) => isObject(item) && toShape(item).has("usererrors"))) return false;
  const takesTexts = key !== "error" && !/^(?:message|detail)/.test(key);
  return values.length > 0 && values.every((item) => isOfField(item) || (takesTexts && isTextOrObject(item)));
}

/** Whether a whole body is such a map (Django, Rails): every member a list of texts, and not only under names for lists of errors. */
export function isBareFieldMap(value: JsonObject): boolean {
  const entries = Object.entries(value).slice(0, maxFields);
  const isField = (key: string): boolean => !errorListKeys.test(normalizeKey(key));
  const isTextList = (item: JsonValue): boolean =>
    Array.isArray(item) && item.slice(0, maxItems).every((text) => typeof text === "string");
  return (
    entries.some(([key]) => isField(key)) &&
    entries.every(([key, item]) => isOfField(item) && (isField(key) || isTextList(item)))
  );
}

function isTextOrObject(value: JsonValue): boolean {
  return typeof value === "string" || isObject(value);
}

/** A list of texts or errors, or an object of such lists. */
function isOfField(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.slice(0, maxItems).every(isTextOrObject);
  const inner = isObject(value) ? Object.values(value).slice(0, maxItems) : [];
  return inner.length > 0 && inner.every((item) => Array.isArray(item));
}
