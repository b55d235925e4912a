/** One operation of a description, whatever version it is written in: parameters, body, answers. */

import type { QueryStyle } from "../../core/request/parse-query.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  type Plain,
  type Route,
} from "./api-document.js";
import { listTypes } from "./schema.js";

export type Operation = ReturnType<typeof readOperation>;
export type Parameter = ReturnType<typeof readParameter>;
export type Media = ReturnType<typeof listMedia>[number];

/** What an operation is for, without the rest of it. */
export function readWords(document: ApiDocument, route: Route) {
  const operation = document.follow(document.readPath(route.key)[route.method.toLowerCase()]);
  const [summary, description, id] = ["summary", "description", "operationId"].map((name) =>
    asString(operation[name]),
  );
  return { summary: summary ?? (description === undefined ? id : undefined), description };
}

/** No operation has more; a document that does must not keep a call. */
const maxParameters = 1_000;

export function readOperation(document: ApiDocument, route: Route) {
  const item = document.readPath(route.key);
  const operation = document.follow(item[route.method.toLowerCase()]);
  const { responses, security } = operation;
  const given = listParameters(document, item, operation);
  const answers = Object.entries(asObject(responses)).slice(0, 50);
  return {
    ...route,
    ...readWords(document, route),
    parameters: given
      .filter(({ in: place }) => place !== "body" && place !== "formData")
      .map((each) => readParameter(document, each)),
    body: readBody(document, operation, given),
    answers: answers.map(([status, value]) => {
      const { description: about, content, schema } = document.follow(value);
      // Swagger 2 has one schema for all media types.
      const media = schema === undefined ? content : { "application/json": { schema } };
      // The status is `200`, `4XX` or `default`.
      return { status, description: asString(about), media: listMedia(document, media) };
    }),
    // Absent where the document's requirements hold.
    security: Array.isArray(security) ? security : undefined,
  };
}

/** An operation's own parameters replace those of its path with the same name and place. */
function listParameters(document: ApiDocument, item: Plain, operation: Plain): Plain[] {
  const found = new Map<string, Plain>();
  const given = [...asList(item["parameters"]), ...asList(operation["parameters"])];
  for (const parameter of given.slice(0, maxParameters).map(document.follow)) {
    const { name, in: place } = parameter;
    if (typeof name === "string" || place === "body") found.set(`${place} ${name}`, parameter);
  }
  return [...found.values()];
}

function readParameter(document: ApiDocument, parameter: Plain) {
  const { name, in: place, required, schema } = parameter;
  const [content] = listMedia(document, parameter["content"]);
  return {
    name: String(name),
    /** `path`, `query`, `header` or `cookie`. */
    place: String(place),
    isRequired: required === true,
    /** With references in it. In Swagger 2 the parameter is a schema itself. */
    schema: schema ?? content?.schema ?? parameter,
    /** How a list or an object is sent in a query; absent where a list repeats the parameter. */
    style: place === "query" ? findStyle(document, parameter) : undefined,
    description: asString(parameter["description"]),
    examples: [...listExamples(document, parameter), ...(content?.examples ?? [])],
  };
}

/** By OpenAPI's `style` without `explode`, and Swagger's `collectionFormat`. */
const styles: ReadonlyMap<unknown, QueryStyle> = new Map([
  ["form", "comma"],
  ["csv", "comma"],
  ["spaceDelimited", "space"],
  ["ssv", "space"],
  ["pipeDelimited", "pipe"],
  ["pipes", "pipe"],
  ["tsv", "tab"],
  ["deepObject", "brackets"],
]);

function findStyle(document: ApiDocument, parameter: Plain): QueryStyle | undefined {
  const { schema, content, type, collectionFormat = "csv", style = "form", explode } = parameter;
  if (content !== undefined) return "json";
  // In Swagger 2 the parameter is a schema itself.
  if (schema === undefined) return type === "array" ? styles.get(collectionFormat) : undefined;
  const own = document.follow(schema);
  if (style === "form" && explode !== false)
    return listTypes(own).includes("object") || own["properties"] !== undefined
      ? "members"
      : undefined;
  return style === "deepObject" || explode !== true ? styles.get(style) : undefined;
}

/** In Swagger 2 a body is a parameter, or its fields are. */
function readBody(document: ApiDocument, operation: Plain, parameters: readonly Plain[]) {
  const { requestBody, consumes = document.head["consumes"] } = operation;
  const whole = parameters.find((each) => each["in"] === "body");
  const fields = parameters.filter((each) => each["in"] === "formData");
  const types = asList(consumes).map(String);
  const read = (body: Plain, content: unknown) => ({
    isRequired: body["required"] === true,
    media: listMedia(document, content),
  });
  if (requestBody !== undefined) {
    const body = document.follow(requestBody);
    return read(body, body["content"]);
  }
  if (whole !== undefined) {
    const given = types.length === 0 ? ["application/json"] : types;
    return read(whole, Object.fromEntries(given.map((type) => [type, whole])));
  }
  if (fields.length === 0) return undefined;
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [String(field["name"]), field])),
    required: fields.filter(({ required }) => required === true).map(({ name }) => name),
  };
  const form = types.find((type) => type.includes("form")) ?? "application/x-www-form-urlencoded";
  return read({}, { [form]: { schema } });
}

function listMedia(document: ApiDocument, content: unknown) {
  const given = Object.entries(asObject(content)).slice(0, 20);
  return given.map(([type, value]) => {
    const { schema } = asObject(value);
    return {
      /** Such as `application/json`. */
      type: type.toLowerCase(),
      schema,
      examples: [
        ...listExamples(document, asObject(value)),
        ...listExamples(document, document.follow(schema)),
      ],
    };
  });
}

/** Of more examples the first are as good. */
export const maxExamples = 20;

/** Of a parameter, a media type, a schema. */
function listExamples(document: ApiDocument, { example, examples }: Plain): unknown[] {
  const named = Object.values(asObject(examples)).slice(0, maxExamples);
  const values = named.map((each) => document.follow(each)["value"]);
  return [example, ...values, ...asList(examples).slice(0, maxExamples)].filter(
    (each) => each !== undefined,
  );
}

/** The media type whose body is JSON, if there is one. */
export function findJson(media: readonly Media[]): Media | undefined {
  return media.find(({ type }) => isJsonType(type)) ?? media.find(({ type }) => type === "*/*");
}

/** The media type that a call mostly sends, or an answer mostly has. */
export function findMain(media: readonly Media[]): Media | undefined {
  return findJson(media) ?? media[0];
}

export function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\b/i.test(type);
}
