/** One operation of a description: parameters, body, answers. */

import type { QueryStyle } from "../../core/request/parse-query.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  maxParameters,
  type Plain,
  type RawOperation,
  type Route,
} from "./api-document.js";
import { listTypes } from "./schema.js";

export type Operation = ReturnType<typeof readOperation>;
export type Parameter = ReturnType<typeof readParameter>;
export type Media = ReturnType<typeof listMedia>[number];

/** What an operation is for, without the rest of it. */
export function readWords(document: ApiDocument, route: Route) {
  return findWords(document.readOperation(route).operation);
}

function findWords(operation: Plain) {
  const [summary, description, id] = ["summary", "description", "operationId"].map((name) =>
    asString(operation[name]),
  );
  return { summary: summary ?? (description === undefined ? id : undefined), description };
}

/** No operation describes more answers. */
const maxAnswers = 50;

export function readOperation(document: ApiDocument, route: Route) {
  const raw = document.readOperation(route);
  const { operation } = raw;
  const { requestBody, responses, security } = operation;
  const answers = Object.entries(asObject(responses)).slice(0, maxAnswers);
  return {
    ...route,
    ...findWords(operation),
    parameters: listParameters(document, raw).map((each) => readParameter(document, each)),
    body: requestBody === undefined ? undefined : readBody(document, requestBody),
    answers: answers.map(([status, value]) => {
      const { description: about, content } = document.follow(value);
      // The status is `200`, `4XX` or `default`.
      return { status, description: asString(about), media: listMedia(document, content) };
    }),
    // Absent where the document's requirements hold.
    security: Array.isArray(security) ? security : undefined,
  };
}

/** An operation's own parameters replace those of its path with the same name and place. */
function listParameters(document: ApiDocument, { parameters }: RawOperation): Plain[] {
  const found = new Map<string, Plain>();
  for (const parameter of parameters.slice(0, maxParameters).map(document.follow)) {
    const { name, in: place } = parameter;
    if (typeof name === "string") found.set(`${place} ${name}`, parameter);
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
    /** With references in it. */
    schema: schema ?? content?.schema,
    /** How a list or an object is sent in a query; absent where a list repeats the parameter. */
    style: place === "query" ? findStyle(document, parameter) : undefined,
    description: asString(parameter["description"]),
    examples: [...listExamples(document, parameter), ...(content?.examples ?? [])],
  };
}

/** By `style`, where `explode` is not true. */
const styles: ReadonlyMap<unknown, QueryStyle> = new Map([
  ["form", "comma"],
  ["spaceDelimited", "space"],
  ["pipeDelimited", "pipe"],
  ["tabDelimited", "tab"],
  ["deepObject", "brackets"],
]);

function findStyle(document: ApiDocument, parameter: Plain): QueryStyle | undefined {
  const { schema, content, style = "form", explode } = parameter;
  if (content !== undefined) return "json";
  const own = document.follow(schema);
  if (style === "form" && explode !== false)
    return listTypes(own).includes("object") || own["properties"] !== undefined
      ? "members"
      : undefined;
  return style === "deepObject" || explode !== true ? styles.get(style) : undefined;
}

function readBody(document: ApiDocument, requestBody: unknown) {
  const { required, content } = document.follow(requestBody);
  return { isRequired: required === true, media: listMedia(document, content) };
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
