/** Finds which input field one item of an error list speaks of. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type Shape, toShape, toText } from "../json/shape.js";

const fieldKeys: readonly string[] = [
  "field",
  "fieldname",
  "fields",
  "param",
  "parameter",
  "parametername",
  "paramname",
  "property",
  "propertyname",
  "propertypath",
  "attribute",
  "attr",
  "loc",
  "pointer",
  "instancepath",
  "datapath",
  "jsonpath",
  "target",
];

export interface FieldList {
  /** The normalised key of the list: `name` is a field only in a list about parameters, for elsewhere it is the error's own. */
  readonly key: string;
  /** In GraphQL `path` is a place in the answer, not in the input. */
  readonly isGraphql: boolean;
}

/**
 * The field, such as `user.email` or a JSON pointer as given. Undefined when the item speaks of none.
 */
export function nameField(item: Shape, list: FieldList): string | undefined {
  const source = item.get("source")?.value;
  if (isObject(source)) {
    const inner = toShape(source);
    for (const key of ["pointer", "parameter", "header"]) {
      const text = toFieldText(inner.get(key)?.value);
      if (text !== undefined) return text;
    }
  }
  for (const key of fieldKeys) {
    const text = toFieldText(item.get(key)?.value);
    if (text !== undefined) return text;
  }
  return fromAmbiguousKeys(item, list);
}

function fromAmbiguousKeys(item: Shape, list: FieldList): string | undefined {
  if (!list.isGraphql && !item.has("locations") && !item.has("extensions")) {
    const path = toFieldText(item.get("path")?.value);
    if (path !== undefined) return path;
  }
  if (item.has("locationtype")) return toFieldText(item.get("location")?.value);
  if (/param|field|valid|violation/.test(list.key)) return toFieldText(item.get("name")?.value);
  return undefined;
}

function toFieldText(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return typeof value === "string" ? toText(value) : undefined;
  const parts = value.slice(0, 12).map((part) => toText(part));
  const named = parts.filter((part) => part !== undefined);
  return named.length === 0 || named.length < parts.length ? undefined : named.join(".");
}
