/** Schemas as compact types: `{id: integer, status?: open|paid, lines: {sku: string}[]}`. */

import type { ApiDocument } from "./api-document.js";
import { isObject, type Plain } from "./parse-document.js";
import { type Direction, type ObjectMember, readShape } from "./schema.js";

export interface TypeOptions {
  /** How many levels of members are written out. */
  readonly depth: number;
  /** How many members are named in all; the required ones come first. */
  readonly members: number;
  readonly direction: Direction;
}

interface Writing extends TypeOptions {
  readonly document: ApiDocument;
  readonly left: { members: number; schemas: number };
  /** The schemas around this one. */
  readonly open: readonly Plain[];
}

const maxValues = 12;
const maxAlternatives = 4;
/** Schemas that are made of others, which are made of others, have more types than anyone could read. */
const maxSchemas = 1_000;

export function writeType(document: ApiDocument, schema: unknown, options: TypeOptions): string {
  const left = { members: options.members, schemas: maxSchemas };
  return write({ ...options, document, left, open: [] }, schema);
}

function write(writing: Writing, given: unknown): string {
  if (!isObject(given)) return "any";
  const { document, direction, depth } = writing;
  const schema = document.follow(given);
  writing.left.schemas -= 1;
  // What contains itself is told once.
  if (writing.open.includes(schema) || writing.left.schemas < 0) return "…";
  const inner: Writing = { ...writing, open: [...writing.open, schema] };
  const shape = readShape(document, schema, direction);
  switch (shape.kind) {
    case "values":
      return writeValues(shape.values);
    case "choice": {
      const shown = shape.branches.slice(0, maxAlternatives).map((each) => write(inner, each));
      return joinTypes(shape.branches.length > maxAlternatives ? [...shown, "…"] : shown);
    }
    case "list": {
      const item = write(inner, shape.items);
      return item.includes("|") && !item.endsWith("}") ? `(${item})[]` : `${item}[]`;
    }
    case "scalar":
      return joinTypes(shape.types.map((type) => nameScalar(type, shape.format)));
    case "object": {
      const deeper: Writing = { ...inner, depth: depth - 1 };
      const { members, extra, otherTypes } = shape;
      const isMap = members.length === 0 && isObject(extra) && depth > 0;
      const own = isMap ? `{[name]: ${write(deeper, extra)}}` : writeMembers(deeper, members);
      return joinTypes([own, ...otherTypes]);
    }
    default:
      return "any";
  }
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join("|");
}

/** A format says more than the type it is a form of; `int32` and `float` don't. */
function nameScalar(type: string, format: unknown): string {
  return type === "string" && typeof format === "string" && format !== "" ? cleanName(format, 30) : type;
}

function writeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, maxValues).map((value) => writeWord(String(value)));
  const more = values.length - shown.length;
  return more === 0 ? shown.join("|") : `${shown.join("|")}|… ${more} more`;
}

function writeWord(text: string): string {
  return /^[\w.:/+-]{1,60}$/.test(text) ? text : `'${cleanName(text, 40)}'`;
}

function writeMembers(writing: Writing, members: readonly ObjectMember[]): string {
  const { direction, depth, left } = writing;
  if (members.length === 0) return "object";
  if (depth < 0) return "{…}";
  // An answer's schema that names nothing as required says nothing of what may be missing.
  const saysOptional = direction === "request" || members.some(({ isRequired }) => isRequired);
  const shown: string[] = [];
  for (const { name, schema, isRequired } of members) {
    if (left.members <= 0) break;
    left.members -= 1;
    const preset = direction === "request" ? writeDefault(schema) : "";
    const mark = saysOptional && !isRequired ? "?" : "";
    shown.push(`${cleanName(name, 80)}${mark}: ${write(writing, schema)}${preset}`);
  }
  if (shown.length < members.length) shown.push(`… ${members.length - shown.length} more`);
  return `{${shown.join(", ")}}`;
}

/** ` = 20`, or nothing. */
export function writeDefault({ default: preset }: Plain): string {
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
