/** What a schema contains, whatever it is made of: types, values, and the members that an object may have. */

import { isPlainObject } from "../../core/base/input.js";
import type { ApiDocument } from "./api-document.js";
import { asList, asObject, type Plain } from "./parse-document.js";

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

/** Of more values no one chooses, and of more branches no one reads the rest. */
const maxValues = 1_000;
const maxBranches = 200;

/** The values that a schema allows; undefined where it allows any, or more than anyone compares. */
export function listValues(schema: Plain): readonly unknown[] | undefined {
  const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (!Array.isArray(values) || values.length === 0 || values.length > maxValues) return undefined;
  const { default: preset } = schema;
  return preset === undefined || values.includes(preset) ? values : [...values, preset];
}

/** The schemas that one is made of. */
export function listBranches(given: unknown): readonly unknown[] {
  return asList(given).slice(0, maxBranches);
}

export interface Members {
  /** Each name with its schema, as it was found first. */
  readonly names: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether it may have members of any name: by `additionalProperties`, patterns, what can't be followed, or as it names none. */
  readonly isOpen: boolean;
}

const maxSchemas = 500;
/** No object has more; one that does must not keep a call. */
const maxMembers = 2_000;

export function listMembers(document: ApiDocument, schema: Plain): Members {
  const names = new Map<string, unknown>();
  const required = new Set<string>();
  const seen = new Set<Plain>();
  let isOpen = false;
  const collect = (given: unknown, isNeeded: boolean): void => {
    const part = document.follow(given);
    if (seen.has(part)) return;
    seen.add(part);
    const { additionalProperties: extra, unevaluatedProperties: rest } = part;
    const hasPatterns = part["patternProperties"] !== undefined || part["dependentSchemas"] !== undefined;
    const isFree = [extra, rest].some((each) => each === true || isPlainObject(each));
    // What a reference to another address leads to is empty here, and may know any name.
    isOpen ||= isFree || hasPatterns || Object.keys(part).length === 0;
    for (const [name, member] of Object.entries(asObject(part["properties"])))
      if (!names.has(name)) names.set(name, member);
    for (const name of isNeeded ? asList(part["required"]).slice(0, maxMembers) : [])
      required.add(String(name));
    isOpen ||= names.size > maxMembers || seen.size > maxSchemas;
    if (seen.size > maxSchemas || names.size > maxMembers) return;
    for (const each of listBranches(part["allOf"])) collect(each, isNeeded);
    const conditions = [part["if"], part["then"], part["else"]].filter(isPlainObject);
    for (const each of [...listBranches(part["anyOf"]), ...listBranches(part["oneOf"]), ...conditions])
      collect(each, false);
  };
  collect(schema, true);
  return { names, required, isOpen: isOpen || names.size === 0 };
}

/** A request leaves out what only an answer has, and the other way round. */
export type Direction = "request" | "answer";

/** A schema as it is written down. */
export type Shape =
  | { readonly kind: "any" | "list" }
  | { readonly kind: "values" | "choice"; readonly parts: readonly unknown[] }
  | { readonly kind: "scalar"; readonly types: readonly string[] }
  | { readonly kind: "object"; readonly members: readonly ObjectMember[]; readonly types: readonly string[] };

export interface ObjectMember {
  readonly name: string;
  readonly schema: Plain;
  readonly isRequired: boolean;
}

export function readShape(document: ApiDocument, schema: Plain, direction: Direction): Shape {
  const values = listValues(schema);
  if (values !== undefined) return { kind: "values", parts: values };
  const types = listTypes(schema);
  const isObjectType = types.includes("object") || schema["properties"] !== undefined;
  const branches = [schema["anyOf"], schema["oneOf"]].map(listBranches).find(({ length }) => length > 0);
  if (branches !== undefined && !isObjectType) return { kind: "choice", parts: branches };
  if (types.includes("array") || schema["items"] !== undefined) return { kind: "list" };
  if (isObjectType || schema["allOf"] !== undefined)
    return { kind: "object", members: listOwnMembers(document, schema, direction), types };
  return types.length === 0 ? { kind: "any" } : { kind: "scalar", types };
}

/** Required ones first. */
function listOwnMembers(document: ApiDocument, schema: Plain, direction: Direction): ObjectMember[] {
  const { names, required } = listMembers(document, schema);
  const foreign = direction === "request" ? "readOnly" : "writeOnly";
  return [...names]
    .map(([name, member]) => ({ name, schema: document.follow(member), isRequired: required.has(name) }))
    .filter((member) => member.schema[foreign] !== true)
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}
