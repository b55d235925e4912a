/** One operation of a description, whatever version it is written in: parameters, body, answers. */

import type { ApiDocument } from "./api-document.js";
import { asList, asObject, asString, type Plain } from "./parse-document.js";
import type { Route } from "./routes.js";

export interface Parameter {
  readonly name: string;
  /** `path`, `query`, `header` or `cookie`. */
  readonly place: string;
  readonly isRequired: boolean;
  /** Its schema, with references in it. */
  readonly schema: unknown;
  /** Whether its value is a document of its own, such as JSON text. */
  readonly isEncoded: boolean;
  /** Whether an object's members stand there each for itself (`explode`). */
  readonly isExploded: boolean;
  readonly description?: string | undefined;
  readonly examples: readonly unknown[];
}

export interface Media {
  /** Such as `application/json`. */
  readonly type: string;
  readonly schema: unknown;
  readonly examples: readonly unknown[];
}

export interface Payload {
  readonly isRequired: boolean;
  readonly media: readonly Media[];
}

export interface ApiAnswer {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description: string | undefined;
  readonly media: readonly Media[];
}

export interface Operation extends Route {
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Payload | undefined;
  readonly answers: readonly ApiAnswer[];
  /** Its own security requirements; absent where the document's hold. */
  readonly security: readonly unknown[] | undefined;
}

/** No operation has more; a document that does must not keep a call. */
const maxParameters = 1_000;

export function readOperation(document: ApiDocument, route: Route): Operation {
  const item = document.readPath(route.key);
  const operation = document.follow(item[route.method.toLowerCase()]);
  const given = listParameters(document, item, operation);
  const { security } = operation;
  const description = asString(operation["description"]);
  const name = description === undefined ? asString(operation["operationId"]) : undefined;
  return {
    ...route,
    summary: asString(operation["summary"]) ?? name,
    description,
    parameters: [
      ...given
        .filter(({ in: place }) => place !== "body" && place !== "formData")
        .map((each) => readParameter(document, each)),
      ...listQueryOfPath(route.key),
    ],
    body: document.isSwagger2
      ? readSwaggerBody(document, operation, given)
      : readBody(document, operation["requestBody"]),
    answers: Object.entries(asObject(operation["responses"]))
      .slice(0, 50)
      .map(([status, value]) => readAnswer(document, status, document.follow(value))),
    security: Array.isArray(security) ? security : undefined,
  };
}

/** An operation's own parameters stand for those of its path that have the same name and place. */
function listParameters(document: ApiDocument, item: Plain, operation: Plain): Plain[] {
  const found = new Map<string, Plain>();
  const given = [...asList(item["parameters"]), ...asList(operation["parameters"])];
  for (const parameter of given.slice(0, maxParameters).map(document.follow)) {
    const { name, in: place } = parameter;
    if (typeof name === "string" || place === "body") found.set(`${place} ${name}`, parameter);
  }
  return [...found.values()];
}

function readParameter(document: ApiDocument, parameter: Plain): Parameter {
  const [content] = listMedia(document, parameter["content"]);
  const style = asString(parameter["style"]) ?? "form";
  return {
    name: String(parameter["name"]),
    place: String(parameter["in"]),
    isRequired: parameter["required"] === true,
    // In Swagger 2 the parameter is a schema itself.
    schema: document.isSwagger2 ? parameter : (parameter["schema"] ?? content?.schema),
    isEncoded: content !== undefined,
    isExploded: style === "form" && parameter["explode"] !== false,
    description: asString(parameter["description"]),
    examples: [...listExamples(document, parameter), ...(content?.examples ?? [])],
  };
}

/** Some documents write parameters that tell operations apart into the path: `/items?kind=open`. */
function listQueryOfPath(path: string): Parameter[] {
  const query = path.split("?", 2)[1]?.split("#", 1)[0] ?? "";
  return [...new URLSearchParams(query).keys()].map((name) => ({
    name,
    place: "query",
    isRequired: false,
    schema: {},
    isEncoded: false,
    isExploded: true,
    examples: [],
  }));
}

function readBody(document: ApiDocument, value: unknown): Payload | undefined {
  if (value === undefined) return undefined;
  const body = document.follow(value);
  return { isRequired: body["required"] === true, media: listMedia(document, body["content"]) };
}

function readSwaggerBody(
  document: ApiDocument,
  operation: Plain,
  parameters: readonly Plain[],
): Payload | undefined {
  const body = parameters.find((each) => each["in"] === "body");
  const consumes = asList(operation["consumes"] ?? document.head["consumes"]).map(String);
  if (body !== undefined) {
    const { schema } = body;
    const examples = listExamples(document, body, schema);
    const types = consumes.length === 0 ? ["application/json"] : consumes;
    return {
      isRequired: body["required"] === true,
      media: types.map((type) => ({ type, schema, examples })),
    };
  }
  const fields = parameters.filter((each) => each["in"] === "formData");
  if (fields.length === 0) return undefined;
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [String(field["name"]), field])),
    required: fields.filter((field) => field["required"] === true).map((field) => field["name"]),
  };
  const type = consumes.find((each) => each.includes("form")) ?? "application/x-www-form-urlencoded";
  return { isRequired: false, media: [{ type, schema, examples: [] }] };
}

function readAnswer(document: ApiDocument, status: string, answer: Plain): ApiAnswer {
  const { schema, content } = answer;
  const inSwagger2 = schema === undefined ? [] : [{ type: "application/json", schema, examples: [] }];
  return {
    status,
    description: asString(answer["description"]),
    media: document.isSwagger2 ? inSwagger2 : listMedia(document, content),
  };
}

function listMedia(document: ApiDocument, content: unknown): Media[] {
  return Object.entries(asObject(content))
    .slice(0, 20)
    .map(([type, value]) => {
      const media = asObject(value);
      const { schema } = media;
      return { type: type.toLowerCase(), schema, examples: listExamples(document, media, schema) };
    });
}

/** Examples by any of the names that they have had. */
function listExamples(document: ApiDocument, holder: Plain, schema?: unknown): unknown[] {
  const named = Object.values(asObject(holder["examples"] ?? holder["x-examples"])).slice(0, 20);
  const own = document.follow(schema);
  return [
    holder["example"],
    holder["x-example"],
    ...named.map((each) => document.follow(each)["value"]),
    own["example"],
    ...asList(own["examples"]),
  ].filter((each) => each !== undefined);
}

/** The media type whose body is JSON, if there is one. */
export function findJson(media: readonly Media[]): Media | undefined {
  return media.find(({ type }) => isJsonType(type)) ?? media.find(({ type }) => type === "*/*");
}

export function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\b/i.test(type);
}
