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
  const path = parameters
    .filter(({ place }) => place === "path")
    .reduce((text, parameter) => {
      const value = encodeURIComponent(String(makeParameter(document, parameter)));
      return text.replaceAll(`{${parameter.name}}`, () => value);
    }, operation.path);
  const query = parameters
    .filter(({ place, isRequired }) => place === "query" && isRequired)
    .map((parameter) => [parameter.name, makeParameter(document, parameter)] as const);
  const media = body === undefined ? undefined : (findJson(body.media) ?? body.media[0]);
  const isNeeded = body?.isRequired === true || (method !== "GET" && method !== "DELETE");
  return {
    method,
    path,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(media === undefined || !isNeeded ? {} : { body: makeBody(document, media) }),
  };
}

function makeBody(document: ApiDocument, { schema, examples }: Media): unknown {
  const given = examples
    .map((example) => (typeof example === "string" ? (parseText(example) ?? example) : example))
    .find((example) => JSON.stringify(example).length <= maxCharacters);
  return given ?? makeValue(document, schema, 0, { members: maxMembers });
}

/** A string without an example is shown by its name: `/repos/owner/repo`. */
function makeParameter(document: ApiDocument, { name, schema, examples }: Parameter): unknown {
  const own = document.follow(schema);
  const made = [makeValue(document, own, 0, { members: 1 })].flat()[0];
  const isShort = (value: unknown): boolean =>
    ["string", "number", "boolean"].includes(typeof value) && String(value).length <= 100;
  return [...examples, own["example"], made === "string" ? name : made].find(isShort) ?? name;
}

/** A value by a schema: its example, default or first allowed value, else one of its type with the required members. */
function makeValue(document: ApiDocument, given: unknown, depth: number, left: { members: number }): unknown {
  if (!isObject(given)) return "string";
  const schema = document.follow(given);
  const known = [schema["example"], ...asList(schema["examples"]), schema["default"]].find(
    (each) => each !== undefined && each !== null && JSON.stringify(each).length <= maxCharacters,
  );
  if (known !== undefined) return known;
  const shape = readShape(document, schema, "request");
  const isDeep = depth >= maxDepth;
  switch (shape.kind) {
    case "values":
      return shape.values.find((value) => value !== null);
    case "choice":
      return isDeep ? "string" : makeValue(document, shape.branches[0], depth + 1, left);
    case "list":
      return isDeep ? [] : [makeValue(document, shape.items, depth + 1, left)];
    case "scalar":
      return makeScalar(shape.types[0], shape.format);
    case "object": {
      const needed = isDeep ? [] : shape.members.filter(({ isRequired }) => isRequired);
      const shown = needed.slice(0, Math.max(0, left.members));
      left.members -= shown.length;
      return Object.fromEntries(
        shown.map(({ name, schema: member }) => [name, makeValue(document, member, depth + 1, left)]),
      );
    }
    default:
      return "string";
  }
}

const samples: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  email: "someone@example.com",
  uri: "https://example.com",
  url: "https://example.com",
};

function makeScalar(type: string | undefined, format: unknown): unknown {
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  return typeof format === "string" && Object.hasOwn(samples, format) ? samples[format] : "string";
}
