/** Checks a value against a schema: names, required members, scalar types and enums. Whatever else a schema asks for is left to the API. */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import type { ApiDocument } from "./api-document.js";
import { asList, asObject, type Plain } from "./parse-document.js";
import { listMembers, listTypes, listValues, type Members } from "./schema.js";

export interface ValueProblem {
  readonly kind: "type" | "enum" | "missing" | "unknown";
  /** Where, such as `lines[0].amount`; `""` is the value itself. */
  readonly at: string;
  /** What may be there: types, values or names. */
  readonly expected: readonly string[];
  /** What is there, by its type for a wrong type. */
  readonly given: string;
}

export interface ValueCheck {
  readonly document: ApiDocument;
  readonly schema: unknown;
  /** Whether the value is a parameter, which travels as text: `5` is an integer there, and `a,b` a list. @default false */
  readonly isText?: boolean;
}

const maxSteps = 3_000;
const maxDepth = 24;
/** Of longer lists of values or names no more are compared for the nearest one. */
const maxExpected = 300;
/** Of an object no more members are looked at. */
const maxMembers = 1_000;
const maxRequired = 1_000;
const maxExamples = 50;
/** So many values or members cost as much as one step. */
const perStep = 50;

interface Walk extends ValueCheck {
  /** What may still be looked at: whatever the document and the value are, a check ends. */
  readonly left: { steps: number };
  /** What was read once of an object of the value or the document. */
  readonly known: {
    readonly members: Map<Plain, Members & { readonly expected: readonly string[] }>;
    readonly entries: Map<object, readonly (readonly [string, unknown])[]>;
  };
}

interface ValuePlace {
  readonly at: string;
  readonly depth: number;
  /** Members that the schemas around this one know: where several are joined, only the outermost knows all the names. */
  readonly known?: Members | undefined;
}

function findValueProblems(check: ValueCheck, value: unknown): ValueProblem[] {
  const known = { members: new Map(), entries: new Map() };
  return find({ ...check, left: { steps: maxSteps }, known }, check.schema, value, { at: "", depth: 0 });
}

/** Without the kinds of problems that examples of the document itself have: what contradicts itself isn't held against a call. */
export function findProblemsUnlike(
  examples: readonly unknown[],
  check: ValueCheck,
  value: unknown,
): ValueProblem[] {
  const problems = findValueProblems(check, value);
  if (problems.length === 0) return [];
  const own = examples.slice(0, maxExamples).map((each) => {
    if (check.isText) return isPlainObject(each) ? undefined : [each].flat().join();
    return typeof each === "string" ? readPlainJson(each) : each;
  });
  const broken = new Set(own.flatMap((example) => findValueProblems(check, example)).map(writeRule));
  return problems.filter((problem) => !broken.has(writeRule(problem)));
}

/** What is broken, and where, in whichever row of a list. */
function writeRule({ kind, at }: ValueProblem): string {
  return `${kind} ${at.replace(/\[\d+\]/g, "[]")}`;
}

function find(walk: Walk, given: unknown, value: unknown, here: ValuePlace): ValueProblem[] {
  const { document, isText = false, left } = walk;
  const { at, depth } = here;
  left.steps -= 1;
  if (left.steps < 0 || depth > maxDepth) return [];
  // Documents forget `nullable` more often than not, and null and "" often mean "nothing".
  if (value === null || value === undefined || (isText && value === "") || !isPlainObject(given)) return [];
  const schema = document.follow(given);
  const types = listTypes(schema);
  // Where an example or a default contradicts its own schema, the schema is not applied.
  const examples = [
    schema["example"],
    schema["x-example"],
    schema["default"],
    ...asList(schema["examples"]).slice(0, maxExamples),
  ].filter((each) => each !== undefined && each !== null);
  const isSame = (one: unknown, other: unknown): boolean => (isText ? isSameText(one, other) : one === other);
  if (examples.some((each) => isSame(each, value)) || (isText && types.includes("object"))) return [];
  if (isText && types.includes("array")) return findInList(walk, schema, String(value), here);
  const isWrong = (each: unknown): boolean =>
    types.length > 0 && !types.some((type) => (isText ? isTextOf(type, each) : isOf(type, each)));
  if (isWrong(value)) {
    if (examples.some(isWrong)) return [];
    return [{ kind: "type", at, expected: types, given: isText ? show(value) : nameType(value) }];
  }
  // Values that are lists or objects are not compared.
  const values = isScalar(value) ? listValues(schema) : undefined;
  spend(walk, values?.length ?? 0);
  if (values !== undefined && left.steps >= 0 && !values.some((each) => isSame(each, value))) {
    const expected = values.filter((each) => each !== null).slice(0, maxExpected);
    return [{ kind: "enum", at, expected: expected.map(String), given: show(value) }];
  }
  const known = isPlainObject(value) ? (here.known ?? readMembers(walk, schema)) : undefined;
  const inner = { at, depth: depth + 1, known };
  const enter = (index: number): ValuePlace => ({ at: `${at}[${index}]`, depth: depth + 1 });
  return [
    ...[...asList(schema["allOf"]), ...listOnlyAlternative(schema)].flatMap((branch) =>
      find(walk, branch, value, inner),
    ),
    ...(Array.isArray(value)
      ? value.flatMap((item, index) => find(walk, schema["items"], item, enter(index)))
      : []),
    ...(isPlainObject(value) && known !== undefined ? findInMembers(walk, schema, value, here, known) : []),
  ];
}

