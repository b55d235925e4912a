/** Reads what an error body says, by the shapes that dialects share and not by who speaks them. */

import { isJsonContainer, type JsonValue } from "../json/exact-number.js";
import { isEmpty, isObject, type JsonObject, type Shape, toShape, toText } from "../json/shape.js";
import { joinTexts, type SaidText } from "./join-texts.js";
import {
  codeKeys,
  latePartKeys,
  noiseKeys,
  partKeys,
  placeKeys,
  textKeys,
  titleKeys,
  traceKeys,
} from "./key-roles.js";
import { nameField } from "./name-field.js";
import { isBareFieldMap, isFieldMap, readFieldMap } from "./read-field-map.js";
import { readOwnCodes, readOwnStatus, readOwnText } from "./read-own-text.js";

export interface ErrorFacts {
  /** As the API wrote it, not yet cleaned or cut. */
  readonly message?: string;
  /** The API's own codes, the most telling first. */
  readonly codes: readonly string[];
  /** Field name to its messages. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Other scalars of the error object under the API's own names. */
  readonly particulars: ReadonlyMap<string, JsonValue>;
  /** The API's own list of errors, where it holds more than texts. */
  readonly list?: JsonValue;
  /** The HTTP status the body claims. */
  readonly status?: number;
}

interface Collected {
  readonly isGraphql: boolean;
  readonly texts: SaidText[];
  readonly codes: string[];
  readonly fields: Map<string, string[]>;
  readonly particulars: Map<string, JsonValue>;
  list: JsonValue | undefined;
  status: number | undefined;
  visitsLeft: number;
}

const maxDepth = 10;
const maxVisits = 300;
const maxItems = 20;
const maxShownFields = 5;
const maxParticulars = 8;
/** A code that stands beside a more telling one is kept as a particular. */
const kindKeys: ReadonlySet<string> = new Set(["type", "errortype", "category", "status", "name"]);
const sourceFile = /^(?:\/|[A-Z]:\\).*\.(?:php|py|js|mjs|cjs|ts|rb|java|kt|cs|go|rs|ex)$/;
const toldKeys: ReadonlySet<string> = new Set([...textKeys, ...titleKeys, ...codeKeys]);

/** Reads the document of an error body. Every part of the result is empty when the body says nothing. */
export function readErrorFacts(document: JsonValue): ErrorFacts {
  const into: Collected = {
    isGraphql: isObject(document) && "data" in document && Array.isArray(document["errors"]),
    texts: [],
    codes: [],
    fields: new Map(),
    particulars: new Map(),
    list: undefined,
    status: undefined,
    visitsLeft: maxVisits,
  };
  visit(document, "", 0, into);
  const message = writeMessage(into);
  return {
    codes: into.codes,
    fields: into.fields,
    particulars: into.particulars,
    ...(message === undefined ? {} : { message }),
    ...(into.list === undefined ? {} : { list: into.list }),
    ...(into.status === undefined ? {} : { status: into.status }),
  };
}

function writeMessage(into: Collected): string | undefined {
  const { texts, codes, fields } = into;
  const prose = texts.filter(({ text }) => !codes.includes(text));
  if (texts.length > 0) return joinTexts(prose.length > 0 ? prose : texts.slice(0, 1));
  const byField = [...fields]
    .slice(0, maxShownFields)
    .map(([field, messages]) => `${field}: ${messages.join(", ")}`);
  return byField.length > 0 ? byField.join("; ") : into.codes[0];
}

function visit(value: JsonValue | undefined, key: string, depth: number, into: Collected): void {
  if (value === undefined || depth > maxDepth || into.visitsLeft-- <= 0) return;
  if (Array.isArray(value)) visitList(value, key, depth, into);
  else if (isObject(value)) visitObject(value, key, depth, into);
  else if (typeof value === "string") addText(toText(value), depth, into);
}

