/** A value that a schema accepts: what the document itself gives as an example, else the least that the schema asks for. */

import { isPlainObject } from "../../core/base/input.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { accepts } from "./compare-schema.js";
import { listValues } from "./enumerations.js";
import { makeNumber, makeText } from "./sample-text.js";
import { anyMember, findMembers, listBranches, readShape, simplify } from "./schema.js";

/** An example of the document that is longer than this is not shown: one is made of what is required. */
const maxCharacters = 400;
const maxDepth = 12;
const maxMembers = 80;
/** The most items of one list, lists in lists multiplied. */
const maxItems = 25;
/** The most examples that are looked at: the first are as good as the others. */
const maxExamples = 20;

interface ValueInput {
  readonly document: ApiDocument;
  /** Whether the value travels as text. */
  readonly isText: boolean;
  /** Whether the bytes of a file may be written as a file object. */
  readonly hasFiles: boolean;
  /** The text of a string that may be any: the name of a parameter. */
  readonly preset: string;
}

export interface Making extends ValueInput {
  /** How many more members may be made, in all. */
  readonly left: { members: number };
  /** How many items a list may have here: a list in a list multiplies. */
  readonly items: number;
  /** The schemas around this one. */
  readonly open: readonly Plain[];
}

export function startMaking(input: ValueInput): Making {
  return { ...input, left: { members: maxMembers }, items: maxItems, open: [] };
}

/** The first of the document's own values that is short, and that its schema accepts. */
export function findFitting(making: Making, schema: unknown, given: readonly unknown[]): unknown {
  return given.slice(0, maxExamples).find((each) => fits(making, schema, each));
}

function fits(making: Making, schema: unknown, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return (
    JSON.stringify(value).length <= maxCharacters &&
    hasKnownNames(making.document, schema, value) &&
    accepts(making, schema, value)
  );
}

/** A value by a schema: its example, default or first allowed value, else one of its type with the required members. */
export function makeValue(making: Making, given: unknown, depth: number = 0): unknown {
  if (!isPlainObject(given)) return making.preset;
  const { document } = making;
  const followed = document.follow(given);
  const schema = simplify(document, followed);
  const { example: first, examples, default: preset } = schema;
  const example = findFitting(making, schema, [first, ...asList(examples), preset]);
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

/** A name that the schema does not have is one that a call would be asked about. */
function hasKnownNames(document: ApiDocument, schema: unknown, value: unknown): boolean {
  if (!isPlainObject(value)) return true;
  const { names, isOpen } = findMembers(document, document.follow(schema));
  return isOpen || Object.keys(value).every((name) => names.has(name));
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
  const first = asList(schema["prefixItems"]).slice(0, making.items);
  if (first.length > 0) {
    const others = items === undefined || items === false ? [] : Array(count).fill(items);
    const schemas = [...first, ...others.slice(first.length)];
    const own: Making = { ...making, items: Math.floor(making.items / schemas.length) };
    return schemas.map((each) => makeValue(own, each, depth + 1));
  }
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
  const properties = asObject(schema["properties"]);
  // The values that the schema itself lists for a member are narrower than what it is made of.
  const isStated = (name: string): boolean =>
    Object.hasOwn(properties, name) && listValues(document.follow(properties[name])) !== undefined;
  for (const branch of [...chosen, ...listBranches(schema["allOf"])]) {
    const value = makeValue(making, branch, depth + 1);
    const own = findMembers(document, document.follow(branch));
    // A branch often only names which members of the schema are required.
    for (const name of own.required) asked.add(name);
    for (const [name, member] of isPlainObject(value) ? Object.entries(value) : [])
      if (own.names.get(name) !== anyMember && !isStated(name)) made.set(name, member);
  }
  const { names, required } = findMembers(document, schema);
  const sent = [...names].filter(([, member]) => document.follow(member)["readOnly"] !== true);
  const isNeeded = ([name, member]: readonly [string, unknown]): boolean =>
    required.has(name) ||
    asked.has(name) ||
    (making.hasFiles && isFile(simplify(document, document.follow(member))));
  const add = ([name, member]: readonly [string, unknown]): void => {
    if (made.has(name) || making.left.members <= 0) return;
    making.left.members -= 1;
    made.set(name, makeValue(making, member, depth + 1));
  };
  for (const each of sent.filter(isNeeded)) add(each);
  const { minProperties, additionalProperties: others } = schema;
  const least = Number(minProperties ?? 0);
  for (const each of sent) if (made.size < least) add(each);
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

export function isFileValue(value: unknown): boolean {
  return isPlainObject(value) && "$file" in value;
}
