/** Schemas as compact types: `{id: integer, status?: open|paid, lines: {sku: string}[]}`. */

import type { ApiDocument } from "./api-document.js";
import { listTypes, listValues } from "./check-value.js";
import { listMembers } from "./list-members.js";
import { asList, isObject, type Plain } from "./parse-document.js";

export interface TypeOptions {
  /** How many levels of members are written out. */
  readonly depth: number;
  /** How many members are named in all; the required ones come first. */
  readonly members: number;
  /** A body leaves out what is only in answers, and the other way round. */
  readonly direction: "request" | "answer";
}

interface Writing extends TypeOptions {
  readonly document: ApiDocument;
  readonly left: { members: number };
  readonly open: ReadonlySet<Plain>;
}

const maxValues = 12;
const maxAlternatives = 4;

export function writeType(document: ApiDocument, schema: unknown, options: TypeOptions): string {
  return write({ ...options, document, left: { members: options.members }, open: new Set() }, schema);
}

function write(writing: Writing, given: unknown): string {
  if (!isObject(given)) return "any";
  const schema = writing.document.follow(given);
  // What contains itself, or is deeper than is written out, is told by its kind alone.
  if (writing.open.has(schema)) return "…";
  const inner: Writing = { ...writing, open: new Set([...writing.open, schema]) };
  const values = listValues(schema);
  if (values !== undefined) return writeValues(values);
  const types = listTypes(schema);
  const alternatives = [schema["anyOf"], schema["oneOf"]].map(asList).find(({ length }) => length > 0);
  const isMade = alternatives === undefined || types.includes("object") || schema["properties"] !== undefined;
  if (!isMade && alternatives !== undefined) return writeAlternatives(inner, alternatives);
  if (types.includes("array") || schema["items"] !== undefined) return writeList(inner, schema);
  const isObjectType =
    types.includes("object") || schema["properties"] !== undefined || schema["allOf"] !== undefined;
  if (isObjectType)
    return joinTypes([writeObject(inner, schema), ...types.filter((type) => type !== "object")]);
  return types.length === 0 ? "any" : joinTypes(types.map((type) => nameScalar(type, schema["format"])));
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join("|");
}

/** A format says more than the type it is a form of; `int32` and `float` don't. */
function nameScalar(type: string, format: unknown): string {
  if (type !== "string" || typeof format !== "string" || format === "") return type;
  return cleanName(format, 30);
}

export function writeValues(values: readonly unknown[]): string {
  const shown = values
    .slice(0, maxValues)
    .map((value) => (value === null ? "null" : writeWord(String(value))));
  return values.length > maxValues
    ? `${shown.join("|")}|… ${values.length - maxValues} more`
    : shown.join("|");
}

function writeWord(text: string): string {
  return /^[\w.:/+-]{1,60}$/.test(text) ? text : `'${cleanName(text, 40)}'`;
}

function writeAlternatives(writing: Writing, alternatives: readonly unknown[]): string {
  const shown = alternatives.slice(0, maxAlternatives).map((each) => write(writing, each));
  return joinTypes(alternatives.length > maxAlternatives ? [...shown, "…"] : shown);
}

function writeList(writing: Writing, schema: Plain): string {
  const item = write(writing, schema["items"]);
  return item.includes("|") && !item.endsWith("}") ? `(${item})[]` : `${item}[]`;
}

function writeObject(writing: Writing, schema: Plain): string {
  const { document, direction, depth, left } = writing;
  const { names, required } = listMembers(document, schema);
  const foreign = direction === "request" ? "readOnly" : "writeOnly";
  const own = [...names].filter(([, member]) => document.follow(member)[foreign] !== true);
  const extra = schema["additionalProperties"];
  if (own.length === 0) {
    return isObject(extra) && depth > 0
      ? `{[name]: ${write({ ...writing, depth: depth - 1 }, extra)}}`
      : "object";
  }
  if (depth <= 0) return "{…}";
  const isRequired = ([name]: readonly [string, unknown]): boolean => required.has(name);
  const ordered = [...own.filter(isRequired), ...own.filter((entry) => !isRequired(entry))];
  const shown: string[] = [];
  for (const [name, member] of ordered) {
    if (left.members <= 0) break;
    left.members -= 1;
    const type = write({ ...writing, depth: depth - 1 }, member);
    const preset = direction === "request" ? writeDefault(document.follow(member)) : "";
    // An answer's schema that names nothing as required says nothing of what may be missing.
    const isOptional = !required.has(name) && (direction === "request" || required.size > 0);
    shown.push(`${cleanName(name, 80)}${isOptional ? "?" : ""}: ${type}${preset}`);
  }
  if (shown.length < ordered.length) shown.push(`… ${ordered.length - shown.length} more`);
  return `{${shown.join(", ")}}`;
}

/** ` = 20`, or nothing. */
export function writeDefault(schema: Plain): string {
  const { default: preset } = schema;
  const isScalar = typeof preset === "string" || typeof preset === "number" || typeof preset === "boolean";
  return isScalar && preset !== "" ? ` = ${writeWord(String(preset))}` : "";
}

/** A name that somebody else's document gives: on one line, without characters that no reader sees. */
export function cleanName(name: string, maxCharacters: number): string {
  const clean = name
    .slice(0, maxCharacters * 2)
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  return clean.length <= maxCharacters ? clean : `${clean.slice(0, maxCharacters - 1).toWellFormed()}…`;
}
