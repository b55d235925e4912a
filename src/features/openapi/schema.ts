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

/** The values that a schema allows; undefined where it allows any. */
export function listValues(schema: Plain): readonly unknown[] | undefined {
  const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const { default: preset } = schema;
  return preset === undefined || values.includes(preset) ? values : [...values, preset];
}

/** So many branches cost as much as a step. */
const branchesPerStep = 50;

/** The schemas that one is made of; none where reading so many would cost too much. */
export function listBranches(document: ApiDocument, given: unknown): readonly unknown[] {
  const all = asList(given);
  return document.spend(all.length / branchesPerStep) ? all : [];
}

export interface Members {
  /** Each name with its schema, as it was found first. */
  readonly names: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether a member of another name is surely wrong. */
  readonly isClosed: boolean;
  /** Whether members of other names are described: by `additionalProperties`, patterns, or what can't be followed. */
  readonly isOpen: boolean;
}

const maxSchemas = 500;

export function listMembers(document: ApiDocument, schema: Plain): Members {
  const names = new Map<string, unknown>();
  const required = new Set<string>();
  const seen = new Set<Plain>();
  let isOpen = false;
  /** @returns whether the schema, or all that it may be made of, lets no other name pass. */
  const collect = (given: unknown, isNeeded: boolean): boolean => {
    if (seen.size >= maxSchemas) return false;
    const part = document.follow(given);
    if (seen.has(part)) return false;
    seen.add(part);
    const members = Object.entries(asObject(part["properties"]));
    if (!document.spend(members.length)) {
      isOpen = true;
      return false;
    }
    for (const [name, member] of members) if (!names.has(name)) names.set(name, member);
    for (const name of isNeeded ? asList(part["required"]) : []) required.add(String(name));
    const { additionalProperties: extra, unevaluatedProperties: rest } = part;
    const hasPatterns = part["patternProperties"] !== undefined || part["dependentSchemas"] !== undefined;
    // What a reference to another address leads to is empty here, and may know any name.
    const isFree = [extra, rest].some((each) => each === true || isPlainObject(each));
    isOpen ||= isFree || hasPatterns || Object.keys(part).length === 0;
    const each = (branches: unknown, isAlways: boolean): boolean[] =>
      asList(branches).map((branch) => collect(branch, isNeeded && isAlways));
    const joined = each(part["allOf"], true);
    const alternatives = [each(part["anyOf"], false), each(part["oneOf"], false)];
    each([part["if"], part["then"], part["else"]].filter(isPlainObject), false);
    const isOneClosed = alternatives.some((closed) => closed.length > 0 && closed.every(Boolean));
    return extra === false || rest === false || joined.includes(true) || isOneClosed;
  };
  const isClosed = collect(schema, true);
  isOpen ||= seen.size >= maxSchemas;
  return { names, required, isClosed: isClosed && !isOpen, isOpen };
}

/** A request leaves out what only an answer has, and the other way round. */
export type Direction = "request" | "answer";

function foreignMark(direction: Direction = "request"): "readOnly" | "writeOnly" {
  return direction === "request" ? "readOnly" : "writeOnly";
}

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
  // A list of values is searched for the default.
  const isRead = document.spend(asList(schema["enum"]).length / 10);
  const values = isRead ? listValues(schema) : undefined;
  if (values !== undefined) return { kind: "values", parts: values };
  const types = listTypes(schema);
  const isObjectType = types.includes("object") || schema["properties"] !== undefined;
  const branches = [schema["anyOf"], schema["oneOf"]].map(asList).find(({ length }) => length > 0);
  if (branches !== undefined && !isObjectType) return { kind: "choice", parts: branches };
  if (types.includes("array") || schema["items"] !== undefined) return { kind: "list" };
  if (isObjectType || schema["allOf"] !== undefined)
    return { kind: "object", members: listOwnMembers(document, schema, direction), types };
  return types.length === 0 ? { kind: "any" } : { kind: "scalar", types };
}

/** Required ones first. */
function listOwnMembers(document: ApiDocument, schema: Plain, direction: Direction): ObjectMember[] {
  const { names, required } = listMembers(document, schema);
  return [...names]
    .map(([name, member]) => ({ name, schema: document.follow(member), isRequired: required.has(name) }))
    .filter((member) => member.schema[foreignMark(direction)] !== true)
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}
