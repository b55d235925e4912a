/** The values of an enumeration as a model reads them: with their meanings where the document states these, and how to find the others of many. */

import { isPlainObject } from "../../core/base/input.js";
import { clipText } from "../../core/base/text.js";
import { asList, asObject, asString, type Plain } from "./api-document.js";

/** Lists of values and branches are cut: no one reads longer ones. */
const maxValues = 1_000;
/** More values than these are searched for. */
export const maxShown = 12;
/** The shown form of so many values. */
const maxExamples = 6;

/** An enumeration, with the name of the parameter or member that has it. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly unknown[];
  /** The schema with the meanings of the values. */
  readonly schema: Plain;
}

/** The values that a schema allows; undefined where it allows any, or more than anyone compares. */
export function listValues(schema: Plain): readonly unknown[] | undefined {
  const { const: constant, enum: named } = schema;
  const values = constant === undefined ? (named ?? listConstants(schema)) : [constant];
  if (!Array.isArray(values) || values.length === 0 || values.length > maxValues) return undefined;
  // YAML writes `enum: [0, 1]` without quotes: of a string these are texts.
  return isText(schema) ? values.map(toText) : values;
}

function isText({ type }: Plain): boolean {
  const types = [type].flat();
  return types.includes("string") && types.every((each) => each === "string" || each === "null");
}

function toText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** The values of branches that are constants, each with a title or a description of its own. */
function listConstants({ oneOf, anyOf }: Plain): readonly unknown[] | undefined {
  const branches = asList(oneOf ?? anyOf).slice(0, maxValues + 1);
  const constants = branches.map((branch) => asObject(branch)["const"]);
  return constants.length > 1 && !constants.includes(undefined) ? constants : undefined;
}

/**
 * The meaning of each value, as far as the document states it.
 *
 * @param values - As the schema lists them, from the first on: some documents list the meanings in the same order.
 */
export function readMeanings(
  schema: Plain,
  values: readonly unknown[],
): ReadonlyMap<string, string> {
  const listed = ["x-enum-descriptions", "x-enumDescriptions", "x-enum-varnames", "x-enumNames"]
    .map((name) => schema[name])
    .find((given) => Array.isArray(given) || isPlainObject(given));
  const branches = asList(schema["oneOf"] ?? schema["anyOf"]).map(asObject);
  const description = asString(schema["description"])?.slice(0, maxDescription) ?? "";
  const found = new Map<string, string>();
  for (const [at, value] of values.entries()) {
    const key = String(value);
    const own = Array.isArray(listed) ? listed[at] : asObject(listed)[key];
    const branch = branches.find((each) => each["const"] === value) ?? {};
    const meaning =
      asString(own) ??
      asString(branch["title"]) ??
      asString(branch["description"]) ??
      findMeaning(description, key);
    if (meaning !== undefined && meaning !== key) found.set(key, meaning);
  }
  return found;
}

const maxDescription = 5_000;

/** Finds `* 1 - Draft`, `1: Draft`, "`A` = active" at the beginning of a line, or behind a comma. */
function findMeaning(description: string, value: string): string | undefined {
  if (value.length > 60 || !description.includes(value)) return undefined;
  const mark = "[\\s*`\"'-]{0,8}";
  const escaped = value.replace(/[^\w\s]/g, "\\$&");
  const entry = new RegExp(
    `(?:^|[\\n,;(])${mark}${escaped}[\`"']{0,4}\\s{0,4}(?:[:=]|[-\u2013\u2014](?=\\s))\\s*([^\\n,;)]{1,80})`,
  );
  return asString(entry.exec(description)?.[1]);
}

/** A value that says nothing by itself: a number, or up to three letters. */
function isCode(value: unknown): boolean {
  return /^[\w.+-]{1,3}$|^\d+$/.test(String(value));
}

/**
 * Writes values, such as `open|closed`, `1=Draft|2=Sent`.
 *
 * @param name - Of the parameter or member of a request: more values than are shown are found by it.
 */
export function writeValues(
  schema: Plain,
  values: readonly unknown[],
  name: string | undefined,
): string {
  const isMany = values.length > maxShown;
  const count = isMany && name !== undefined ? maxExamples : maxShown;
  const shown = values.slice(0, count);
  const meanings = shown.every(isCode) ? readMeanings(schema, shown) : undefined;
  const words = shown.map((value) => {
    const meaning = meanings?.get(String(value));
    const word = writeWord(String(value));
    return meaning === undefined ? word : `${word}=${clipText(meaning, 24)}`;
  });
  // A document may list a value twice.
  if (!isMany) return [...new Set(words)].join("|");
  const more = values.length - shown.length;
  if (name === undefined) return `${words.join("|")}|… ${more} more`;
  return `${words.join("|")}|… (${values.length} values; find: "${clipText(name, 40)} WORD")`;
}

export function writeWord(text: string): string {
  return /^[\w.:/+-]{1,60}$/.test(text) ? text : `'${clipText(text, 40)}'`;
}
