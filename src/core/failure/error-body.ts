/** Reads an error body by the shapes that APIs share: RFC 9457; texts and codes beside or inside `error`; lists and maps of errors by field; GraphQL; SOAP. */

import { isMap, type JsonValue, listMembers } from "../base/exact-number.js";
import {
  isBlank,
  isObject,
  type JsonObject,
  normalizeKey,
  type Shape,
  toShape,
  toText,
} from "../base/shape.js";
import {
  dataKeys,
  fieldKeys,
  generalKeys,
  listedFieldKeys,
  messageKeys,
  noiseKeys,
  partKeys,
} from "./error-keys.js";
import { isBareFieldMap, isFieldMap } from "./field-maps.js";
import { readOwnCodes, readOwnStatus, readOwnText } from "./own-members.js";
import { joinTexts, listDistinctTexts } from "./shown-text.js";

/** The parts of an error body; each is empty when the body lacks it. */
export interface ErrorBody {
  /** As the API wrote it, not yet cleaned or truncated. */
  readonly message?: string | undefined;
  /** Every text that the message is made of; it has the first of them. */
  readonly texts: readonly string[];
  /** The API's own codes, the most specific first. */
  readonly codes: readonly string[];
  /** Field name to its messages. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Other scalars of the error object under the API's own names. */
  readonly particulars: ReadonlyMap<string, JsonValue>;
  /** The HTTP status in the body. */
  readonly status?: number | undefined;
}

const [maxDepth, maxItems, maxMembers] = [10, 100, 60] as const;
/** The message names so many fields. */
const maxNamedFields = 5;

/** Reads the tree of an error body. Bounded in depth and in the number of members looked at. */
export function readErrorBody(tree: JsonValue): ErrorBody {
  const reader = new BodyReader();
  reader.isGraphql = isObject(tree) && "data" in tree && Array.isArray(tree["errors"]);
  reader.visit(tree, "", 0);
  const { codes, fields, particulars, status } = reader;
  const texts = reader.listTexts();
  return { message: reader.writeMessage(texts), texts, codes, fields, particulars, status };
}

class BodyReader {
  readonly codes: string[] = [];
  readonly fields: Map<string, string[]> = new Map();
  readonly particulars: Map<string, JsonValue> = new Map();
  status: number | undefined;
  readonly #texts: string[] = [];
  /** Whether `path` in an error is a place in the answer, not in the input. */
  isGraphql = false;
  #visitsLeft = 300;

  /** The texts that are no code; a body of codes alone has the first one. */
  listTexts(): readonly string[] {
    const prose = this.#texts.filter((text) => !this.codes.includes(text));
    return prose.length > 0 ? listDistinctTexts(prose) : this.#texts.slice(0, 1);
  }

  /** The message of the texts, else of the fields, else the first code. */
  writeMessage(texts: readonly string[]): string | undefined {
    if (texts.length > 0) return joinTexts(texts);
    const byField = [...this.fields].map(([field, about]) => `${field}: ${about.join(", ")}`);
    const rest = byField.length - maxNamedFields;
    const more = rest > 0 ? ` (and ${rest} more)` : "";
    const named = byField.slice(0, maxNamedFields).join("; ");
    return byField.length > 0 ? `${named}${more}` : this.codes[0];
  }

  visit(value: JsonValue | undefined, key: string, depth: number): void {
    if (value === undefined || depth > maxDepth || this.#visitsLeft-- <= 0) return;
    if (isObject(value)) this.#visitObject(value, key, depth);
    else if (typeof value === "string") this.#addText(toText(value));
    else if (Array.isArray(value))
      for (const item of value.slice(0, maxItems))
        if (isObject(item)) this.#visitItem(item, key, depth + 1);
        else this.visit(item, key, depth + 1);
  }

  /** An error of a list: one that names a field is that field's. */
  #visitItem(item: JsonObject, list: string, depth: number): void {
    const shape = toShape(item);
    const field = this.#findField(shape, list);
    if (field === undefined) {
      this.#visitObject(item, messageKeys.some((name) => shape.has(name)) ? "" : list, depth);
      return;
    }
    const codes = readOwnCodes(shape);
    this.#addField(field, readOwnText(shape) ?? codes[0] ?? "invalid");
    this.#addCodes(codes);
  }

