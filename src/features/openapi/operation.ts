/** One operation of a description: parameters, body, answers. */

import { isJsonType } from "../../core/request/operation-form.js";
import type { QueryStyle } from "../../core/request/query-style.js";
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
import { readTypes } from "./schema.js";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  /** `path`, `query`, `header` or `cookie`. */
  readonly place: string;
  readonly isRequired: boolean;
  /** The schema with references in it. */
  readonly schema: unknown;
  /** How a list or an object is sent in a query or a path; absent for other values. */
  readonly style: QueryStyle | undefined;
  readonly description: string | undefined;
  readonly examples: readonly unknown[];
}

/** The answer of an operation under one status. */
export interface OperationAnswer {
  /** Such as `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description: string | undefined;
  readonly media: readonly Media[];
}

export interface Operation extends Route {
  /** The purpose of it: absent in a document that has neither words nor an `operationId`. */
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly parameters: readonly Parameter[];
  /** Absent for an operation without one. */
  readonly body: { readonly isRequired: boolean; readonly media: readonly Media[] } | undefined;
  readonly answers: readonly OperationAnswer[];
  /** Absent where the document's requirements hold. */
  readonly security: readonly unknown[] | undefined;
}

function readWords(operation: Plain): Pick<Operation, "summary" | "description"> {
  const [summary, description, id] = ["summary", "description", "operationId"].map((name) =>
    asString(operation[name]),
  );
  return { summary: summary ?? (description === undefined ? id : undefined), description };
}

/** No operation describes more answers. */
const maxAnswers = 50;

export function readOperation<Given extends Route>(
  document: ApiDocument,
  route: Given,
): Given & Operation {
  const raw = document.readOperation(route);
  const { operation } = raw;
  const { requestBody, responses, security } = operation;
  const answers = Object.entries(asObject(responses)).slice(0, maxAnswers);
  return {
    ...route,
    ...readWords(operation),
    parameters: listParameters(document, route, raw).map((each) => readParameter(document, each)),
    body: requestBody === undefined ? undefined : readBody(document, requestBody),
    answers: answers.map(([status, value]) => {
      const { description: about, content } = document.follow(value);
      return { status, description: asString(about), media: listMedia(document, content) };
    }),
    security: Array.isArray(security) ? security : undefined,
  };
}

/** An operation's own parameters replace those of its path with the same name and place. One that only the path names is a text. */
function listParameters(
  document: ApiDocument,
  { key }: Route,
  { parameters }: RawOperation,
): Plain[] {
  const found = new Map<string, Plain>();
  for (const parameter of parameters.slice(0, maxParameters).map(document.follow)) {
    const { name, in: place } = parameter;
    if (typeof name === "string") found.set(`${place} ${name}`, parameter);
  }
  const [path = ""] = key.split(/[?#]/, 1);
  for (const [, name] of path.matchAll(/\{([^{}]{1,100})\}/g)) {
    const isDescribed = found.has(`path ${name}`);
    if (found.size < maxParameters && !isDescribed)
      found.set(`path ${name}`, { name, in: "path", schema: { type: "string" } });
  }
  return [...found.values()];
}

function readParameter(document: ApiDocument, parameter: Plain): Parameter {
  const { name, in: place, required, schema, description } = parameter;
  const [content] = listMedia(document, parameter["content"]);
  const isStyled = place === "query" || place === "path";
  return {
    name: String(name),
    place: String(place),
    // A path without one of its parameters is another path.
    isRequired: required === true || place === "path",
    schema: schema ?? content?.schema,
    style: isStyled ? findStyle(document, parameter) : undefined,
    description: asString(description),
    examples: [...listExamples(document, parameter), ...(content?.examples ?? [])],
  };
}

/** Undefined for a parameter that takes neither a list nor an object. */
function findStyle(document: ApiDocument, parameter: Plain): QueryStyle | undefined {
  const { schema, content, in: place, explode } = parameter;
  const { style = place === "path" ? "simple" : "form" } = parameter;
  if (content !== undefined) return "json";
  if (style === "deepObject") return "brackets";
  const types = readTypes(document, document.follow(schema));
  const isList = !types.includes("object") && types.includes("array");
  return isList || types.includes("object") ? readStyle(style, explode, isList) : undefined;
}

const separators: ReadonlyMap<unknown, QueryStyle> = new Map([
  ["simple", "comma"],
  ["form", "comma"],
  ["spaceDelimited", "space"],
  ["pipeDelimited", "pipe"],
  ["tabDelimited", "tab"],
]);

/** Reads how a list or an object is written; `explode` is true by default where the style is `form` (OpenAPI 3.0.3, section 4.7.12.2). */
export function readStyle(style: unknown, explode: unknown, isList: boolean): QueryStyle {
  if (style === "deepObject") return "brackets";
  const isExploded = style !== "simple" && (explode ?? style === "form") === true;
  if (!isExploded) return separators.get(style) ?? "comma";
  return isList ? "repeat" : "members";
}

function readBody(document: ApiDocument, requestBody: unknown) {
  const { required, content } = document.follow(requestBody);
  return { isRequired: required === true, media: listMedia(document, content) };
}

/** A media type of a body or an answer. */
export interface Media {
  /** Such as `application/json`. */
  readonly type: string;
  readonly schema: unknown;
  /** How the members of a form are written. */
  readonly encoding: Plain;
  readonly examples: readonly unknown[];
}

function listMedia(document: ApiDocument, content: unknown): Media[] {
  const given = Object.entries(asObject(content)).slice(0, 20);
  return given.map(([type, value]) => {
    const { schema, encoding } = asObject(value);
    const examples = [
      ...listExamples(document, asObject(value)),
      ...listExamples(document, document.follow(schema)),
    ];
    return { type: type.toLowerCase(), schema, encoding: asObject(encoding), examples };
  });
}

/** The most examples that are read: the first are as good as the others. */
const maxExamples = 20;

/** Lists the examples of a parameter, a media type or a schema. */
function listExamples(document: ApiDocument, { example, examples }: Plain): unknown[] {
  const named = Object.values(asObject(examples)).slice(0, maxExamples);
  const values = named.map((each) => document.follow(each)["value"]);
  return [example, ...values, ...asList(examples).slice(0, maxExamples)].filter(
    (each) => each !== undefined,
  );
}

/** The media type whose body is JSON, if there is one. */
export function findJson(media: readonly Media[]): Media | undefined {
  const json = media.find(({ type }) => isJsonType(type));
  return json ?? media.find(({ type }) => type === "*/*");
}

/** The media type that a call mostly sends, or an answer mostly has. */
export function findMain(media: readonly Media[]): Media | undefined {
  return findJson(media) ?? media[0];
}
