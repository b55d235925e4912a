/** A complete input for the source's tool: what the document itself gives as an example, else the least that its schemas ask for. */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { chooseBody, readBodyForm } from "../../core/request/operation-form.js";
import type { QueryStyle } from "../../core/request/query-style.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { compareSchema } from "./compare-schema.js";
import type { Media, Operation, Parameter } from "./operation.js";
import { listFixed, type PlacedRoute } from "./paths.js";
import { makeNumber, makeText } from "./sample-text.js";
import { listBranches, listMembers, readShape, simplify } from "./schema.js";

/** An example of the document that is longer than this is not shown: one is made of what is required. */
const maxCharacters = 400;
const maxDepth = 12;
const maxMembers = 80;
const maxParameters = 60;
const maxItems = 5;
/** The most copies of one value, where lists are in lists. */
const maxRepeats = 25;
/** The most examples that are looked at: the first are as good as the others. */
const maxExamples = 20;

/** @param mayBeSent - Whether a call may set a header of this name. */
export function makeExample(
  document: ApiDocument,
  operation: Operation & PlacedRoute,
  mayBeSent: (name: string) => boolean,
): Record<string, unknown> {
  const { method, parameters, body } = operation;
  const required = parameters.filter(({ isRequired }) => isRequired).slice(0, maxParameters);
  const inHeader = required.filter(({ place, name }) => place === "header" && mayBeSent(name));
  const headers = inHeader.map((each) => [each.name, writeText(makeParameter(document, each))]);
  const query = makeQuery(document, operation, required);
  const isNeeded = body?.isRequired === true || (method !== "GET" && method !== "DELETE");
  const media = isNeeded ? findSentMedia(body?.media ?? []) : undefined;
  const example: Record<string, unknown> = { method, path: makePath(document, operation) };
  if (Object.keys(query).length > 0) example["query"] = query;
  if (headers.length > 0) example["headers"] = Object.fromEntries(headers);
  if (media !== undefined) example["body"] = makeBody(document, media);
  return example;
}

/** The media type that a call without a Content-Type is sent in. */
export function findSentMedia(media: readonly Media[]): Media | undefined {
  const forms = media.map((each) => readBodyForm(each.type, { styles: new Map() }));
  const chosen = chooseBody(
    forms.filter((form) => form !== undefined),
    {},
  );
  return media[forms.findIndex((form) => form?.type === chosen?.type)] ?? media[0];
}

function makePath(document: ApiDocument, operation: Operation & PlacedRoute): string {
  const { path, suffix, parameters } = operation;
  const own = suffix.startsWith("#")
    ? path.slice(0, -suffix.length)
    : (path.split("#", 1)[0] ?? "");
  const inPath = parameters.filter(({ place }) => place === "path").slice(0, maxParameters);
  const filled = inPath.reduce((text, parameter) => {
    const value = writePathValue(makeParameter(document, parameter), parameter.style);
    return text.replaceAll(`{${parameter.name}}`, () => value);
  }, own);
  // A parameter that the document forgot to describe is shown by its name.
  return filled.replace(/\{([^{}]{1,100})\}/g, (_whole, name: string) =>
    encodeURIComponent(name.replace(/[^\w.-]/g, "") || "x"),
  );
}

function writePathValue(value: unknown, style: QueryStyle | undefined): string {
  const isJson = style === "json" && typeof value === "object";
  if (isJson || typeof value !== "object" || value === null)
    return encodeURIComponent(writeText(value));
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  return parts.map((part) => encodeURIComponent(writeText(part))).join(",");
}

