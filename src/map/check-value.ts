/** Holds a value against a schema: what is certainly wrong with it, and nothing that the schema leaves open. */

import type { ApiDocument } from "./api-document.js";
import { listMembers, type Members } from "./list-members.js";
import { asList, asObject, isObject, type Plain } from "./parse-document.js";

export type ValueFlawKind = "type" | "enum" | "missing" | "unknown";

export interface ValueFlaw {
  readonly kind: ValueFlawKind;
  /** Where, such as `lines[0].amount`; `""` is the value itself. */
  readonly at: string;
  /** The same without indices, by which one kind of mistake is told from another. */
  readonly place: string;
  /** What may stand there: types, values or names. */
  readonly expected: readonly string[];
  /** What stands there, by its type for a wrong type. */
  readonly given: string;
}

export interface ValueCheck {
  readonly document: ApiDocument;
  /** A request leaves out what only an answer has, and the other way round. @default "request" */
  readonly direction?: "request" | "answer";
  /** @default 8 */
  readonly maxFlaws?: number;
}

const defaultMaxFlaws = 8;
const maxSteps = 3_000;
const maxDepth = 24;
const maxRows = 50;
/** Of a longer list of values no more are compared for the nearest one. */
export const maxValues = 1_000;

interface Walk extends ValueCheck {
  readonly flaws: ValueFlaw[];
  /** Shared with the walks that try alternatives. */
  readonly left: { steps: number };
}

interface Place {
  readonly at: string;
  readonly place: string;
  readonly depth: number;
  /** Members that the schemas around this one know. */
  readonly known?: Members;
}

export function findValueFlaws(schema: unknown, value: unknown, check: ValueCheck): ValueFlaw[] {
  const walk: Walk = { ...check, flaws: [], left: { steps: maxSteps } };
  visit(walk, schema, value, { at: "", place: "", depth: 0 });
  return walk.flaws;
}

function visit(walk: Walk, given: unknown, value: unknown, here: Place): void {
  walk.left.steps -= 1;
  if (walk.left.steps < 0 || walk.flaws.length >= (walk.maxFlaws ?? defaultMaxFlaws) || here.depth > maxDepth)
    return;
  // Documents forget `nullable` more often than not, and null often stands for "nothing".
  if (value === null || value === undefined || !isObject(given)) return;
  const schema = walk.document.follow(given);
  if (isOwnExample(schema, value)) return;
  const types = listTypes(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    add(walk, here, { kind: "type", expected: types, given: typeOf(value) });
    return;
  }
  const values = listValues(schema);
  if (values !== undefined && !values.some((each) => isSame(each, value))) {
    add(walk, here, { kind: "enum", expected: values.slice(0, maxValues).map(String), given: show(value) });
    return;
  }
  const members = isObject(value) ? (here.known ?? listMembers(walk.document, schema)) : undefined;
  const inner: Place = {
    ...here,
    depth: here.depth + 1,
    ...(members === undefined ? {} : { known: members }),
  };
  for (const branch of asList(schema["allOf"])) visit(walk, branch, value, inner);
  visitAlternatives(walk, schema, value, inner);
  if (Array.isArray(value)) visitItems(walk, schema, value, here);
  else if (isObject(value) && members !== undefined)
    visitMembers(walk, schema, value, { ...here, known: members });
}

function add(walk: Walk, { at, place }: Place, flaw: Pick<ValueFlaw, "kind" | "expected" | "given">): void {
  walk.flaws.push({ ...flaw, at, place });
}

/** A value fits `anyOf` or `oneOf` when nothing is certainly wrong with it in one of them; else the nearest one's flaws count. */
function visitAlternatives(walk: Walk, schema: Plain, value: unknown, here: Place): void {
  for (const name of ["anyOf", "oneOf"]) {
    const branches = asList(schema[name]).slice(0, 200);
    let best: ValueFlaw[] | undefined;
    for (const branch of branches) {
      const attempt: Walk = { ...walk, flaws: [] };
      visit(attempt, branch, value, here);
      if (best === undefined || weigh(attempt.flaws) < weigh(best)) best = attempt.flaws;
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

function visitItems(walk: Walk, schema: Plain, value: readonly unknown[], { at, place, depth }: Place): void {
  const { items } = schema;
  if (!isObject(items)) return;
  for (const [index, item] of value.slice(0, maxRows).entries())
    visit(walk, items, item, { at: `${at}[${index}]`, place: `${place}[]`, depth: depth + 1 });
}

function visitMembers(walk: Walk, schema: Plain, value: Plain, here: Place): void {
  const { at, place, depth, known } = here;
  const properties = asObject(schema["properties"]);
  const direction = walk.direction ?? "request";
  const foreign = direction === "request" ? "readOnly" : "writeOnly";
  for (const name of asList(schema["required"])) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    const own = Object.hasOwn(properties, name) ? walk.document.follow(properties[name]) : {};
    const inner = { at: join(at, name), place: join(place, name), depth };
    if (own[foreign] !== true) add(walk, inner, { kind: "missing", expected: listTypes(own), given: "" });
  }
  const rest = isObject(schema["additionalProperties"]) ? schema["additionalProperties"] : undefined;
  const patterns = schema["patternProperties"] !== undefined;
  for (const [name, member] of Object.entries(value).slice(0, 1_000)) {
    const inner = { at: join(at, name), place: join(place, name), depth: depth + 1 };
    if (Object.hasOwn(properties, name)) visit(walk, properties[name], member, inner);
    else if (rest !== undefined && !patterns && known?.names.has(name) !== true)
      visit(walk, rest, member, inner);
    // Where several schemas are joined, only the outermost knows all the names.
    else if (known !== undefined && known.owner === schema && known.isClosed && !known.names.has(name)) {
      add(walk, inner, { kind: "unknown", expected: [...known.names.keys()].slice(0, 200), given: name });
    }
  }
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}

const knownTypes = ["string", "integer", "number", "boolean", "object", "array", "null"];

/** The types that a schema names; none where it names none, or one that is no JSON type. */
export function listTypes(schema: Plain): string[] {
  const types = [schema["type"]].flat().filter((type) => type !== undefined);
  const isKnown = types.every((type) => typeof type === "string" && knownTypes.includes(type));
  return isKnown ? types.map(String) : [];
}

/** The values that a schema allows; undefined where it allows any. */
export function listValues(schema: Plain): readonly unknown[] | undefined {
  const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const { default: preset } = schema;
  return preset === undefined || values.includes(preset) ? values : [...values, preset];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      // A type that names a binary string is sent as one; null was let pass before.
      return typeof value === type;
  }
}

export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

/** Where an example or a default contradicts the schema that it stands in, the schema isn't held against it. */
function isOwnExample(schema: Plain, value: unknown): boolean {
  const given = [schema["example"], schema["x-example"], schema["default"], ...asList(schema["examples"])];
  return given.some((each) => each !== undefined && each !== null && isSame(each, value));
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

function show(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "").slice(0, 100);
}

/** The rules that the document's own examples of a body break, as kind and place: what contradicts itself isn't held against a call. */
export function findBrokenRules(
  document: ApiDocument,
  schema: unknown,
  examples: readonly unknown[],
): Set<string> {
  const flaws = examples.slice(0, 50).flatMap((example) => {
    const value = typeof example === "string" ? parseText(example) : example;
    return findValueFlaws(schema, value, { document, maxFlaws: 200 });
  });
  return new Set(flaws.map(({ kind, place }) => `${kind} ${place}`));
}

/** The value of a JSON text; undefined where it is none. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
