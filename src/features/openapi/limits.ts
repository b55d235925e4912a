/** The limits of a schema that a value breaks: ranges, lengths, counts, formats. */

import { isPlainObject } from "../../core/base/input.js";
import type { Plain } from "./api-document.js";

/** The most items that are looked at. */
const maxItems = 200;

/** A limit, the number that it bounds, and whether it is the least or the most. */
type Limit = readonly [name: string, measure: (value: unknown) => number | undefined, sign: 1 | -1];

const limits: readonly Limit[] = [
  ["minimum", toNumber, 1],
  ["maximum", toNumber, -1],
  ["minLength", countCharacters, 1],
  ["maxLength", countCharacters, -1],
  ["minItems", countItems, 1],
  ["maxItems", countItems, -1],
  ["minProperties", countMembers, 1],
  ["maxProperties", countMembers, -1],
];

/** Numbers in OpenAPI 3.1, and `true` beside another limit in 3.0. */
const strictLimits: readonly (readonly [...limit: Limit, beside: string])[] = [
  ["exclusiveMinimum", toNumber, 1, "minimum"],
  ["exclusiveMaximum", toNumber, -1, "maximum"],
];

/** The sign that a text of a format surely has. */
const formats: ReadonlyMap<unknown, RegExp> = new Map([
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["date-time", /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d.{0,15}(?:[Zz]|[+-]\d\d:?\d\d)$/],
  ["email", /^[^@\s]+@[^@\s]+$/],
  ["uri", /^[a-z][a-z\d+.-]*:\S/i],
  ["uuid", /^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i],
]);

/** @returns Each as it is written in the schema, such as `maximum: 100` */
export function listBroken(schema: Plain, value: unknown): string[] {
  const broken = limits.filter(([name, measure, sign]) => {
    const [limit, found] = [schema[name], measure(value)];
    return typeof limit === "number" && found !== undefined && (found - limit) * sign < 0;
  });
  const strict = strictLimits.filter(([name, measure, sign, beside]) => {
    const limit = schema[name] === true ? schema[beside] : schema[name];
    const found = measure(value);
    return typeof limit === "number" && found !== undefined && (found - limit) * sign <= 0;
  });
  const names = [...broken, ...strict].map(([name]) => name);
  const { format, uniqueItems } = schema;
  const sign = formats.get(format);
  if (typeof value === "string" && sign?.test(value) === false) names.push("format");
  const isEqual = uniqueItems === true && Array.isArray(value) && hasEqual(value);
  if (isEqual) names.push("uniqueItems");
  return names.map((name) => `${name}: ${String(schema[name])}`);
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function countCharacters(value: unknown): number | undefined {
  return typeof value === "string" ? [...value].length : undefined;
}

function countItems(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function countMembers(value: unknown): number | undefined {
  return isPlainObject(value) ? Object.keys(value).length : undefined;
}

function hasEqual(values: readonly unknown[]): boolean {
  const texts = values.slice(0, maxItems).map((item) => JSON.stringify(item));
  return new Set(texts).size < texts.length;
}