function writeText(value: unknown): string {
  if (Array.isArray(value)) return value.map(writeText).join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function makeQuery(
  document: ApiDocument,
  route: PlacedRoute,
  required: readonly Parameter[],
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const fixed = new Set(listFixed(route).map(([name]) => name));
  for (const parameter of required) {
    const { name, place, style } = parameter;
    if (place !== "query" || fixed.has(name)) continue;
    const value = makeParameter(document, parameter);
    // Each member of an exploded object is a parameter.
    if (style === "members" && isPlainObject(value)) Object.assign(query, value);
    else query[name] = Array.isArray(value) && value.length === 1 ? value[0] : value;
  }
  return query;
}

function makeParameter(document: ApiDocument, parameter: Parameter): unknown {
  const { name, schema, examples, style } = parameter;
  const isScalar = style === undefined;
  const given = examples
    .slice(0, maxExamples)
    .find((each) => isScalar !== (typeof each === "object") && fits(document, schema, each));
  const known = typeof given === "string" && given.trim() === "" ? undefined : given;
  if (known !== undefined) return known;
  const making = { document, hasFiles: false, left: maxMembers, repeats: maxRepeats, open: [] };
  const made = makeValue({ ...making, preset: name }, schema, 0);
  if (!isPlainObject(made) || Object.keys(made).length > 0) return made;
  // An object without a required member would be no parameter at all.
  const [first] = listMembers(document, document.follow(schema)).names;
  if (first === undefined) return made;
  const [member, own] = first;
  return { [member]: makeValue({ ...making, preset: member }, own, 1) };
}

function makeBody(document: ApiDocument, { type, schema, examples }: Media): unknown {
  const format = readBodyForm(type, { styles: new Map() })?.format ?? "json";
  const isText = format === "text" || format === "bytes";
  const read = (each: unknown): unknown =>
    typeof each === "string" && !isText ? (readPlainJson(each) ?? each) : each;
  const given = examples
    .slice(0, maxExamples)
    .map(read)
    .find((each) => (!isText || typeof each === "string") && fits(document, schema, each));
  if (given !== undefined) return given;
  // A file travels in a multipart body, or alone: elsewhere it is a text.
  const hasFiles = format === "multipart" || isText;
  const making: Making = {
    document,
    hasFiles,
    left: maxMembers,
    repeats: maxRepeats,
    open: [],
    preset: "string",
  };
  const made = makeValue(making, schema, 0);
  if (!isText || typeof made === "string" || isFileValue(made)) return made;
  return /xml/.test(type) ? "<root/>" : "text";
}

/** Whether a value of the document is short, and nothing that the document says of its type speaks against it. */
function fits(document: ApiDocument, schema: unknown, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return (
    JSON.stringify(value).length <= maxCharacters &&
    compareSchema(document, schema, value).length === 0
  );
}

interface Making {
  readonly document: ApiDocument;
  /** Whether the bytes of a file may be written as a file object. */
  readonly hasFiles: boolean;
  /** How many more members may be made. */
  left: number;
  /** How often lists may repeat a value here: a list in a list multiplies. */
  readonly repeats: number;
  /** The schemas around this one. */
  readonly open: readonly Plain[];
  /** The text of a string that may be any: the name of a parameter. */
  readonly preset: string;
}

/** A value by a schema: its example, default or first allowed value, else one of its type with the required members. */
function makeValue(making: Making, given: unknown, depth: number): unknown {
  if (!isPlainObject(given)) return making.preset;
  const { document } = making;
  const followed = document.follow(given);
  const schema = simplify(document, followed);
  const known = [
    schema["example"],
    ...asList(schema["examples"]).slice(0, maxExamples),
    schema["default"],
  ];
  const example = known.find((each) => fits(document, schema, each));
  if (example !== undefined) return example;
  const isClosed = depth > maxDepth || making.open.includes(followed);
  const inner: Making = { ...making, open: [...making.open, followed] };
  const shape = readShape(document, schema, "request");
  switch (shape.kind) {
    case "values":
      return shape.parts.find((value) => value !== null);
    case "choice":
      return isClosed ? making.preset : makeValue(inner, findBranch(shape.parts), depth + 1);
    case "list":
      return isClosed ? [] : makeList(inner, schema, depth);
    case "object":
      return isClosed ? {} : makeObject(making, inner, schema, depth);
    case "scalar":
      return makeScalar(making, schema, shape.types);
    default:
      return making.preset;
  }
}

/** The first branch that is not `null`. */
function findBranch(branches: readonly unknown[]): unknown {
  return branches.find((branch) => asObject(branch)["type"] !== "null");
}

function makeList(making: Making, schema: Plain, depth: number): unknown[] {
  const { minItems, items, uniqueItems } = schema;
  const least = typeof minItems === "number" ? Math.min(minItems, maxItems) : 1;
  const count = Math.max(1, uniqueItems === true ? 1 : Math.min(least, making.repeats));
  const inner: Making = { ...making, repeats: Math.floor(making.repeats / count) };
  const item = makeValue(inner, items, depth + 1);
  return Array.from({ length: count }, () => item);
}

function makeObject(
  making: Making,
  inner: Making,
  schema: Plain,
  depth: number,
): Record<string, unknown> {
  const { document } = making;
  const made: [name: string, value: unknown][] = [];
  const branches = [schema["oneOf"], schema["anyOf"]].map(listBranches);
  for (const branch of [...branches.map(findBranch), ...listBranches(schema["allOf"])]) {
    if (branch === undefined) continue;
    const value = makeValue({ ...inner, left: making.left }, branch, depth + 1);
    if (isPlainObject(value)) made.push(...Object.entries(value));
  }
  const known = new Set(made.map(([name]) => name));
  const { names, required } = listMembers(document, schema);
  for (const [name, given] of names) {
    const member = document.follow(given);
    if (member["readOnly"] === true || making.left <= 0) continue;
    const isSentFile = making.hasFiles && isFile(simplify(document, member));
    if (!required.has(name) && !isSentFile) continue;
    if (known.has(name)) continue;
    making.left -= 1;
    const own = { ...inner, left: making.left };
    made.push([name, makeValue(own, given, depth + 1)]);
    making.left = own.left;
  }
  // Not by assignment: `__proto__` is a name like others.
  return Object.fromEntries(made);
}

function makeScalar(
  { hasFiles, preset }: Making,
  schema: Plain,
  types: readonly string[],
): unknown {
  if (hasFiles && isFile(schema)) return { $file: "r_…" };
  const type = types.find((each) => each !== "null");
  if (type === "integer" || type === "number") return makeNumber(schema, type === "integer");
  return type === "boolean" ? true : makeText(schema, preset);
}

/** The bytes of a file, in OpenAPI 3.0 and in OpenAPI 3.1. */
function isFile({ type, format, contentMediaType }: Plain): boolean {
  if (type === "string" && format === "binary") return true;
  return typeof contentMediaType === "string" && !/^text\/|json/i.test(contentMediaType);
}

function isFileValue(value: unknown): boolean {
  return isPlainObject(value) && "$file" in value;
}
