/** Reads an error body by the shapes that APIs share, not by vendor. */

import type { JsonValue } from "../base/exact-number.js";
import {
  isBlank,
  isObject,
  type JsonObject,
  normalizeKey,
  type Shape,
  toShape,
  toText,
} from "../base/shape.js";
import { findNamedField, isBareFieldMap, isFieldMap } from "./error-fields.js";
import {
  joinTexts,
  listWords,
  messageKeys,
  readOwnCodes,
  readOwnStatus,
  readOwnText,
} from "./error-words.js";

/** The parts of an error body; each is empty when the body lacks it. */
export interface ErrorBody {
  /** As the API wrote it, not yet cleaned or truncated. */
  readonly message?: string | undefined;
  /** The API's own codes, the most specific first. */
  readonly codes: readonly string[];
  /** Field name to its messages. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Other scalars of the error object under the API's own names. */
  readonly particulars: ReadonlyMap<string, JsonValue>;
  /** The HTTP status in the body. */
  readonly status?: number | undefined;
}

/** Objects and lists to look into, in this order. */
const partKeys = listWords(
  "envelope body fault errorresponse response rsp odataerror error err exception apierror status meta header errors " +
    "messages message errormessages errordetails fielderrors fieldviolations validationerrors violations invalidparams " +
    "invalidfields modelstate usererrors errorlist problems issues issue detail details causes errorcauses rootcause " +
    "extensions errorchain innererror responsemetadata exceptionreport serviceexceptionreport serviceexception elements",
);
/** Parts that usually are data: read only when nothing else has a text. */
const latePartKeys = listWords("data result results warnings");
/** Scalars that repeat the request or the status; every other scalar of an error object is kept as a particular. */
const noiseKeys: ReadonlySet<string> = new Set([
  ...messageKeys,
  ...listWords(
    "timestamp time date path instance ok success status " +
      "statuscode httpstatus httpcode version apiversion object jsonrpc id method url xmlns soap env xsi took " +
      "response stat ack build resultcode shortmessage haserrors iserror domain file line stack stacktrace trace traces traceback backtrace",
  ),
]);
/** Names under which an API files errors that belong to no field. */
const generalKeys = /^(?:nonfielderrors|base|all|general|global|errors|detail)$/;

const maxDepth = 10;
const maxMapDepth = 6;
const maxItems = 20;
const maxMembers = 60;

/** Reads the tree of an error body. Bounded in depth and in the number of members looked at. */
export function readErrorBody(tree: JsonValue): ErrorBody {
  const reader = new BodyReader(isObject(tree) && "data" in tree && Array.isArray(tree["errors"]));
  reader.visit(tree, "", 0);
  return reader;
}

class BodyReader implements ErrorBody {
  readonly codes: string[] = [];
  readonly fields: Map<string, string[]> = new Map();
  readonly particulars: Map<string, JsonValue> = new Map();
  status: number | undefined;
  readonly #texts: string[] = [];
  readonly #isGraphql: boolean;
  #visitsLeft = 300;

  constructor(isGraphql: boolean) {
    this.#isGraphql = isGraphql;
  }

  get message(): string | undefined {
    const prose = this.#texts.filter((text) => !this.codes.includes(text));
    if (this.#texts.length > 0) return joinTexts(prose.length > 0 ? prose : this.#texts.slice(0, 1));
    const byField = [...this.fields].slice(0, 5).map(([field, texts]) => `${field}: ${texts.join(", ")}`);
    return byField.length > 0 ? byField.join("; ") : this.codes[0];
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
    const field = findNamedField(shape, this.#isGraphql, list);
    if (field === undefined) {
      const isError = [...shape.keys()].some((name) => messageKeys.has(name));
      this.#visitObject(item, isError ? "" : list, depth);
      return;
    }
    const codes = readOwnCodes(shape);
    this.#addField(field, readOwnText(shape) ?? codes[0] ?? "invalid");
    this.#addCodes(codes);
  }

  #visitObject(value: JsonObject, key: string, depth: number): void {
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
    const field = text === undefined ? undefined : findNamedField(shape, this.#isGraphql);
    if (field !== undefined && text !== undefined) this.#addField(field, text);
    this.#addParticulars(shape);
    this.#visitParts(shape, partKeys, depth);
    // WordPress keeps its field errors in `data.params`; whatever else is in `data` is not an error.
    const data = shape.get("data")?.value;
    if (isObject(data) && isObject(data["params"])) this.visit(data["params"], "params", depth + 1);
    if (this.#texts.length + this.fields.size > 0) return;
    this.#visitParts(shape, latePartKeys, depth);
    if (this.#texts.length + this.fields.size + codes.length > 0) return;
    // An unknown wrapper around something known, such as `{"chart":{"error":{…}}}`.
    for (const [name, item] of Object.entries(value).slice(0, 5))
      if (isObject(item) && !partKeys.includes(name)) this.visit(item, name, depth + 1);
  }

  #visitParts(shape: Shape, keys: readonly string[], depth: number): void {
    for (const key of keys) {
      const part = shape.get(key)?.value;
      if (typeof part === "object" && !isBlank(part)) this.visit(part, key, depth + 1);
    }
  }

  /** Takes every message of a map under the dotted name of its field; `""` for none. */
  #visitFields(value: JsonValue, field: string, depth: number): void {
    if (depth > maxMapDepth) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, maxItems)) this.#visitFields(item, field, depth + 1);
      return;
    }
    const shape = isObject(value) ? toShape(value) : undefined;
    const isError = shape !== undefined && depth > 0 && !shape.has("errors");
    const own = isError ? (readOwnText(shape) ?? readOwnCodes(shape)[0]) : undefined;
    const text = shape === undefined ? toText(value) : own;
    if (text !== undefined) field === "" ? this.#addText(text) : this.#addField(field, text);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value).slice(0, maxMembers))
        this.#visitFields(item, joinKey(field, key), depth + 1);
  }

  #addText(text: string | undefined): void {
    if (text !== undefined && this.#texts.length < 50) this.#texts.push(text);
  }

  #addCodes(codes: readonly string[]): void {
    for (const code of codes) if (this.codes.length < 20 && !this.codes.includes(code)) this.codes.push(code);
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

function joinKey(field: string, key: string): string {
  if (generalKeys.test(normalizeKey(key))) return field;
  return field === "" ? key : `${field}.${key}`;
}
