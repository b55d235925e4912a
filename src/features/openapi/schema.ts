/** Reads what a schema contains (types, values, members), and writes it as a compact type: `{id: integer, status?: open|paid}`. */

import { isPlainObject } from "../../core/base/input.js";
import { clipText } from "../../core/base/text.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { isMadeInto } from "./discriminator.js";
import { listValues, type NamedValues, writeValues, writeWord } from "./enumerations.js";

const knownTypes = ["string", "integer", "number", "boolean", "object", "array", "null"];

/** No schema names more: there are seven. */
const maxTypes = 20;

/** The types that a schema names; none where it names none, or one that JSON does not have. */
export function listTypes(schema: Plain): string[] {
  const { type: given = [] } = schema;
  const types = Array.isArray(given) ? given : [given];
  if (types.length > maxTypes) return [];
  const isKnown = types.every((type) => typeof type === "string" && knownTypes.includes(type));
  return isKnown ? types.map(String) : [];
}

const maxParts = 20;

/**
 * The schema itself; for one that `allOf` makes of scalars or lists alone, the scalar or list that they make: `type`, `enum`, `format` and the
 * like are in its parts, of which there are at most so many in all: parts that are made of parts multiply.
 */
export function simplify(document: ApiDocument, schema: Plain, most: number = maxParts): Plain {
  const parts = asList(schema["allOf"]);
  const { allOf: _allOf, ...own } = schema;
  if (parts.length === 0 || parts.length > most || isObjectLike(own)) return schema;
  const mostOfEach = Math.floor((most - 1) / parts.length);
  let merged: Plain = {};
  for (const part of parts) {
    const simple = simplify(document, document.follow(part), mostOfEach);
    if (isObjectLike(simple)) return schema;
    merged = { ...merged, ...simple };
  }
  return { ...merged, ...own };
}

function isObjectLike(schema: Plain): boolean {
  return (
    ["properties", "allOf", "oneOf", "anyOf", "additionalProperties"].some(
      (name) => schema[name] !== undefined,
    ) || listTypes(schema).includes("object")
  );
}

/** The types of a value, `null` apart, also where only its members, its items or its branches show them. */
export function readTypes(document: ApiDocument, given: Plain): string[] {
  const schema = simplify(document, given);
  const types = listTypes(schema).filter((type) => type !== "null");
  if (types.length > 0) return types;
  if (schema["properties"] !== undefined || schema["allOf"] !== undefined) return ["object"];
  if ((schema["items"] ?? schema["prefixItems"]) !== undefined) return ["array"];
  const branches = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])].slice(0, maxParts);
  const found = branches.flatMap((branch) =>
    listTypes(simplify(document, document.follow(branch))),
  );
  return [...new Set(found)].filter((type) => type !== "null");
}

const maxBranches = 200;

/** The schemas that one is made of. */
export function listBranches(given: unknown): readonly unknown[] {
  return asList(given).slice(0, maxBranches);
}

/** Keywords that make names depend on names or values: any is right. */
const conditions = ["patternProperties", "dependentSchemas", "if"];
const maxSchemas = 500;
/** No object has more; one that does must not keep a call. */
const maxMembers = 2_000;

/** The members that an object may have. */
export interface Members {
  /** Each name with its schema, as it was found first; `anyMember` for one that is only required. */
  readonly names: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether it may have members of any name: by `additionalProperties`, patterns, what can't be followed, or as it names none. */
  readonly isOpen: boolean;
}

/** The schema of a member that an object requires and does not describe. */
export const anyMember: Plain = Object.freeze({});

