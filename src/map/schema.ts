/** What a schema says, whatever it is made of: types, values, and the members that an object may have. */

import type { ApiDocument } from "./api-document.js";
import { asList, asObject, isObject, type Plain } from "./parse-document.js";

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

export interface Members {
  /** Each name with its schema, as it was found first. */
  readonly names: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether a member of another name is surely wrong. */
  readonly isClosed: boolean;
}

interface Listing {
  readonly document: ApiDocument;
  readonly names: Map<string, unknown>;
  readonly required: Set<string>;
  readonly seen: Set<Plain>;
  /** Whether any of the schemas lets every name pass. */
  isOpen: boolean;
}

const maxSchemas = 500;

export function listMembers(document: ApiDocument, schema: Plain): Members {
  const names = new Map<string, unknown>();
  const required = new Set<string>();
  const listing: Listing = { document, names, required, seen: new Set(), isOpen: false };
  const isClosed = collect(listing, schema, true);
  const isSure = isClosed && !listing.isOpen && listing.seen.size < maxSchemas;
  return { names, required, isClosed: isSure };
}

/** @returns whether the schema, or all that it may be made of, lets no other name pass. */
function collect(listing: Listing, schema: Plain, isNeeded: boolean): boolean {
  const { document, names, required, seen } = listing;
  if (seen.has(schema) || seen.size >= maxSchemas) return false;
  seen.add(schema);
  for (const [name, member] of Object.entries(asObject(schema["properties"]))) {
    if (!names.has(name)) names.set(name, member);
  }
  for (const name of isNeeded ? asList(schema["required"]) : [])
    if (typeof name === "string") required.add(name);
  const { additionalProperties: extra, unevaluatedProperties: rest } = schema;
  const hasPatterns = schema["patternProperties"] !== undefined || schema["dependentSchemas"] !== undefined;
  // What a reference to another address leads to is empty here, and may know any name.
  if (extra === true || isObject(extra) || hasPatterns || Object.keys(schema).length === 0)
    listing.isOpen = true;
  const each = (branches: unknown, isAlways: boolean): boolean[] =>
    asList(branches)
      .slice(0, 200)
      .map((branch) => collect(listing, document.follow(branch), isNeeded && isAlways));
  const joined = each(schema["allOf"], true);
  const alternatives = [each(schema["anyOf"], false), each(schema["oneOf"], false)];
  each([schema["if"], schema["then"], schema["else"]].filter(isObject), false);
  const isOneClosed = alternatives.some((closed) => closed.length > 0 && closed.every(Boolean));
  return extra === false || rest === false || joined.includes(true) || isOneClosed;
}

/** What stands at a schema's place, for who writes of it. */
export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "values"; readonly values: readonly unknown[] }
  | { readonly kind: "choice"; readonly branches: readonly unknown[] }
  | { readonly kind: "list"; readonly items: unknown }
  | { readonly kind: "scalar"; readonly types: readonly string[]; readonly format: unknown }
  | {
      readonly kind: "object";
      /** Required ones first. */
      readonly members: readonly ObjectMember[];
      /** The schema of members with other names. */
      readonly extra: unknown;
      readonly otherTypes: readonly string[];
    };

export interface ObjectMember {
  readonly name: string;
  readonly schema: Plain;
  readonly isRequired: boolean;
}

/** A request leaves out what only an answer has, and the other way round. */
export type Direction = "request" | "answer";

export function readShape(document: ApiDocument, schema: Plain, direction: Direction): Shape {
  const values = listValues(schema);
  if (values !== undefined) return { kind: "values", values };
  const types = listTypes(schema);
  const { properties, items, format } = schema;
  const isObjectType = types.includes("object") || properties !== undefined;
  const branches = [schema["anyOf"], schema["oneOf"]].map(asList).find(({ length }) => length > 0);
  if (branches !== undefined && !isObjectType) return { kind: "choice", branches };
  if (types.includes("array") || items !== undefined) return { kind: "list", items };
  if (!isObjectType && schema["allOf"] === undefined)
    return types.length === 0 ? { kind: "any" } : { kind: "scalar", types, format };
  const { names, required } = listMembers(document, schema);
  const foreign = direction === "request" ? "readOnly" : "writeOnly";
  const members = [...names]
    .map(([name, member]) => ({ name, schema: document.follow(member), isRequired: required.has(name) }))
    .filter((member) => member.schema[foreign] !== true);
  const inOrder = [
    ...members.filter((each) => each.isRequired),
    ...members.filter((each) => !each.isRequired),
  ];
  const otherTypes = types.filter((type) => type !== "object");
  return { kind: "object", members: inOrder, extra: schema["additionalProperties"], otherTypes };
}
