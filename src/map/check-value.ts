/** Holds a value against a schema: what is certainly wrong with it, and nothing that the schema leaves open. */

import type { ApiDocument } from "./api-document.js";
import { asList, asObject, isObject, type Plain } from "./parse-document.js";
import { listMembers, listTypes, listValues, type Members } from "./schema.js";

export interface ValueFlaw {
  readonly kind: "type" | "enum" | "missing" | "unknown";
  /** Where, such as `lines[0].amount`; `""` is the value itself. */
  readonly at: string;
  /** What may stand there: types, values or names. */
  readonly expected: readonly string[];
  /** What stands there, by its type for a wrong type. */
  readonly given: string;
}

export interface ValueCheck {
  readonly document: ApiDocument;
  readonly schema: unknown;
  /** A request leaves out what only an answer has, and the other way round. @default "request" */
  readonly direction?: "request" | "answer";
  /** Whether the value is a parameter, which travels as text: `5` is an integer there, and `a,b` a list. @default false */
  readonly isText?: boolean;
}

const maxFlaws = 100;
const maxSteps = 3_000;
const maxDepth = 24;
const maxRows = 50;
/** Of a longer list of values no more are compared for the nearest one. */
const maxValues = 1_000;

interface Walk extends ValueCheck {
  readonly flaws: ValueFlaw[];
  /** Shared with the walks that try alternatives. */
  readonly left: { steps: number };
}

interface Place {
  readonly at: string;
  readonly depth: number;
  /** Members that the schemas around this one know. */
  readonly known?: Members | undefined;
}

export function findValueFlaws(check: ValueCheck, value: unknown): ValueFlaw[] {
  const walk: Walk = { ...check, flaws: [], left: { steps: maxSteps } };
  visit(walk, check.schema, value, { at: "", depth: 0 });
  return walk.flaws;
}

/** Without the kinds of flaws that examples of the document itself have: what contradicts itself isn't held against a call. */
export function findFlawsUnlike(
  examples: readonly unknown[],
  check: ValueCheck,
  value: unknown,
): ValueFlaw[] {
  const flaws = findValueFlaws(check, value);
  if (flaws.length === 0) return [];
  const own = examples.slice(0, 50).map((each) => {
    if (check.isText) return isObject(each) ? undefined : [each].flat().join();
    return typeof each === "string" ? parseText(each) : each;
  });
  const broken = new Set(own.flatMap((example) => findValueFlaws(check, example)).map(writeRule));
  return flaws.filter((flaw) => !broken.has(writeRule(flaw)));
}

/** What is broken, and where, in whichever row of a list. */
export function writeRule({ kind, at }: ValueFlaw): string {
  return `${kind} ${at.replace(/\[\d+\]/g, "[]")}`;
}

function visit(walk: Walk, given: unknown, value: unknown, here: Place): void {
  walk.left.steps -= 1;
  if (walk.left.steps < 0 || walk.flaws.length >= maxFlaws || here.depth > maxDepth) return;
  // Documents forget `nullable` more often than not, and null and "" often stand for "nothing".
  if (value === null || value === undefined || (walk.isText && value === "") || !isObject(given)) return;
  const schema = walk.document.follow(given);
  const isEqual = walk.isText ? isSameText : isSame;
  const examples = listExamples(schema);
  if (examples.some((each) => isEqual(each, value))) return;
  const types = listTypes(schema);
  if (walk.isText && types.includes("object")) return;
  if (walk.isText && types.includes("array")) {
    visitTexts(walk, schema, String(value), here);
    return;
  }
  const isWrong = (each: unknown): boolean =>
    types.length > 0 && !types.some((type) => isOfType(walk, each, type));
  if (isWrong(value)) {
    if (!examples.some(isWrong))
      add(walk, here, { kind: "type", expected: types, given: walk.isText ? show(value) : nameType(value) });
    return;
  }
  const values = listValues(schema);
  if (values !== undefined && !values.some((each) => isEqual(each, value))) {
    const expected = values
      .filter((each) => each !== null)
      .slice(0, maxValues)
      .map(String);
    add(walk, here, { kind: "enum", expected, given: show(value) });
    return;
  }
  // Where several schemas are joined, only the outermost knows all the names.
  const known = isObject(value) && here.known === undefined ? listMembers(walk.document, schema) : here.known;
  const inner = { at: here.at, depth: here.depth + 1, known };
  for (const branch of asList(schema["allOf"])) visit(walk, branch, value, inner);
  visitAlternatives(walk, schema, value, inner);
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, maxRows).entries())
      visit(walk, schema["items"], item, { at: `${here.at}[${index}]`, depth: inner.depth });
  } else if (isObject(value) && known !== undefined)
    visitMembers(walk, schema, value, { ...here, known, isOutermost: here.known === undefined });
}