export function findMembers(document: ApiDocument, schema: Plain): Members {
  const names = new Map<string, unknown>();
  const required = new Set<string>();
  const seen = new Set<Plain>();
  let isOpen = isMadeInto(document.follow(schema));
  const collect = (given: unknown, isNeeded: boolean): void => {
    const part = document.follow(given);
    if (seen.has(part)) return;
    seen.add(part);
    const { additionalProperties: extra, unevaluatedProperties: rest } = part;
    const isFree = [extra, rest].some((each) => each === true || isPlainObject(each));
    // A reference to another address leads to an empty object here, which may know any name.
    isOpen ||=
      isFree ||
      Object.keys(part).length === 0 ||
      conditions.some((each) => Object.hasOwn(part, each));
    for (const [name, member] of Object.entries(asObject(part["properties"])))
      if (!names.has(name)) names.set(name, member);
    for (const name of isNeeded ? asList(part["required"]).slice(0, maxMembers) : [])
      required.add(String(name));
    isOpen ||= names.size > maxMembers || seen.size > maxSchemas;
    if (seen.size > maxSchemas || names.size > maxMembers) return;
    for (const each of listBranches(part["allOf"])) collect(each, isNeeded);
    for (const each of [...listBranches(part["anyOf"]), ...listBranches(part["oneOf"])])
      collect(each, false);
  };
  collect(schema, true);
  for (const name of required) if (!names.has(name)) names.set(name, anyMember);
  return { names, required, isOpen: isOpen || names.size === 0 };
}

/** A request leaves out what only an answer has, and the other way round. */
export type Direction = "request" | "answer";

/** A member of an object, in one direction. */
export interface ObjectMember {
  readonly name: string;
  readonly schema: Plain;
  readonly isRequired: boolean;
}

/** A schema as it is written down. */
export type Shape =
  | { readonly kind: "values" | "choice"; readonly parts: readonly unknown[] }
  | { readonly kind: "list" | "any" }
  | { readonly kind: "scalar"; readonly types: readonly string[] }
  | {
      readonly kind: "object";
      readonly members: readonly ObjectMember[];
      readonly types: readonly string[];
    };

export function readShape(document: ApiDocument, given: Plain, direction: Direction): Shape {
  const schema = simplify(document, given);
  const values = listValues(schema);
  if (values !== undefined) return { kind: "values", parts: values };
  const types = listTypes(schema);
  const hasMembers = schema["properties"] !== undefined && types.every((type) => type === "null");
  const isObjectType = types.includes("object") || hasMembers;
  const branches = [schema["anyOf"], schema["oneOf"]]
    .map(listBranches)
    .find(({ length }) => length > 0);
  if (branches !== undefined && !isObjectType) return { kind: "choice", parts: branches };
  const items = schema["items"] ?? schema["prefixItems"];
  if (types.includes("array") || items !== undefined) return { kind: "list" };
  if (isObjectType || schema["allOf"] !== undefined)
    return { kind: "object", members: listOwnMembers(document, schema, direction), types };
  return types.length === 0 ? { kind: "any" } : { kind: "scalar", types };
}

