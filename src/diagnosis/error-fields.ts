/** Finds which input field an error speaks of: a member that names it, or a map with a key for each field. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject, normalizeKey, type Shape, toShape, toText } from "../json/shape.js";
import { errorListKeys, fieldMapKeys, generalFieldKeys } from "./error-keys.js";
import { readOwnCodes, readOwnText } from "./error-texts.js";

/** Members that name the field wherever an error has them. */
const namingKeys = "param parameter field fieldname propertyname element target attribute".split(" ");
/** Members that name it only in a list of errors; alone they are often something else. */
const listedKeys =
  "fields parametername property propertypath attr loc pointer instancepath expression".split(" ");
/** A list in these names several fields; in any other it is the way to one. */
const severalKeys: ReadonlySet<string> = new Set(["fields", "keys", "expression"]);

export interface FieldPlace {
  /** The normalised key of the list: `name` is a field only in a list about parameters, for elsewhere it is the error's own. */
  readonly list?: string;
  /** In GraphQL `path` is a place in the answer, not in the input. */
  readonly isGraphql: boolean;
}

/** The field, such as `user.email` or a JSON pointer as given; undefined when the error names none. */
export function findNamedField(error: Shape, { list, isGraphql }: FieldPlace): string | undefined {
  const read = (key: string): string | undefined => toFieldName(key, error.get(key)?.value);
  const named = namingKeys.map(read).find((name) => name !== undefined) ?? findNestedName(error);
  if (named !== undefined || list === undefined) return named;
  const listed = listedKeys.map(read).find((name) => name !== undefined);
  if (listed !== undefined) return listed;
  if (error.has("locationtype")) return read("location");
  const isPlace = !isGraphql && !error.has("locations") && !error.has("extensions");
  return (
    (isPlace ? read("path") : undefined) ??
    (/param|field|valid|violation/.test(list) ? read("name") : undefined)
  );
}

/** JSON:API's `source`, hapi's `validation.keys`, Magento's `parameters.fieldName`. */
function findNestedName(error: Shape): string | undefined {
  for (const [outer, keys] of [
    ["source", ["pointer", "parameter", "header"]],
    ["validation", ["keys"]],
    ["parameters", ["fieldname"]],
  ] as const) {
    const value = error.get(outer)?.value;
    const inner = isObject(value) ? toShape(value) : undefined;
    const name = keys
      .map((key) => toFieldName(key, inner?.get(key)?.value))
      .find((text) => text !== undefined);
    if (name !== undefined) return name;
  }
  return undefined;
}

function toFieldName(key: string, value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return typeof value === "string" ? toText(value) : undefined;
  const parts = value.slice(0, 12).map((part) => toText(part));
  const named = parts.filter((part) => part !== undefined);
  if (named.length === 0 || named.length < parts.length) return undefined;
  return named.join(severalKeys.has(key) ? ", " : ".");
}

const maxFields = 60;
const maxDepth = 6;

/** Whether the member `key` of an error body holds errors by field, rather than being one error itself. */
export function isFieldMap(key: string, value: JsonObject): boolean {
  if (!fieldMapKeys.has(key)) return false;
  const shape = toShape(value);
  const isOneError =
    ["message", "msg", "code", "errorcode", "errormessage"].some((name) =>
      isScalar(shape.get(name)?.value),
    ) || ["error", "errors", "fault", "exception"].some((name) => shape.has(name));
  if (isOneError) return false;
  const values = Object.values(value).slice(0, maxFields);
  const takesTexts = key !== "error" && !/^(?:message|detail)/.test(key);
  return values.length > 0 && values.every((item) => isOfField(item, takesTexts, 0));
}

/** Whether a whole body is such a map (Django, Rails): every member a list of texts, and not only under names for lists of errors. */
export function isBareFieldMap(value: JsonObject): boolean {
  const entries = Object.entries(value).slice(0, maxFields);
  const isField = (key: string): boolean => !errorListKeys.has(normalizeKey(key));
  return (
    entries.some(([key]) => isField(key)) &&
    entries.every(([key, item]) => isOfField(item, false, 0) && (isField(key) || isTextList(item)))
  );
}

function isTextList(value: JsonValue): boolean {
  return Array.isArray(value) && value.slice(0, 20).every((item) => typeof item === "string");
}

function isOfField(value: JsonValue, takesTexts: boolean, depth: number): boolean {
  if (depth > 3) return false;
  if (typeof value === "string") return takesTexts || depth > 0;
  if (Array.isArray(value)) {
    return value.length > 0 && value.slice(0, 20).every((item) => typeof item === "string" || isObject(item));
  }
  if (!isObject(value)) return false;
  const values = Object.values(value).slice(0, 20);
  const isNested = (item: JsonValue): boolean =>
    Array.isArray(item) || (isObject(item) && isOfField(item, false, depth + 1));
  return takesTexts || (values.length > 0 && values.every(isNested));
}

/** Walks the map and reports every message under the dotted name of its field; `""` when it belongs to none. */
export function readFieldMap(map: JsonObject, add: (field: string, message: string) => void): void {
  const visit = (value: JsonValue | undefined, field: string, depth: number): void => {
    if (depth > maxDepth || value === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) visit(item, field, depth + 1);
    } else if (isObject(value)) {
      const shape = toShape(value);
      const said = depth === 0 ? undefined : (readOwnText(shape) ?? readOwnCodes(shape)[0]);
      if (said !== undefined && !shape.has("errors")) add(field, said);
      else
        for (const [key, item] of Object.entries(value).slice(0, maxFields))
          visit(item, joinKey(field, key), depth + 1);
    } else {
      const text = toText(value);
      if (text !== undefined) add(field, text);
    }
  };
  visit(map, "", 0);
}

function joinKey(field: string, key: string): string {
  if (generalFieldKeys.has(normalizeKey(key))) return field;
  return field === "" ? key : `${field}.${key}`;
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value === "string" || typeof value === "number";
}
