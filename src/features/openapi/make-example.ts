/** A complete input for the source's tool: what the document itself gives as an example, else the least that its schemas ask for. */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { chooseBody, readBodyForm, takesText } from "../../core/request/operation-form.js";
import type { QueryStyle } from "../../core/request/query-style.js";
import type { ApiDocument } from "./api-document.js";
import { accepts } from "./compare-schema.js";
import { findFitting, isFileValue, type Making, makeValue, startMaking } from "./make-value.js";
import type { Media, Operation, Parameter } from "./operation.js";
import { listFixed, type PlacedRoute } from "./paths.js";
import { findMembers, readTypes } from "./schema.js";
import { writeTextExample } from "./text-example.js";

const maxParameters = 60;

/** An example, as far as it could be made. */
export interface PrintedExample {
  /** Absent where no call can be like it. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The objection to it, as far as one is known: the schema of a body may ask for more than is printed. */
  readonly doubt?: string;
}

const shortenedExample = "The body of the example lacks something that its schema asks for.";
const listInForm =
  "There is no example: the body is a list by its schema, and a form has named fields.";

/** @param mayBeSent - Whether a call may set the parameter. */
export function makeExample(
  document: ApiDocument,
  operation: Operation & PlacedRoute,
  mayBeSent: (parameter: Parameter) => boolean,
): PrintedExample {
  const { method, parameters, body } = operation;
  const required = parameters
    .filter((each) => each.isRequired && mayBeSent(each))
    .slice(0, maxParameters);
  const inHeader = required.filter(({ place }) => place === "header");
  const headers = inHeader.map((each) => [each.name, writeText(makeParameter(document, each))]);
  const query = makeQuery(document, operation, required);
  const isNeeded = body?.isRequired === true || (method !== "GET" && method !== "DELETE");
  const media = isNeeded ? findSentMedia(body?.media ?? []) : undefined;
  const input: Record<string, unknown> = { method, path: makePath(document, operation) };
  if (Object.keys(query).length > 0) input["query"] = query;
  if (headers.length > 0) input["headers"] = Object.fromEntries(headers);
  if (media === undefined) return { input };
  const made = makeBody(document, media);
  if (Array.isArray(made) && isForm(media)) return { doubt: listInForm };
  input["body"] = made;
  return isAcceptedBody(document, media, made) ? { input } : { input, doubt: shortenedExample };
}

/** Bodies in other formats than JSON and forms are not compared: a file takes the place of bytes there. */
function isAcceptedBody(document: ApiDocument, { type, schema }: Media, body: unknown): boolean {
  const format = readBodyForm(type, { styles: new Map() })?.format;
  const isText = format === "form";
  if (typeof body !== "object" || (format !== "json" && !isText)) return true;
  return accepts({ document, isText }, schema, body);
}

function isForm({ type }: Media): boolean {
  return readBodyForm(type, { styles: new Map() })?.format === "form";
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
  return inPath.reduce((text, parameter) => {
    const value = writePathValue(makeParameter(document, parameter), parameter.style);
    return text.replaceAll(`{${parameter.name}}`, () => value);
  }, own);
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

/** A server answers a repeated idempotency key with the answer to the first call: a value that is copied must say so. */
const newKey = "a-new-key-for-each-call";

function makeParameter(document: ApiDocument, parameter: Parameter): unknown {
  const { name, schema, examples, style } = parameter;
  const isScalar = style === undefined;
  const preset = /^(?:x-)?idempotency-key$/i.test(name) ? newKey : name;
  const making = startMaking({ document, isText: true, hasFiles: false, preset });
  const fitting = examples.filter((each) => isScalar !== (typeof each === "object"));
  const given = findFitting(making, schema, fitting);
  const known = typeof given === "string" && given.trim() === "" ? undefined : given;
  if (known !== undefined) return known;
  const made = makeValue(making, schema, 0);
  if (!isPlainObject(made) || Object.keys(made).length > 0) return made;
  // An object without a required member would be no parameter at all.
  const [first] = findMembers(document, document.follow(schema)).names;
  if (first === undefined) return made;
  const [member, own] = first;
  return { [member]: makeValue({ ...making, preset: member }, own, 1) };
}

function makeBody(document: ApiDocument, { type, schema, examples }: Media): unknown {
  const form = readBodyForm(type, { styles: new Map() });
  // The file names the type where the document has a range such as `image/*`.
  const format = form?.format ?? (type.includes("*") ? "bytes" : "json");
  const isText = format === "text" || format === "bytes";
  const isFile = format === "bytes" && (form === undefined || !takesText(form));
  const read = (each: unknown): unknown =>
    typeof each === "string" && !isText ? (readPlainJson(each) ?? each) : each;
  const making = startMaking({
    document,
    isText: format === "form",
    // A file travels in a multipart body, or alone: elsewhere it is a text.
    hasFiles: format === "multipart" || isText,
    preset: "string",
  });
  if (isFile) return { $file: "r_…" };
  const readable =
    format === "bytes" ? examples.filter((each) => typeof each === "string") : examples;
  const texts = format === "text" ? readable.find((each) => typeof each === "string") : undefined;
  const given = texts ?? findFitting(making, schema, readable.map(read));
  const made = given ?? makeValue(making, schema, 0);
  if (format === "text" && !isFileValue(made))
    return writeTextExample(document, type, schema, made);
  if (given !== undefined) return given;
  if (format === "json") return writeJsonBody(making, schema, made);
  return !isText || typeof made === "string" || isFileValue(made) ? made : "text";
}

/** A text is read as JSON where the operation takes other values than a string, too; a body that may be anything is an object. */
function writeJsonBody({ document, preset }: Making, schema: unknown, made: unknown): unknown {
  const types = readTypes(document, document.follow(schema));
  if (types.length === 0 && made === preset) return {};
  const isOnlyString = types.length === 1 && types[0] === "string";
  return typeof made === "string" && !isOnlyString ? JSON.stringify(made) : made;
}
