/** Whether a schema accepts a value, as far as that is known without running a pattern of the document. */

import { isPlainObject } from "../../core/base/input.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { listValues } from "./enumerations.js";
import { findMembers, listBranches, listTypes } from "./schema.js";

const maxDepth = 24;
/** The most items and members that are looked at. */
const maxParts = 200;

interface Judging {
  readonly document: ApiDocument;
  /** Whether the value travels as text, as a parameter does: `5` is an integer and a string there. */
  readonly isText: boolean;
}

/** False where the schema surely refuses the value; a schema that cannot be followed accepts every one. */
export function accepts(
  judging: Judging,
  given: unknown,
  value: unknown,
  depth: number = 0,
): boolean {
  if (!isPlainObject(given)) return given !== false;
  if (depth > maxDepth) return true;
  const schema = judging.document.follow(given);
  if (value === null && schema["nullable"] === true) return true;
  const fits = (part: unknown): boolean => accepts(judging, part, value, depth + 1);
  return (
    hasType(judging, schema, value) &&
    isListed(judging, schema, value) &&
    isInRange(schema, value) &&
    hasFormat(schema, value) &&
    listBranches(schema["allOf"]).every(fits) &&
    fitsOne(judging.document, schema, fits) &&
    acceptsParts(judging, schema, value, depth)
  );
}

function hasType({ isText }: Judging, schema: Plain, value: unknown): boolean {
  const types = listTypes(schema);
  return types.length === 0 || types.some((type) => isOf(type, value, isText));
}

function isOf(type: string, value: unknown, isText: boolean): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (type === "object" || type === "array") return type === typeof value;
  if (typeof value === "object") return false;
  const text = String(value);
  const isLoose = isText || typeof value === "number";
  if (type === "integer") return isLoose && /^[+-]?\d+$/.test(text);
  if (type === "number") return isLoose && Number.isFinite(Number(text));
  if (type === "boolean")
    return typeof value === "boolean" || (isText && /^(?:true|false)$/.test(text));
  return type === "string" && (isText || typeof value === "string");
}

/** Whether it is one of the values, which are up to a thousand: only an object is compared as a text. */
function isListed({ isText }: Judging, schema: Plain, value: unknown): boolean {
  const values = listValues(schema);
  if (values === undefined || values.includes(value)) return true;
  if (isText) return values.map(String).includes(String(value));
  if (typeof value !== "object") return false;
  const text = JSON.stringify(value);
  return values.some((each) => JSON.stringify(each) === text);
}

/** A limit, the number that it bounds, and whether it is the least or the most. */
const limits: readonly (readonly [
  name: string,
  measure: (value: unknown) => number | undefined,
  sign: 1 | -1,
])[] = [
  ["minimum", toNumber, 1],
  ["maximum", toNumber, -1],
  ["minLength", countCharacters, 1],
  ["maxLength", countCharacters, -1],
  ["minItems", countItems, 1],
  ["maxItems", countItems, -1],
  ["minProperties", countMembers, 1],
  ["maxProperties", countMembers, -1],
];

function isInRange(schema: Plain, value: unknown): boolean {
  return limits.every(([name, measure, sign]) => {
    const limit = schema[name];
    const found = measure(value);
    return typeof limit !== "number" || found === undefined || (found - limit) * sign >= 0;
  });
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function countCharacters(value: unknown): number | undefined {
  return typeof value === "string" ? [...value].length : undefined;
}

function countItems(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function countMembers(value: unknown): number | undefined {
  return isPlainObject(value) ? Object.keys(value).length : undefined;
}

/** The sign that a text of a format surely has. */
const formats: ReadonlyMap<unknown, RegExp> = new Map([
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["date-time", /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d.{0,15}(?:[Zz]|[+-]\d\d:?\d\d)$/],
  ["email", /^[^@\s]+@[^@\s]+$/],
  ["uri", /^[a-z][a-z\d+.-]*:\S/i],
  ["uuid", /^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i],
]);

function hasFormat({ format }: Plain, value: unknown): boolean {
  return typeof value !== "string" || formats.get(format)?.test(value) !== false;
}

/** Branches with a format or a pattern may differ by what is not looked at here. */
const unread = ["pattern", "format", "not", "if"];

function fitsOne(document: ApiDocument, schema: Plain, fits: (part: unknown) => boolean): boolean {
  const choices = listBranches(schema["anyOf"]);
  if (choices.length > 0 && !choices.some(fits)) return false;
  const alternatives = listBranches(schema["oneOf"]);
  if (alternatives.length === 0) return true;
  const fitting = alternatives.filter(fits).map(document.follow);
  const sure = fitting.filter((part) => !unread.some((name) => Object.hasOwn(part, name)));
  return fitting.length > 0 && sure.length <= 1;
}

function acceptsParts(judging: Judging, schema: Plain, value: unknown, depth: number): boolean {
  if (Array.isArray(value)) {
    const items = value.slice(0, maxParts);
    const distinct = new Set(items.map((item) => JSON.stringify(item)));
    if (schema["uniqueItems"] === true && distinct.size < items.length) return false;
    return items.every((item) => accepts(judging, schema["items"], item, depth + 1));
  }
  if (!isPlainObject(value)) return true;
  const properties = asObject(schema["properties"]);
  const isMissing = (name: string): boolean =>
    !Object.hasOwn(value, name) && !isForAnswers(judging.document, schema, name);
  if (asList(schema["required"]).slice(0, maxParts).map(String).some(isMissing)) return false;
  const { additionalProperties: others, patternProperties } = schema;
  return Object.entries(value)
    .slice(0, maxParts)
    .every(([name, member]) => {
      if (Object.hasOwn(properties, name))
        return accepts(judging, properties[name], member, depth + 1);
      return patternProperties !== undefined || accepts(judging, others, member, depth + 1);
    });
}

/** Whether only an answer has the member: then a request may lack it. */
function isForAnswers(document: ApiDocument, schema: Plain, name: string): boolean {
  const { names } = findMembers(document, schema);
  return document.follow(names.get(name))["readOnly"] === true;
}
