/** An example of a call: what the document itself gives as one, else the least that its schemas ask for. */

import type { ApiDocument } from "./api-document.js";
import { parseText } from "./check-value.js";
import { findJson, type Media, type Operation, type Parameter } from "./operation.js";
import { asList, isObject } from "./parse-document.js";
import { readShape } from "./schema.js";

/** An example of the document that is longer than this is not shown: one is made of what is required. */
const maxCharacters = 400;
const maxDepth = 4;
const maxMembers = 40;

/** A complete input for the source's tool. */
export function makeExample(document: ApiDocument, operation: Operation): Record<string, unknown> {
  const { method, parameters, body } = operation;
  const make = (place: string): [name: string, value: unknown][] =>
    parameters
      .filter((each) => each.place === place && (place === "path" || each.isRequired))
      .map((each) => [each.name, makeParameter(document, each)]);
  const path = make("path").reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => encodeURIComponent(String(value))),
    operation.path,
  );
  const query = make("query");
  const media = body === undefined ? undefined : (findJson(body.media) ?? body.media[0]);
  const isNeeded = body?.isRequired === true || (method !== "GET" && method !== "DELETE");
  return {
    method,
    path,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(media === undefined || !isNeeded ? {} : { body: makeBody(document, media) }),
  };
}

function isShort(value: unknown): boolean {
  return value !== undefined && value !== null && JSON.stringify(value).length <= maxCharacters;
}

function makeBody(document: ApiDocument, { schema, examples }: Media): unknown {
  const given = examples.map((each) => (typeof each === "string" ? (parseText(each) ?? each) : each));
  return given.find(isShort) ?? makeValue(document, schema, 0, { members: maxMembers });
}

/** A string without an example is shown by its name: `/repos/owner/repo`. */
function makeParameter(document: ApiDocument, { name, schema, examples }: Parameter): unknown {
  const [made] = [makeValue(document, schema, 0, { members: 1 })].flat();
  const given = [...examples, document.follow(schema)["example"], made === "string" ? name : made];
  return (
    given.find((each) => typeof each !== "object" && isShort(each) && String(each).length <= 100) ?? name
  );
}

/** A value by a schema: its example, default or first allowed value, else one of its type with the required members. */
function makeValue(document: ApiDocument, given: unknown, depth: number, left: { members: number }): unknown {
  if (!isObject(given)) return "string";
  const schema = document.follow(given);
  const known = [schema["example"], ...asList(schema["examples"]), schema["default"]].find(isShort);
  if (known !== undefined) return known;
  const shape = readShape(document, schema, "request");
  const isDeep = depth >= maxDepth;
  switch (shape.kind) {
    case "values":
      return shape.parts.find((value) => value !== null);
    case "choice":
      return isDeep ? "string" : makeValue(document, shape.parts[0], depth + 1, left);
    case "list":
      return isDeep ? [] : [makeValue(document, schema["items"], depth + 1, left)];
    case "scalar":
      return makeScalar(shape.types[0], String(schema["format"]));
    case "object": {
      const needed = isDeep ? [] : shape.members.filter(({ isRequired }) => isRequired);
      const shown = needed.slice(0, Math.max(0, left.members));
      left.members -= shown.length;
      return Object.fromEntries(
        shown.map((member) => [member.name, makeValue(document, member.schema, depth + 1, left)]),
      );
    }
    default:
      return "string";
  }
}

const samples: ReadonlyMap<string, string> = new Map([
  ["date", "2026-01-31"],
  ["date-time", "2026-01-31T12:00:00Z"],
  ["uuid", "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
  ["email", "someone@example.com"],
  ["uri", "https://example.com"],
  ["url", "https://example.com"],
]);

function makeScalar(type: string | undefined, format: string): unknown {
  if (type === "integer" || type === "number") return 1;
  return type === "boolean" ? true : (samples.get(format) ?? "string");
}