/** The branch of `anyOf` or `oneOf` where the other one is `null`; between real alternatives the API decides. */
function listOnlyAlternative(schema: Plain): unknown[] {
  return ["anyOf", "oneOf"].flatMap((name) => {
    const branches = asList(schema[name]).filter((branch) => asObject(branch)["type"] !== "null");
    return branches.length === 1 ? branches : [];
  });
}

/** A list in a parameter may be one value, or several with a comma, a bar or a space between them. */
function findInList(walk: Walk, schema: Plain, text: string, here: ValuePlace): ValueProblem[] {
  const values = listValues(schema);
  const items = values === undefined ? schema["items"] : { enum: values.flat() };
  const inner = { ...here, depth: here.depth + 1 };
  if (find(walk, items, text, inner).length === 0) return [];
  const parts = text.split(/[,|\s]+/).filter(Boolean);
  const problems = parts.slice(0, 100).map((part) => find(walk, items, part, inner));
  return problems.find((each) => each.length > 0) ?? [];
}

function findInMembers(
  walk: Walk,
  schema: Plain,
  value: Plain,
  here: ValuePlace,
  known: Members,
): ValueProblem[] {
  const properties = asObject(schema["properties"]);
  const enter = (name: string): ValuePlace => ({
    at: here.at === "" ? name : `${here.at}.${name}`,
    depth: here.depth + 1,
  });
  const required = asList(schema["required"]).slice(0, maxRequired);
  const entries = readEntries(walk, value);
  spend(walk, entries.length + required.length);
  if (walk.left.steps < 0) return [];
  const missing = required.flatMap((each): ValueProblem[] => {
    const name = String(each);
    const own = walk.document.follow(known.names.get(name));
    const isNeeded = !Object.hasOwn(value, name) && own["readOnly"] !== true;
    return isNeeded ? [{ kind: "missing", at: enter(name).at, expected: listTypes(own), given: "" }] : [];
  });
  const wrong = entries.flatMap(([name, member]): ValueProblem[] => {
    if (Object.hasOwn(properties, name)) return find(walk, properties[name], member, enter(name));
    if (known.names.has(name) || here.known !== undefined || !known.isClosed) return [];
    const { expected } = readMembers(walk, schema);
    return [{ kind: "unknown", at: enter(name).at, expected, given: name }];
  });
  return [...missing, ...wrong];
}

function spend({ left }: Walk, count: number): void {
  left.steps -= Math.floor(count / perStep);
}

/** The members of a schema with the names that a hint compares; read once, and paid for by their number. */
function readMembers(walk: Walk, schema: Plain): Members & { readonly expected: readonly string[] } {
  const known = walk.known.members.get(schema);
  if (known !== undefined) return known;
  const members = listMembers(walk.document, schema);
  spend(walk, members.names.size);
  const read = { ...members, expected: [...members.names.keys()].slice(0, maxExpected) };
  walk.known.members.set(schema, read);
  return read;
}

function readEntries({ known: { entries } }: Walk, value: Plain): readonly (readonly [string, unknown])[] {
  const known = entries.get(value) ?? Object.entries(value).slice(0, maxMembers);
  entries.set(value, known);
  return known;
}

function isTextOf(type: string, value: unknown): boolean {
  const text = String(value);
  if (type === "integer") return /^[+-]?\d{1,40}$/.test(text);
  if (type === "number") return Number.isFinite(Number(text));
  return type !== "boolean" || /^(?:true|false|0|1)$/i.test(text);
}

function isOf(type: string, value: unknown): boolean {
  return nameType(value) === type || (type === "number" && typeof value === "number");
}

function nameType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object";
}

/** `True` is `true` to a reader of text; a word in another case is another word. */
function isSameText(one: unknown, other: unknown): boolean {
  const text = String(other);
  return String(one) === (typeof one === "boolean" ? text.toLowerCase() : text);
}

function show(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "").slice(0, 100);
}
