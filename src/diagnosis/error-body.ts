/** Reads what an error body says, by the shapes that dialects share and not by who speaks them. */

import type { JsonValue } from "../json/exact-number.js";
import { isEmpty, isObject, type JsonObject, type Shape, toShape, toText } from "../json/shape.js";
import { findNamedField, isBareFieldMap, isFieldMap, readFieldMap } from "./error-fields.js";
import {
  joinTexts,
  listWords,
  readOwnCodes,
  readOwnStatus,
  readOwnText,
  toldKeys,
  traceKeys,
} from "./error-words.js";

/** What an error body says; every part is empty when it says nothing. */
export interface ErrorBody {
  /** As the API wrote it, not yet cleaned or clipped. */
  readonly message?: string | undefined;
  /** The API's own codes, the most telling first. */
  readonly codes: readonly string[];
  /** Field name to its messages. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Other scalars of the error object under the API's own names. */
  readonly particulars: ReadonlyMap<string, JsonValue>;
  /** The HTTP status the body claims. */
  readonly status?: number | undefined;
}

interface Collected {
  readonly isGraphql: boolean;
  readonly texts: string[];
  readonly codes: string[];
  readonly fields: Map<string, string[]>;
  readonly particulars: Map<string, JsonValue>;
  status: number | undefined;
  visitsLeft: number;
}

/** Objects and lists to look into, in this order. */
const partKeys = listWords(
  "envelope body fault errorresponse response rsp odataerror error err exception apierror status meta header errors " +
    "messages message errormessages errordetails fielderrors fieldviolations validationerrors violations invalidparams " +
    "invalidfields modelstate usererrors errorlist problems issues issue detail details causes errorcauses rootcause " +
    "extensions errorchain innererror responsemetadata exceptionreport serviceexceptionreport serviceexception elements",
);
/** Parts that usually are data: looked into only when nothing else said anything. */
const latePartKeys = listWords("data result results warnings");
/** Scalars that help nobody decide; every other scalar of an error object is kept as a particular. */
const noiseKeys: ReadonlySet<string> = new Set([
  ...traceKeys,
  ...listWords(
    "timestamp time date path instance requestid traceid correlationid fbtraceid debugid errorid ok success status " +
      "statuscode httpstatus httpcode hostid version apiversion object jsonrpc id method url xmlns soap env xsi took " +
      "response stat domain file line",
  ),
]);

const maxDepth = 10;
const maxVisits = 300;
const maxItems = 20;

/** Reads the tree of an error body. Bounded in depth and in the number of members looked at. */
export function readErrorBody(tree: JsonValue): ErrorBody {
  const into: Collected = {
    isGraphql: isObject(tree) && "data" in tree && Array.isArray(tree["errors"]),
    texts: [],
    codes: [],
    fields: new Map(),
    particulars: new Map(),
    status: undefined,
    visitsLeft: maxVisits,
  };
  visit(tree, "", 0, into);
  return { ...into, message: writeMessage(into) };
}

function writeMessage({ texts, codes, fields }: Collected): string | undefined {
  const prose = texts.filter((text) => !codes.includes(text));
  if (texts.length > 0) return joinTexts(prose.length > 0 ? prose : texts.slice(0, 1));
  const byField = [...fields].slice(0, 5).map(([field, messages]) => `${field}: ${messages.join(", ")}`);
  return byField.length > 0 ? byField.join("; ") : codes[0];
}

function visit(value: JsonValue | undefined, key: string, depth: number, into: Collected): void {
  if (value === undefined || depth > maxDepth || into.visitsLeft-- <= 0) return;
  if (Array.isArray(value)) visitList(value, key, depth, into);
  else if (isObject(value)) visitObject(value, key, depth, into);
  else if (typeof value === "string") addText(toText(value), into);
}

function visitList(items: readonly JsonValue[], key: string, depth: number, into: Collected): void {
  for (const item of items.slice(0, maxItems)) {
    if (!isObject(item)) {
      visit(item, key, depth + 1, into);
      continue;
    }
    const shape = toShape(item);
    const field = findNamedField(shape, { list: key, isGraphql: into.isGraphql });
    if (field === undefined) {
      const isTold = [...shape.keys()].some((name) => toldKeys.has(name));
      visitObject(item, isTold ? "" : key, depth + 1, into);
    } else {
      const codes = readOwnCodes(shape);
      addField(field, readOwnText(shape) ?? codes[0] ?? "invalid", into);
      addCodes(codes, into);
    }
  }
}

function visitObject(value: JsonObject, key: string, depth: number, into: Collected): void {
  if (isFieldMap(key, value) || (depth < 2 && isBareFieldMap(value))) {
    readFieldMap(value, (field, message) =>
      field === "" ? addText(message, into) : addField(field, message, into),
    );
    return;
  }
  const shape = toShape(value);
  const text = readOwnText(shape);
  const codes = readOwnCodes(shape);
  addText(text, into);
  addCodes(codes, into);
  into.status ??= readOwnStatus(shape);
  const field = text === undefined ? undefined : findNamedField(shape, { isGraphql: into.isGraphql });
  if (field !== undefined && text !== undefined) addField(field, text, into);
  addParticulars(shape, into);
  visitParts(shape, partKeys, depth, into);
  // WordPress keeps its field errors in `data.params`; whatever else is in `data` is not an error.
  const data = shape.get("data")?.value;
  if (isObject(data) && isObject(data["params"])) visit(data["params"], "params", depth + 1, into);
  if (into.texts.length + into.fields.size > 0) return;
  visitParts(shape, latePartKeys, depth, into);
  if (into.texts.length + into.fields.size + codes.length > 0) return;
  // An unknown wrapper around something known, such as `{"chart":{"error":{…}}}`.
  for (const [name, item] of Object.entries(value).slice(0, 5))
    if (isObject(item) && !partKeys.includes(name)) visit(item, name, depth + 1, into);
}

function visitParts(shape: Shape, keys: readonly string[], depth: number, into: Collected): void {
  for (const key of keys) {
    const part = shape.get(key)?.value;
    if (typeof part === "object" && !isEmpty(part)) visit(part, key, depth + 1, into);
  }
}

function addText(text: string | undefined, into: Collected): void {
  if (text !== undefined && into.texts.length < 50) into.texts.push(text);
}

function addCodes(codes: readonly string[], into: Collected): void {
  for (const code of codes) if (into.codes.length < 20 && !into.codes.includes(code)) into.codes.push(code);
}

function addField(field: string, message: string, into: Collected): void {
  const messages = into.fields.get(field);
  if (messages === undefined) {
    if (into.fields.size < 100) into.fields.set(field, [message]);
  } else if (messages.length < 10 && !messages.includes(message)) messages.push(message);
}

function addParticulars(shape: Shape, into: Collected): void {
  for (const [name, { key, value }] of shape) {
    if (toldKeys.has(name) || noiseKeys.has(name) || isEmpty(value)) continue;
    if (
      typeof value === "string"
        ? value.length > 300
        : typeof value === "object" && toText(value) === undefined
    )
      continue;
    if (into.particulars.size < 8 && !into.particulars.has(key)) into.particulars.set(key, value);
  }
}