function add(walk: Walk, { at }: Place, flaw: Omit<ValueFlaw, "at">): void {
  walk.flaws.push({ ...flaw, at });
}

/** What is wrong with the value by one of several schemas. */
function attempt(walk: Walk, schema: unknown, value: unknown, here: Place): ValueFlaw[] {
  const flaws: ValueFlaw[] = [];
  visit({ ...walk, flaws }, schema, value, here);
  return flaws;
}

/** A value fits `anyOf` or `oneOf` when nothing is certainly wrong with it in one of them; else the nearest one's flaws count. */
function visitAlternatives(walk: Walk, schema: Plain, value: unknown, here: Place): void {
  for (const name of ["anyOf", "oneOf"]) {
    let best: ValueFlaw[] | undefined;
    for (const branch of asList(schema[name]).slice(0, 200)) {
      const flaws = attempt(walk, branch, value, here);
      if (best === undefined || weigh(flaws) < weigh(best)) best = flaws;
      if (best.length === 0) break;
    }
    // A type that none of the alternatives has is the document's own contradiction.
    const isContradiction =
      listTypes(schema).length > 0 && best?.some(({ kind, at }) => kind === "type" && at === here.at);
    if (best !== undefined && !isContradiction && walk.left.steps >= 0) walk.flaws.push(...best);
  }
}

/** A wrong type at the very top says that another alternative was meant. */
function weigh(flaws: readonly ValueFlaw[]): number {
  return flaws.reduce((sum, { kind, at }) => sum + (kind === "type" && at === "" ? 5 : 1), 0);
}

/** A list in a parameter may be one value, or several with a comma, a bar or a space between them. */
function visitTexts(walk: Walk, schema: Plain, text: string, here: Place): void {
  const values = listValues(schema);
  const items = values === undefined ? schema["items"] : { enum: values.flat() };
  const inner = { ...here, depth: here.depth + 1 };
  if (attempt(walk, items, text, inner).length === 0) return;
  const parts = text.split(/[,|\s]+/).filter(Boolean);
  const flaws = parts.slice(0, 100).map((part) => attempt(walk, items, part, inner));
  walk.flaws.push(...(flaws.find((each) => each.length > 0) ?? []));
}

interface ObjectPlace extends Place {
  readonly known: Members;
  readonly isOutermost: boolean;
}

function visitMembers(walk: Walk, schema: Plain, value: Plain, here: ObjectPlace): void {
  const { at, depth, known, isOutermost } = here;
  const properties = asObject(schema["properties"]);
  const enter = (name: string): Place => ({ at: at === "" ? name : `${at}.${name}`, depth: depth + 1 });
  const foreign = walk.direction === "answer" ? "writeOnly" : "readOnly";
  for (const name of asList(schema["required"]).map(String)) {
    const own = walk.document.follow(known.names.get(name));
    if (!Object.hasOwn(value, name) && own[foreign] !== true)
      add(walk, enter(name), { kind: "missing", expected: listTypes(own), given: "" });
  }
  const extra = schema["patternProperties"] === undefined ? schema["additionalProperties"] : undefined;
  for (const [name, member] of Object.entries(value).slice(0, 1_000)) {
    if (Object.hasOwn(properties, name)) visit(walk, properties[name], member, enter(name));
    else if (!known.names.has(name)) {
      visit(walk, extra, member, enter(name));
      const expected = [...known.names.keys()].slice(0, 200);
      if (isOutermost && known.isClosed) add(walk, enter(name), { kind: "unknown", expected, given: name });
    }
  }
}

function isOfType({ isText }: Walk, value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return isText ? /^[+-]?\d{1,40}$/.test(String(value)) : Number.isInteger(value);
    case "number":
      return isText ? Number.isFinite(Number(value)) : typeof value === "number";
    case "boolean":
      return isText ? /^(?:true|false|0|1)$/i.test(String(value)) : typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      // Null was let pass before, and an empty parameter, which is how it is written.
      return typeof value === type || (isText === true && type === "null");
  }
}

/** Where an example or a default contradicts the schema that it stands in, the schema isn't held against it. */
function listExamples(schema: Plain): unknown[] {
  const given = [schema["example"], schema["x-example"], schema["default"], ...asList(schema["examples"])];
  return given.filter((each) => each !== undefined && each !== null);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** `True` is `true` for whoever reads it as text; a word in another case is another word. */
function isSameText(one: unknown, other: unknown): boolean {
  const text = String(other);
  return String(one) === (typeof one === "boolean" ? text.toLowerCase() : text);
}

function nameType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function show(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "").slice(0, 100);
}

/** The value of a JSON text; undefined where it is none. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
