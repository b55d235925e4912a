/** Holds a parameter, which travels as text, against its schema. */

import type { ApiDocument } from "./api-document.js";
import { listTypes, listValues, maxValues } from "./check-value.js";
import type { Parameter } from "./operation.js";
import { asList, isObject, type Plain } from "./parse-document.js";

/** What a text should have been. */
export interface TextFlaw {
  readonly kind: "type" | "enum";
  readonly expected: readonly string[];
}

const maxDepth = 8;

/** What is certainly wrong with a parameter's value; undefined for one that may be right. */
export function findTextFlaw(
  document: ApiDocument,
  { schema, isEncoded }: Parameter,
  text: string,
): TextFlaw | undefined {
  // An empty value stands for "not given", and a document in a parameter is the API's to read.
  if (isEncoded || text.trim() === "") return undefined;
  return check(document, schema, text, 0);
}

/** Whether an example or a default of the parameter itself breaks its schema: then the schema says nothing reliable. */
export function contradictsItself(document: ApiDocument, parameter: Parameter): boolean {
  const schema = document.follow(parameter.schema);
  const values = [
    ...parameter.examples,
    schema["example"],
    schema["default"],
    ...asList(schema["examples"]),
  ].flat();
  return values.some(
    (value) =>
      (typeof value === "string" || typeof value === "number" || typeof value === "boolean") &&
      findTextFlaw(document, parameter, String(value)) !== undefined,
  );
}

function check(document: ApiDocument, given: unknown, text: string, depth: number): TextFlaw | undefined {
  if (!isObject(given) || depth > maxDepth) return undefined;
  const schema = document.follow(given);
  const types = listTypes(schema);
  if (types.includes("object")) return undefined;
  if (types.includes("array")) return checkList(document, schema, text, depth);
  const values = listValues(schema);
  if (values !== undefined) {
    const isAllowed = values.some(
      (value) => String(value).toLowerCase() === text.toLowerCase() && isSameCase(value, text),
    );
    return isAllowed
      ? undefined
      : {
          kind: "enum",
          expected: values
            .slice(0, maxValues)
            .filter((value) => value !== null)
            .map(String),
        };
  }
  if (types.length > 0 && !types.some((type) => readsAs(text, type)))
    return { kind: "type", expected: types };
  for (const branch of asList(schema["allOf"])) {
    const flaw = check(document, branch, text, depth + 1);
    if (flaw !== undefined) return flaw;
  }
  return checkAlternatives(document, schema, text, depth);
}

/** `True` is `true` for whoever reads it as text; a word in another case is another word. */
function isSameCase(value: unknown, text: string): boolean {
  return typeof value === "boolean" || String(value) === text;
}

function checkAlternatives(
  document: ApiDocument,
  schema: Plain,
  text: string,
  depth: number,
): TextFlaw | undefined {
  for (const name of ["anyOf", "oneOf"]) {
    const flaws = asList(schema[name]).map((branch) => check(document, branch, text, depth + 1));
    if (flaws.length === 0 || flaws.includes(undefined)) continue;
    return {
      kind: flaws.some((flaw) => flaw?.kind === "enum") ? "enum" : "type",
      expected: [...new Set(flaws.flatMap((flaw) => flaw?.expected ?? []))],
    };
  }
  return undefined;
}

/** A list may be one value, or several with a comma, a bar or a space between them. */
function checkList(document: ApiDocument, schema: Plain, text: string, depth: number): TextFlaw | undefined {
  const own = listValues(schema);
  const items = own === undefined ? schema["items"] : { enum: own.flat() };
  const whole = check(document, items, text, depth + 1);
  if (whole === undefined) return undefined;
  const parts = text
    .split(/[,|\s]+/)
    .filter(Boolean)
    .slice(0, 100);
  const flaws = parts.map((part) => check(document, items, part, depth + 1));
  return flaws.find((flaw) => flaw !== undefined);
}

function readsAs(text: string, type: string): boolean {
  switch (type) {
    case "integer":
      return /^[+-]?\d{1,40}$/.test(text);
    case "number":
      return Number.isFinite(Number(text));
    case "boolean":
      return /^(?:true|false|0|1)$/i.test(text);
    default:
      return true;
  }
}
