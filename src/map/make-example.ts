/** An example of a call: what the document itself gives as one, else the least that its schemas ask for. */

import type { ApiDocument } from "./api-document.js";
import { listTypes, listValues, parseText } from "./check-value.js";
import type { Description } from "./description.js";
import { listMembers } from "./list-members.js";
import { findJson, type Operation, type Parameter } from "./operation.js";
import { asList, isObject, type Plain } from "./parse-document.js";
import { toCallPath } from "./place-paths.js";

/** An example of the document that is longer than this is not shown: one is made of what is required. */
const maxCharacters = 400;
const maxDepth = 4;
const maxMembers = 40;

/** A complete input for the source's tool. */
export function makeExample(description: Description, operation: Operation): Record<string, unknown> {
  const { document, placement } = description;
  const { method, template, parameters, body } = operation;
  const path = parameters
    .filter(({ place }) => place === "path")
    .reduce(
      (text, parameter) =>
        text.replaceAll(`{${parameter.name}}`, () =>
          encodeURIComponent(String(makeParameter(document, parameter))),
        ),
      toCallPath(placement, template) ?? template,
    );
  const query = parameters
    .filter(({ place, isRequired }) => place === "query" && isRequired)
    .map((parameter) => [parameter.name, makeParameter(document, parameter)] as const);
  const json = body === undefined ? undefined : (findJson(body.media) ?? body.media[0]);
  const isNeeded =
    body?.isRequired === true || (json !== undefined && method !== "GET" && method !== "DELETE");
  return {
    method,
    path,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(json === undefined || !isNeeded ? {} : { body: makeBody(document, json) }),
  };
}

function makeBody(
  document: ApiDocument,
  { schema, examples }: { schema: unknown; examples: readonly unknown[] },
): unknown {
  const given = examples
    .map((example) => (typeof example === "string" ? (parseText(example) ?? example) : example))
    .find((example) => JSON.stringify(example).length <= maxCharacters);
  return given ?? makeValue(document, schema);
}

/** A string without an example is shown by its name: `/repos/owner/repo`. */
function makeParameter(
  document: ApiDocument,
  { name, schema, examples }: Parameter,
): string | number | boolean {
  const own = document.follow(schema);
  const item = listTypes(own).includes("array") ? document.follow(own["items"]) : own;
  const made = makeValue(document, item);
  return [...examples, own["example"], made === "string" ? name : made].find(isScalar) ?? name;
}

function isScalar(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value.length <= 100) ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}

/** A value by a schema: its example, default or first allowed value, else one of its type with the required members. */
export function makeValue(
  document: ApiDocument,
  given: unknown,
  depth: number = 0,
  left: { members: number } = { members: maxMembers },
): unknown {
  if (!isObject(given)) return "string";
  const schema = document.follow(given);
  const [known] = [
    schema["example"],
    ...asList(schema["examples"]),
    schema["default"],
    ...(listValues(schema) ?? []),
  ].filter((each) => each !== undefined && each !== null && JSON.stringify(each).length <= maxCharacters);
  if (known !== undefined) return known;
  const [type] = listTypes(schema);
  const isMade = type === "object" || schema["properties"] !== undefined || schema["allOf"] !== undefined;
  if (isMade) return makeObject(document, schema, depth, left);
  const [alternative] = [...asList(schema["oneOf"]), ...asList(schema["anyOf"])];
  if (alternative !== undefined && depth < maxDepth) return makeValue(document, alternative, depth + 1, left);
  if (type === "array" || schema["items"] !== undefined)
    return depth >= maxDepth ? [] : [makeValue(document, schema["items"], depth + 1, left)];
  return makeScalar(type, schema["format"]);
}

function makeScalar(type: string | undefined, format: unknown): unknown {
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (format === "date") return "2026-01-31";
  if (format === "date-time") return "2026-01-31T12:00:00Z";
  if (format === "uuid") return "3fa85f64-5717-4562-b3fc-2c963f66afa6";
  if (format === "email") return "someone@example.com";
  return format === "uri" || format === "url" ? "https://example.com" : "string";
}

function makeObject(document: ApiDocument, schema: Plain, depth: number, left: { members: number }): unknown {
  const { names, required } = listMembers(document, schema);
  if (depth >= maxDepth) return {};
  const made: [string, unknown][] = [];
  for (const name of required) {
    const member = names.get(name);
    if (left.members <= 0 || document.follow(member)["readOnly"] === true) continue;
    left.members -= 1;
    made.push([name, makeValue(document, member, depth + 1, left)]);
  }
  return Object.fromEntries(made);
}
