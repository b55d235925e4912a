/** Which members an object may have by a schema and all those that it is made of, and whether there may be others. */

import type { ApiDocument } from "./api-document.js";
import { asList, asObject, isObject, type Plain } from "./parse-document.js";

export interface Members {
  /** The outermost schema: those that it is made of know only a part. */
  readonly owner: Plain;
  /** Each name with its schema, as it was found first. */
  readonly names: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether a member of another name is surely wrong. */
  readonly isClosed: boolean;
}

/** `unsaid` leaves it open, too, but lets another schema that is joined with this one close it. */
type Closure = "closed" | "open" | "unsaid";

const maxSchemas = 500;

interface Listing {
  readonly document: ApiDocument;
  readonly names: Map<string, unknown>;
  readonly required: Set<string>;
  readonly seen: Set<Plain>;
}

export function listMembers(document: ApiDocument, schema: Plain): Members {
  const listing: Listing = { document, names: new Map(), required: new Set(), seen: new Set() };
  const closure = list(listing, schema, true);
  const { names, required, seen } = listing;
  return { owner: schema, names, required, isClosed: closure === "closed" && seen.size < maxSchemas };
}

function list(listing: Listing, schema: Plain, isNeeded: boolean): Closure {
  const { document, names, required, seen } = listing;
  if (seen.has(schema) || seen.size >= maxSchemas) return "unsaid";
  seen.add(schema);
  for (const [name, member] of Object.entries(asObject(schema["properties"]))) {
    if (!names.has(name)) names.set(name, member);
  }
  for (const name of isNeeded ? asList(schema["required"]) : [])
    if (typeof name === "string") required.add(name);
  const each = (name: string, isAlwaysNeeded: boolean): Closure[] =>
    asList(schema[name])
      .slice(0, 200)
      .map((branch) => {
        const inner = document.follow(branch);
        // What a reference to another address leads to may know any name.
        return Object.keys(inner).length === 0 ? "open" : list(listing, inner, isNeeded && isAlwaysNeeded);
      });
  const joined = [closureOf(schema), ...each("allOf", true)];
  const alternatives = [each("anyOf", false), each("oneOf", false)].filter(({ length }) => length > 0);
  const conditions = ["if", "then", "else"].flatMap((name) =>
    isObject(schema[name]) ? [list(listing, document.follow(schema[name]), false)] : [],
  );
  if ([...joined, ...alternatives.flat(), ...conditions].includes("open")) return "open";
  if (joined.includes("closed")) return "closed";
  const areClosed = alternatives.some((closures) => closures.every((closure) => closure === "closed"));
  return areClosed ? "closed" : alternatives.length > 0 ? "open" : "unsaid";
}

function closureOf(schema: Plain): Closure {
  const { additionalProperties: extra, unevaluatedProperties: rest } = schema;
  if (extra === true || isObject(extra) || schema["patternProperties"] !== undefined) return "open";
  if (schema["dependentSchemas"] !== undefined) return "open";
  return extra === false || rest === false ? "closed" : "unsaid";
}
