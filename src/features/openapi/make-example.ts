/** A complete input for the source's tool: what the document itself gives as an example, else the least that its schemas ask for. */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { chooseBody, readBodyForm } from "../../core/request/operation-form.js";
import type { QueryStyle } from "../../core/request/query-style.js";
import { accepts } from "./accepts.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { compareSchema } from "./compare-schema.js";
import type { Media, Operation, Parameter } from "./operation.js";
import { listFixed, type PlacedRoute } from "./paths.js";
import { makeNumber, makeText } from "./sample-text.js";
import {
  anyMember,
  listBranches,
  listMembers,
  listValues,
  readShape,
  readTypes,
  simplify,
} from "./schema.js";

/** An example of the document that is longer than this is not shown: one is made of what is required. */
const maxCharacters = 400;
const maxDepth = 12;
const maxMembers = 80;
const maxParameters = 60;
/** The most items of one list, lists in lists multiplied. */
const maxItems = 25;
/** The most examples that are looked at: the first are as good as the others. */
const maxExamples = 20;

/** An example, as far as it could be made. */
export interface PrintedExample {
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether the schema of the body accepts it, as far as that is known: a schema may ask for more than is printed. */
  readonly isAccepted: boolean;
}

/** @param mayBeSent - Whether a call may set a header of this name. */
export function makeExample(
  document: ApiDocument,
  operation: Operation & PlacedRoute,
  mayBeSent: (name: string) => boolean,
): PrintedExample {
  const { method, parameters, body } = operation;
  const required = parameters.filter(({ isRequired }) => isRequired).slice(0, maxParameters);
  const inHeader = required.filter(({ place, name }) => place === "header" && mayBeSent(name));
  const headers = inHeader.map((each) => [each.name, writeText(makeParameter(document, each))]);
  const query = makeQuery(document, operation, required);
  const isNeeded = body?.isRequired === true || (method !== "GET" && method !== "DELETE");
  const media = isNeeded ? findSentMedia(body?.media ?? []) : undefined;
  const input: Record<string, unknown> = { method, path: makePath(document, operation) };
  if (Object.keys(query).length > 0) input["query"] = query;
  if (headers.length > 0) input["headers"] = Object.fromEntries(headers);
  if (media === undefined) return { input, isAccepted: true };
  input["body"] = makeBody(document, media);
  return { input, isAccepted: isAcceptedBody(document, media, input["body"]) };
}

/** Bodies in other formats than JSON and forms are not compared: a file takes the place of bytes there. */
function isAcceptedBody(document: ApiDocument, { type, schema }: Media, body: unknown): boolean {
  const format = readBodyForm(type, { styles: new Map() })?.format;
  const isForm = format === "form";
  if (typeof body !== "object" || (format !== "json" && !isForm)) return true;
  return accepts({ document, isText: isForm }, schema, body);
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
  const making: Making = {
    document,
    isText: true,
    hasFiles: false,
    left: { members: maxMembers },
    items: maxItems,
    open: [],
    preset: name,
  };
  const given = examples
    .slice(0, maxExamples)
    .find((each) => isScalar !== (typeof each === "object") && fits(making, schema, each));
  const known = typeof given === "string" && given.trim() === "" ? undefined : given;
  if (known !== undefined) return known;
  const made = makeValue(making, schema, 0);
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
  const making: Making = {
    document,
    isText: format === "form",
    // A file travels in a multipart body, or alone: elsewhere it is a text.
    hasFiles: format === "multipart" || isText,
    left: { members: maxMembers },
    items: maxItems,
    open: [],
    preset: "string",
  };
  const given = examples
    .slice(0, maxExamples)
    .map(read)
    .find((each) => (!isText || typeof each === "string") && fits(making, schema, each));
  if (given !== undefined) return given;
  const made = makeValue(making, schema, 0);
  if (format === "json") return writeJsonBody(making, schema, made);
  if (!isText || typeof made === "string" || isFileValue(made)) return made;
  return /xml/.test(type) ? "<root/>" : "text";
}

/** A text is read as JSON where the operation takes other values than a string, too; a body that may be anything is an object. */
function writeJsonBody({ document, preset }: Making, schema: unknown, made: unknown): unknown {
  const types = readTypes(document, document.follow(schema));
  if (types.length === 0 && made === preset) return {};
  const isOnlyString = types.length === 1 && types[0] === "string";
  return typeof made === "string" && !isOnlyString ? JSON.stringify(made) : made;
}

/** Whether a value of the document is short, and nothing that the document says of it speaks against it. */
function fits(making: Making, schema: unknown, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return (
    JSON.stringify(value).length <= maxCharacters &&
    compareSchema(making.document, schema, value).length === 0 &&
    accepts(making, schema, value)
  );
}

