/** Schemas as compact types: `{id: integer, status?: open|paid, lines: {sku: string}[]}`. */

import { isPlainObject } from "../../core/base/input.js";
import { clipText } from "../../core/base/text.js";
import type { ApiDocument } from "./api-document.js";
import type { Plain } from "./parse-document.js";
import { type Direction, type ObjectMember, readShape } from "./schema.js";

export interface TypeOptions {
  /** How many levels of members are written out. */
  readonly depth: number;
  /** How many members are named in all; the required ones come first. */
  readonly members: number;
  readonly direction: Direction;
}

interface Writing {
  readonly document: ApiDocument;
  readonly direction: Direction;
  /** How many more may be written, in all. */
  readonly left: { members: number; schemas: number };
  /** The schemas around this one. */
  readonly open: readonly Plain[];
}

const maxValues = 12;
const maxAlternatives = 4;
/** Schemas that are made of others, which are made of others, have more types than anyone could read. */
const maxSchemas = 1_000;

export function writeType(
  document: ApiDocument,
  schema: unknown,
  { depth, members, direction }: TypeOptions,
): string {
  return write({ document, direction, left: { members, schemas: maxSchemas }, open: [] }, schema, depth);
}

function write(writing: Writing, given: unknown, depth: number): string {
  if (!isPlainObject(given)) return "any";
  const { document, direction, left, open } = writing;
  const schema = document.follow(given);
  left.schemas -= 1;
  // What contains itself is written once.
  if (open.includes(schema) || left.schemas < 0) return "…";
  const inner = { ...writing, open: [...open, schema] };
  const shape = readShape(document, schema, direction);
  switch (shape.kind) {
    case "values":
      return writeValues(shape.parts);
    case "choice": {
      const shown = shape.parts.slice(0, maxAlternatives).map((each) => write(inner, each, depth));
      return joinTypes(shape.parts.length > maxAlternatives ? [...shown, "…"] : shown);
    }
    case "list": {
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

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join("|");
}

/** A format is more exact than its type; `int32` and `float` don't. */
function nameScalar(type: string, format: unknown): string {
  return type === "string" && typeof format === "string" && format !== "" ? clipText(format, 30) : type;
}

function writeValues(values: readonly unknown[]): string {
  const shown = values
    .slice(0, maxValues)
    .map((value) => writeWord(Array.isArray(value) ? "[…]" : String(value)));
  const more = values.length - shown.length;
  return more === 0 ? shown.join("|") : `${shown.join("|")}|… ${more} more`;
}

function writeWord(text: string): string {
  return /^[\w.:/+-]{1,60}$/.test(text) ? text : `'${clipText(text, 40)}'`;
}

function writeMembers(writing: Writing, members: readonly ObjectMember[], depth: number): string {
  const { direction, left } = writing;
  if (members.length === 0) return "object";
  if (depth < 0) return "{…}";
  // An answer's schema that names nothing as required does not show what may be missing.
  const marksOptional = direction === "request" || members.some(({ isRequired }) => isRequired);
  const shown: string[] = [];
  for (const { name, schema, isRequired } of members) {
    if (left.members <= 0) break;
    left.members -= 1;
    const preset = direction === "request" ? writeDefault(schema) : "";
    const mark = marksOptional && !isRequired ? "?" : "";
    shown.push(`${clipText(name, 80)}${mark}: ${write(writing, schema, depth)}${preset}`);
  }
  if (shown.length < members.length) shown.push(`… ${members.length - shown.length} more`);
  return `{${shown.join(", ")}}`;
}

/** ` = 20`, or nothing. */
export function writeDefault({ default: preset }: Plain): string {
  const isScalar = ["string", "number", "boolean"].includes(typeof preset) && preset !== "";
  return isScalar ? ` = ${writeWord(String(preset))}` : "";
}