/** Required ones first. */
function listOwnMembers(
  document: ApiDocument,
  schema: Plain,
  direction: Direction,
): readonly ObjectMember[] {
  const { names, required } = findMembers(document, schema);
  const foreign = direction === "request" ? "readOnly" : "writeOnly";
  return [...names]
    .map(([name, member]) => ({
      name,
      schema: document.follow(member),
      isRequired: required.has(name),
    }))
    .filter((member) => member.schema[foreign] !== true)
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

export interface TypeOptions {
  /** How many levels of members are written out. */
  readonly depth: number;
  /** How many members are named in all; the required ones come first. */
  readonly members: number;
  readonly direction: Direction;
  /** The name of the parameter, where the schema is that of one of a request. */
  readonly name?: string;
  /** Takes each enumeration of a request that is written. */
  readonly onValues?: ((found: NamedValues) => void) | undefined;
}

interface Writing extends Pick<TypeOptions, "direction" | "onValues"> {
  readonly document: ApiDocument;
  /** How many more may be written, in all. */
  readonly left: { members: number; schemas: number };
  /** The name of the parameter or member of a request. */
  readonly name: string | undefined;
  /** The schemas around this one. */
  readonly open: readonly Plain[];
}

const maxAlternatives = 4;
/** Schemas that are made of others, which are made of others, have more types than anyone could read. */
const maxWritten = 1_000;

export function writeType(
  document: ApiDocument,
  schema: unknown,
  { depth, members, direction, name, onValues }: TypeOptions,
): string {
  const left = { members, schemas: maxWritten };
  return write({ document, direction, name, onValues, left, open: [] }, schema, depth);
}

function write(writing: Writing, given: unknown, depth: number): string {
  if (!isPlainObject(given)) return "any";
  const { document, direction, left, open } = writing;
  const schema = document.follow(given);
  left.schemas -= 1;
  // A schema that contains itself is written once.
  if (open.includes(schema) || left.schemas < 0) return "…";
  const inner = { ...writing, open: [...open, schema] };
  const shape = readShape(document, schema, direction);
  switch (shape.kind) {
    case "values":
      return writeEnumeration(writing, simplify(document, schema), shape.parts);
    case "choice": {
      const shown = shape.parts.slice(0, maxAlternatives).map((each) => write(inner, each, depth));
      return joinTypes(shape.parts.length > maxAlternatives ? [...shown, "…"] : shown);
    }
    case "list": {
      const first = asList(schema["prefixItems"]).slice(0, maxParts);
      if (first.length > 0) return `[${first.map((each) => write(inner, each, depth)).join(", ")}]`;
      const item = write(inner, schema["items"], depth);
      return item.includes("|") && !item.endsWith("}") ? `(${item})[]` : `${item}[]`;
    }
    case "scalar":
      return joinTypes(shape.types.map((type) => nameScalar(type, schema["format"])));
    case "object": {
      const extra = schema["additionalProperties"];
      const isMap = shape.members.length === 0 && isPlainObject(extra) && depth > 0;
      const own = isMap
        ? `{[name]: ${write(inner, extra, depth - 1)}}`
        : writeMembers(inner, shape.members, depth - 1);
      return joinTypes([own, ...shape.types.filter((type) => type !== "object")]);
    }
    default:
      return "any";
  }
}

function writeEnumeration(
  { name, onValues }: Writing,
  schema: Plain,
  values: readonly unknown[],
): string {
  if (name !== undefined) onValues?.({ name, values, schema });
  return writeValues(schema, values, name);
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join("|");
}

/** A format is more exact than its type; `int32` and `float` don't. */
function nameScalar(type: string, format: unknown): string {
  return type === "string" && typeof format === "string" && format !== ""
    ? clipText(format, 30)
    : type;
}

function writeMembers(writing: Writing, members: readonly ObjectMember[], depth: number): string {
  const { direction, left } = writing;
  if (members.length === 0) return "object";
  if (depth < 0) return "{…}";
  // An answer's schema that names nothing as required does not show what may be missing.
  const marksOptional = direction === "request" || members.some(({ isRequired }) => isRequired);
  const shown: string[] = [];
  const reserved = members.slice(0, left.members).filter(({ isRequired }) => isRequired).length;
  left.members -= reserved;
  for (const { name, schema, isRequired } of members) {
    if (shown.length >= reserved && left.members <= 0) break;
    if (shown.length >= reserved) left.members -= 1;
    const preset = direction === "request" ? writeDefault(schema) : "";
    const mark = marksOptional && !isRequired ? "?" : "";
    const inner = { ...writing, name: direction === "request" ? name : undefined };
    const type = write(inner, schema, depth);
    // Most members of answers are texts: there a name without a type is one.
    const told = direction === "answer" && type === "string" ? "" : `: ${type}`;
    shown.push(`${clipText(name, 80)}${mark}${told}${preset}`);
  }
  if (shown.length < members.length) shown.push(`… ${members.length - shown.length} more`);
  return `{${shown.join(", ")}}`;
}

/** ` = 20`, or nothing. */
export function writeDefault({ default: preset }: Plain): string {
  const isScalar = ["string", "number", "boolean"].includes(typeof preset) && preset !== "";
  return isScalar ? ` = ${writeWord(String(preset))}` : "";
}
