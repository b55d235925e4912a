/** What a call that worked shows of an API without a description: its path without ids, its parameters, the shape of its answer. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import type { HttpMethod } from "../source/api-source.js";
import { clipText } from "../text.js";

export interface Shown {
  /** The same for calls of the same kind. */
  readonly key: string;
  /** Such as `GET /orders/{id} ?expand → {id: number, status: string}`. */
  readonly line: string;
}

export interface WorkedCall {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query: readonly string[];
  readonly document?: JsonValue;
}

const maxMembers = 12;
const maxNames = 8;

export function describeWorked({ method, path, query, document }: WorkedCall): Shown {
  const key = `${method} ${toTemplate(path)}`;
  const names = [...new Set(query)].slice(0, maxNames).map((name) => clipText(name, 40));
  const shape = document === undefined ? "" : ` → ${describeShape(document, 4)}`;
  return { key, line: `${key}${names.length === 0 ? "" : ` ?${names.join("&")}`}${shape}` };
}

/** What varies is left out: it is whose call it was, and no endpoint. */
function toTemplate(path: string): string {
  return path
    .split("/")
    .map((segment) => (/^(?:[a-z][a-z_.-]{0,30}|v\d{1,2})?$/i.test(segment) ? segment : "{id}"))
    .join("/");
}

/** A list takes a level, an object two. */
function describeShape(value: JsonValue, levels: number): string {
  if (Array.isArray(value)) {
    const [first] = value;
    const isDeeper = levels <= 0 && typeof first === "object";
    return `${first === undefined || isDeeper ? "any" : describeShape(first, levels - 1)}[]`;
  }
  if (!isJsonObject(value))
    return value === null ? "null" : typeof value === "object" ? "number" : typeof value;
  if (levels <= 0) return "{…}";
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, maxMembers)
    .map(([name, member]) => `${clipText(name, 40)}: ${describeShape(member, levels - 2)}`);
  const more = entries.length > maxMembers ? [`… ${entries.length - maxMembers} more`] : [];
  return `{${[...shown, ...more].join(", ")}}`;
}