  #visitObject(value: JsonObject, key: string, depth: number): void {
    if (isMap(value)) return;
    if (isFieldMap(key, value) || (depth < 2 && isBareFieldMap(value))) {
      this.#visitFields(value, "", 0);
      return;
    }
    const shape = toShape(value);
    const text = readOwnText(shape);
    const codes = readOwnCodes(shape);
    this.#addText(text);
    this.#addCodes(codes);
    this.status ??= readOwnStatus(shape);
    const field = text === undefined ? undefined : this.#findField(shape);
    if (field !== undefined && text !== undefined) this.#addField(field, text);
    this.#addParticulars(shape);
    this.#visitParts(shape, partKeys, depth);
    // WordPress keeps its field errors in `data.params`; whatever else is in `data` is not an error.
    const data = shape.get("data")?.value;
    if (isObject(data)) this.visit(data["params"], "params", depth + 1);
    if (this.#texts.length + this.fields.size > 0) return;
    // Data, or a wrapper around something known, such as the payload of a GraphQL mutation.
    for (const [name, item] of listMembers(value, 5))
      if (isObject(item) || (Array.isArray(item) && dataKeys.test(name)))
        this.visit(item, "", depth + 1);
  }

  #visitParts(shape: Shape, keys: readonly string[], depth: number): void {
    for (const key of keys) {
      const part = shape.get(key)?.value;
      if (typeof part === "object" && !isBlank(part)) this.visit(part, key, depth + 1);
    }
  }

  /** Takes every message of a map under the dotted name of its field; `""` for none. */
  #visitFields(value: JsonValue, field: string, depth: number): void {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, maxItems)) this.#visitFields(item, field, depth + 1);
      return;
    }
    const shape = isObject(value) && depth > 0 ? toShape(value) : undefined;
    const text =
      shape === undefined ? toText(value) : (readOwnText(shape) ?? readOwnCodes(shape)[0]);
    if (text !== undefined) field === "" ? this.#addText(text) : this.#addField(field, text);
    else if (isObject(value) && !isMap(value))
      for (const [key, item] of listMembers(value, maxMembers)) {
        const inner = field === "" ? key : `${field}.${key}`;
        this.#visitFields(item, generalKeys.test(normalizeKey(key)) ? field : inner, depth + 1);
      }
  }

  /** Such as `user.email`, or a JSON pointer as given. */
  #findField(error: Shape, list?: string): string | undefined {
    const isPlace = !this.isGraphql && !error.has("locations") && !error.has("extensions");
    const inList = [
      ...listedFieldKeys,
      ...(isPlace ? ["path"] : []),
      // Elsewhere than in a list about parameters it is the error's own.
      ...(/param|field|valid|violation/.test(list ?? "") ? ["name"] : []),
    ];
    // JSON:API.
    const source = error.get("source")?.value;
    const pointer = isObject(source) ? (source["pointer"] ?? source["parameter"]) : undefined;
    const keys = list === undefined ? fieldKeys : [...fieldKeys, ...inList];
    const named = [pointer, ...keys.map((key) => error.get(key)?.value)];
    return named.map(toFieldName).find((name) => name !== undefined);
  }

  #addText(text: string | undefined): void {
    if (text !== undefined && this.#texts.length < 50) this.#texts.push(text);
  }

  #addCodes(codes: readonly string[]): void {
    for (const code of codes)
      if (this.codes.length < 20 && !this.codes.includes(code)) this.codes.push(code);
  }

  #addField(field: string, message: string): void {
    const messages = this.fields.get(field) ?? [];
    if (messages.length < 10 && !messages.includes(message)) messages.push(message);
    if (this.fields.size < 100) this.fields.set(field, messages);
  }

  #addParticulars(shape: Shape): void {
    for (const [name, { key, value }] of shape) {
      if (noiseKeys.has(name) || isBlank(value) || this.particulars.size >= 8) continue;
      const isLong = typeof value === "string" && value.length > 300;
      const isTree = typeof value === "object" && toText(value) === undefined;
      if (!isLong && !isTree && !this.particulars.has(key)) this.particulars.set(key, value);
    }
  }
}

function toFieldName(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return typeof value === "string" ? toText(value) : undefined;
  const parts = value.slice(0, 12).map((part) => toText(part));
  return parts.length > 0 && parts.every((part) => part !== undefined)
    ? parts.join(".")
    : undefined;
}
