/** Finds which input field an error speaks of: a member that names it, or a map with a key for each field. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject, normalizeKey, type Shape, toShape, toText } from "../json/shape.js";
import { listWords, readOwnCodes, readOwnText } from "./error-words.js";

/** Members that name the field wherever an error has them. */
const namingKeys = listWords("param parameter field fieldname propertyname element target attribute");
/** Members of members that do: JSON:API's `source`, hapi's `validation.keys`, Magento's `parameters.fieldName`. */
const nestedKeys = listWords(
  "source.pointer source.parameter source.header validation.keys parameters.fieldname",
);
/** Members that name it only in a list of errors; alone they are often something else. */
const listedKeys = listWords(
  "fields parametername property propertypath attr loc pointer instancepath expression",
);
/** A list in these names several fields; in any other it is the way to one. */
const severalKeys: ReadonlySet<string> = new Set(["fields", "keys", "expression"]);

/** Parts whose members are keyed by field when they don't look like an error themselves. */
const fieldMapKeys: ReadonlySet<string> = new Set(
  listWords(
    "errors error message messages detail details fielderrors validationerrors invalidfields modelstate violations " +
      "issues data params fields",
  ),
);
/** Names under which an API files errors that belong to no field. */
const generalKeys: ReadonlySet<string> = new Set(
  listWords("nonfielderrors base all general global errors detail"),
);
/** Lists under these keys are of errors; under any other key of a bare map they are one field's. */
const errorListKeys: ReadonlySet<string> = new Set(
  listWords(
    "errors error err message messages errormessages detail details violations issues problems causes errorlist " +
      "fielderrors validationerrors usererrors invalidparams results data items warnings",
  ),
);

export interface FieldPlace {
  /** The normalised key of the list: `name` is a field only in a list about parameters, for elsewhere it is the error's own. */
  readonly list?: string;
  /** In GraphQL `path` is a place in the answer, not in the input. */
  readonly isGraphql: boolean;
}

/** The field, such as `user.email` or a JSON pointer as given; undefined when the error names none. */
export function findNamedField(error: Shape, { list, isGraphql }: FieldPlace): string | undefined {
  const named = findFirst(error, [...namingKeys, ...nestedKeys]);
  if (named !== undefined || list === undefined) return named;
  const isPlace = !isGraphql && !error.has("locations") && !error.has("extensions");
  const isAboutInput = /param|field|valid|violation/.test(list);
  return findFirst(error, [
    ...listedKeys,
    ...(error.has("locationtype") ? ["location"] : []),
    ...(isPlace && !error.has("locationtype") ? ["path"] : []),
    ...(isAboutInput ? ["name"] : []),
  ]);
}

function findFirst(error: Shape, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const [outer = "", inner] = key.split(".");
    const value = error.get(outer)?.value;
    const own = inner === undefined || !isObject(value) ? value : toShape(value).get(inner)?.value;
    const name = inner === undefined || isObject(value) ? toFieldName(inner ?? outer, own) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function toFieldName(key: string, value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return typeof value === "string" ? toText(value) : undefined;
  const parts = value.slice(0, 12).map((part) => toText(part));
  const isWhole = parts.length > 0 && parts.every((part) => part !== undefined);
  return isWhole ? parts.join(severalKeys.has(key) ? ", " : ".") : undefined;
}

const maxFields = 60;
const maxItems = 20;
const maxDepth = 6;

/** Whether the member `key` of an error body holds errors by field, rather than being one error itself. */
export function isFieldMap(key: string, value: JsonObject): boolean {
  if (!fieldMapKeys.has(key)) return false;
  const shape = toShape(value);
  const saysText = listWords("message msg code errorcode errormessage").some((name) =>
    ["string", "number"].includes(typeof shape.get(name)?.value),
  );
  if (saysText || listWords("error errors fault exception").some((name) => shape.has(name))) return false;
  const values = Object.values(value).slice(0, maxFields);
  const takesTexts = key !== "error" && !/^(?:message|detail)/.test(key);
  return values.length > 0 && values.every((item) => isOfField(item, takesTexts, 0));
}

/** Whether a whole body is such a map (Django, Rails): every member a list of texts, and not only under names for lists of errors. */
export function isBareFieldMap(value: JsonObject): boolean {
  const entries = Object.entries(value).slice(0, maxFields);
  const isField = (key: string): boolean => !errorListKeys.has(normalizeKey(key));
  const isTextList = (item: JsonValue): boolean =>
    Array.isArray(item) && item.slice(0, maxItems).every((text) => typeof text === "string");
  return (
    entries.some(([key]) => isField(key)) &&
    entries.every(([key, item]) => isOfField(item, false, 0) && (isField(key) || isTextList(item)))
  );
}

function isOfField(value: JsonValue, takesTexts: boolean, depth: number): boolean {
  if (depth > 3) return false;
  if (typeof value === "string") return takesTexts || depth > 0;
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems);
    return items.length > 0 && items.every((item) => typeof item === "string" || isObject(item));
  }
  if (!isObject(value) || takesTexts) return isObject(value);
  const values = Object.values(value).slice(0, maxItems);
  const isNested = (item: JsonValue): boolean =>
    Array.isArray(item) || (isObject(item) && isOfField(item, false, depth + 1));
  return values.length > 0 && values.every(isNested);
}

/** Walks the map and reports every message under the dotted name of its field; `""` when it belongs to none. */
export function readFieldMap(map: JsonObject, add: (field: string, message: string) => void): void {
  const visit = (value: JsonValue | undefined, field: string, depth: number): void => {
    if (depth > maxDepth || value === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, maxItems)) visit(item, field, depth + 1);
      return;
    }
    const shape = isObject(value) ? toShape(value) : undefined;
    const isError = shape !== undefined && depth > 0 && !shape.has("errors");
    const said = isError ? (readOwnText(shape) ?? readOwnCodes(shape)[0]) : undefined;
    const text = shape === undefined ? toText(value) : said;
    if (text !== undefined) add(field, text);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value).slice(0, maxFields))
        visit(item, joinKey(field, key), depth + 1);
  };
  visit(map, "", 0);
}

function joinKey(field: string, key: string): string {
  if (generalKeys.has(normalizeKey(key))) return field;
  return field === "" ? key : `${field}.${key}`;
}