interface Making {
  readonly document: ApiDocument;
  /** Whether the value travels as text. */
  readonly isText: boolean;
  /** Whether the bytes of a file may be written as a file object. */
  readonly hasFiles: boolean;
  /** How many more members may be made, in all. */
  readonly left: { members: number };
  /** How many items a list may have here: a list in a list multiplies. */
  readonly items: number;
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
  const example = known.find((each) => fits(making, schema, each));
  if (example !== undefined) return example;
  const isClosed = depth > maxDepth || making.open.includes(followed);
  const inner: Making = { ...making, open: [...making.open, followed] };
  const shape = readShape(document, schema, "request");
  switch (shape.kind) {
    case "values":
      return shape.parts.find((value) => value !== null);
    case "choice":
      return isClosed ? making.preset : makeChoice(inner, schema, shape.parts, depth);
    case "list":
      return isClosed ? [] : makeList(inner, schema, depth);
    case "object":
      return isClosed ? {} : makeObject(inner, schema, depth);
    case "scalar":
      return makeScalar(making, schema, shape.types);
    default:
      return making.preset;
  }
}

/** The most branches that are tried: one after the other, until the schema around them accepts what was made. */
const maxTries = 5;

/** The branches that are not `null`. */
function listTried(branches: unknown): readonly unknown[] {
  const own = listBranches(branches).filter((branch) => asObject(branch)["type"] !== "null");
  return own.slice(0, maxTries);
}

/** The value of the first branch that the schema accepts, for one branch may fit another, too; else of the first. */
function makeChoice(
  making: Making,
  schema: Plain,
  branches: readonly unknown[],
  depth: number,
): unknown {
  const tries = listTried(branches).map(
    (branch) => (): unknown => makeValue(making, branch, depth + 1),
  );
  return makeAccepted(making, schema, tries);
}

/** The first value that the schema accepts, else the first. */
function makeAccepted<Value>(
  making: Making,
  schema: Plain,
  tries: readonly (() => Value)[],
): Value | undefined {
  const { left } = making;
  const { members } = left;
  let first: Value | undefined;
  for (const make of tries) {
    left.members = members;
    const made = make();
    if (accepts(making, schema, made)) return made;
    first ??= made;
  }
  return first;
}

function makeList(making: Making, schema: Plain, depth: number): unknown[] {
  const { minItems, items, uniqueItems } = schema;
  const least = typeof minItems === "number" ? minItems : 1;
  const count = Math.max(1, Math.min(least, making.items));
  const inner: Making = { ...making, items: Math.floor(making.items / count) };
  const item = makeValue(inner, items, depth + 1);
  if (uniqueItems !== true) return Array.from({ length: count }, () => item);
  const values = listValues(making.document.follow(items));
  return values?.slice(0, count) ?? makeDistinct(item, count);
}

/** Texts or numbers that differ; of other values there is one. */
function makeDistinct(item: unknown, count: number): unknown[] {
  if (typeof item !== "string" && typeof item !== "number") return [item];
  const made = Array.from({ length: count }, (_each, at) =>
    typeof item === "number" ? item + at : vary(item, at),
  );
  return [...new Set(made)];
}

/** The text with another digit at its end, which mostly fits the same pattern; else with a digit more. */
function vary(text: string, by: number): string {
  if (by === 0) return text;
  const last = text.at(-1) ?? "";
  return /\d/.test(last) ? text.slice(0, -1) + ((Number(last) + by) % 10) : text + by;
}

/** The object with the first branches of `oneOf` and `anyOf` that make one which the schema accepts. */
function makeObject(making: Making, schema: Plain, depth: number): Record<string, unknown> {
  const choices = [schema["oneOf"], schema["anyOf"]].map(listTried);
  const count = Math.max(1, ...choices.map(({ length }) => length));
  const tries = Array.from({ length: count }, (_each, at) => (): Record<string, unknown> => {
    const chosen = choices.flatMap((branches) => branches[at] ?? branches[0] ?? []);
    return makeMembers(making, schema, chosen, depth);
  });
  return makeAccepted(making, schema, tries) ?? {};
}

/** @param chosen - The branches that the object is made by, besides the schema itself. */
function makeMembers(
  making: Making,
  schema: Plain,
  chosen: readonly unknown[],
  depth: number,
): Record<string, unknown> {
  const { document } = making;
  const made = new Map<string, unknown>();
  const asked = new Set<string>();
  for (const branch of [...chosen, ...listBranches(schema["allOf"])]) {
    const value = makeValue(making, branch, depth + 1);
    const own = listMembers(document, document.follow(branch));
    // A branch often only names which members of the schema are required.
    for (const name of own.required) asked.add(name);
    for (const [name, member] of isPlainObject(value) ? Object.entries(value) : [])
      if (own.names.get(name) !== anyMember) made.set(name, member);
  }
  const { names, required } = listMembers(document, schema);
  const sent = [...names].filter(([, member]) => document.follow(member)["readOnly"] !== true);
  const isNeeded = ([name, member]: readonly [string, unknown]): boolean =>
    required.has(name) ||
    asked.has(name) ||
    (making.hasFiles && isFile(simplify(document, document.follow(member))));
  const least = Number(schema["minProperties"] ?? 0);
  const optional = sent.filter((each) => !isNeeded(each));
  for (const [name, member] of [...sent.filter(isNeeded), ...optional]) {
    const isEnough = made.size >= least && !isNeeded([name, member]);
    if (isEnough || making.left.members <= 0) break;
    if (made.has(name)) continue;
    making.left.members -= 1;
    made.set(name, makeValue(making, member, depth + 1));
  }
  const { additionalProperties: others } = schema;
  if (made.size < least && isPlainObject(others))
    made.set("name", makeValue(making, others, depth + 1));
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