function visitList(items: readonly JsonValue[], key: string, depth: number, into: Collected): void {
  let hasMore = items.length > 1;
  for (const item of items.slice(0, maxItems)) {
    if (!isObject(item)) {
      visit(item, key, depth + 1, into);
      hasMore = false;
      continue;
    }
    const shape = toShape(item);
    const field = nameField(shape, { key, isGraphql: into.isGraphql });
    if (field === undefined) {
      const isError = [...shape.keys()].some((name) => toldKeys.has(name));
      visitObject(item, isError ? "" : key, depth + 1, into);
      hasMore ||= [...shape.keys()].some((name) => !toldKeys.has(name) && !noiseKeys.has(name));
    } else {
      const codes = readOwnCodes(shape);
      addField(field, readOwnText(shape) ?? codes[0] ?? "invalid", into);
      addCodes(codes, into);
    }
  }
  if (hasMore && items.some(isObject) && into.fields.size === 0) into.list ??= [...items];
}

function visitObject(value: JsonObject, key: string, depth: number, into: Collected): void {
  const addToMap = (field: string, message: string): void =>
    field === "" ? addText(message, depth + 1, into) : addField(field, message, into);
  if (isFieldMap(key, value) || (depth < 2 && isBareFieldMap(value))) {
    readFieldMap(value, addToMap);
    return;
  }
  const shape = toShape(value);
  const text = readOwnText(shape);
  const codes = readOwnCodes(shape);
  addText(text, depth, into);
  addCodes(codes, into);
  into.status ??= readOwnStatus(shape);
  addParticulars(shape, into);
  visitParts(shape, partKeys, depth, into);
  visitParams(shape, depth, into);
  if (into.texts.length + into.fields.size > 0) return;
  visitParts(shape, latePartKeys, depth, into);
  if (into.texts.length + into.fields.size + codes.length === 0) visitWrapped(value, depth, into);
}

function visitParts(shape: Shape, keys: readonly string[], depth: number, into: Collected): void {
  for (const key of keys) {
    const part = shape.get(key)?.value;
    // A list of names is a particular of the error, not an error.
    const isNames = key === "fields" && Array.isArray(part);
    if (isJsonContainer(part) && !isNames && !isEmpty(part)) visit(part, key, depth + 1, into);
  }
}

/** WordPress keeps its field errors in `data.params`; whatever else is in `data` is not an error. */
function visitParams(shape: Shape, depth: number, into: Collected): void {
  const data = shape.get("data")?.value;
  const params = isObject(data) ? data["params"] : undefined;
  if (isObject(params)) visit(params, "params", depth + 1, into);
}

/** An unknown wrapper around something known, such as `{"chart":{"error":{…}}}`. */
function visitWrapped(value: JsonObject, depth: number, into: Collected): void {
  for (const [key, item] of Object.entries(value).slice(0, 5)) {
    if (isObject(item) && !partKeys.includes(key)) visit(item, key, depth + 1, into);
  }
}

function addText(text: string | undefined, depth: number, into: Collected): void {
  if (text !== undefined && into.texts.length < 50) into.texts.push({ text, depth });
}

function addCodes(codes: readonly string[], into: Collected): void {
  for (const code of codes) if (into.codes.length < 20 && !into.codes.includes(code)) into.codes.push(code);
}

function addField(field: string, message: string, into: Collected): void {
  const messages = into.fields.get(field);
  if (messages !== undefined) {
    if (messages.length < 10 && !messages.includes(message)) messages.push(message);
  } else if (into.fields.size < 100) into.fields.set(field, [message]);
}

function addParticulars(shape: Shape, into: Collected): void {
  const hasTrace =
    [...traceKeys].some((name) => shape.has(name)) || sourceFile.test(String(shape.get("file")?.value));
  for (const [name, { key, value }] of shape) {
    if (traceKeys.has(name) || (hasTrace && placeKeys.has(name))) continue;
    const isSecondCode = kindKeys.has(name) && typeof value === "string" && into.codes.indexOf(value) > 0;
    if ((toldKeys.has(name) && !isSecondCode) || noiseKeys.has(name) || isEmpty(value)) continue;
    if (isJsonContainer(value) || (typeof value === "string" && value.length > 300)) continue;
    if (into.particulars.size < maxParticulars && !into.particulars.has(key))
      into.particulars.set(key, value);
  }
}
