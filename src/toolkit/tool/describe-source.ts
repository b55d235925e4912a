/** A source's tool as a model reads it: its description, and calls that work as examples. */

import { clipText, plural } from "../../core/base/text.js";
import { type ApiSource, type EndpointExample, httpMethods } from "../../core/record/api-source.js";
import { sendsCredential } from "../../core/record/used-names.js";
import { parseQuery } from "../../core/request/parse-query.js";
import type { Overview } from "../../features/openapi/knowledge.js";

/** OpenAI and others refused longer descriptions. */
const maxCharacters = 1_024;
const maxTaglineCharacters = 300;

interface SourceDescription {
  /** Tagline, base URL, methods, and as many of the record's endpoints as fit. */
  readonly text: string;
  /** The endpoints that did not fit, for the description of `path`: no provider names a limit of that. */
  readonly more: string;
}

/** @param answers - As `ApiSourceToolkit.getTools` takes it. */
export function describeSource(
  source: ApiSource,
  answers: "view" | "whole" = "view",
  overview?: Overview,
): SourceDescription {
  const { name, tagline, api } = source;
  const at = clipText(api.baseUrl, 200);
  const title = tagline ? `${name}: ${tagline}` : `Calls the ${name} API at ${at}.`;
  const facts = [
    tagline ? `HTTP API at ${at}.` : "",
    describeMethods(source),
    sendsCredential(source) ? "Authentication is added." : "",
  ]
    .filter(Boolean)
    .join(" ");
  const head = [
    clipText(title, maxTaglineCharacters),
    ...(overview === undefined ? [] : [describeOverview(source, overview)]),
    ...(facts === "" ? [] : [facts]),
    answers === "view"
      ? "Answers have status and data; error names what to change; next is the next input."
      : "Answers are JSON text with status and data; data is whole, a list with all its pages (fewer with pages); error names what to change.",
  ];
  const lines = api.endpoints.map(describeEndpoint);
  const shown = countFitting(lines, maxCharacters - 1 - head.join("\n").length);
  const more = lines.slice(shown);
  return {
    text: [...head, ...lines.slice(0, shown)].join("\n"),
    more: more.length === 0 ? "" : `More calls:\n${more.join("\n")}`,
  };
}

/** The schema lists the methods; a record that omits some names them here as well. */
function describeMethods({ api: { methods } }: ApiSource): string {
  return methods.length === httpMethods.length ? "" : `Methods: ${methods.join(", ")}.`;
}

/** How many of the lines, each with its line break, fit. */
function countFitting(lines: readonly string[], room: number): number {
  let left = room;
  const firstTooMany = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return firstTooMany === -1 ? lines.length : firstTooMany;
}

/** The size of the API's description, and where the rest of it is. */
function describeOverview({ slug }: ApiSource, { operations, resources }: Overview): string {
  const ask = `describe_api {"source":"${slug}"}`;
  if (operations === undefined) return `${ask} describes how it is used.`;
  const main = resources.length === 0 ? "" : ` on ${clipText(resources.join(", "), 200)}`;
  return `It has ${plural(operations, "operation")}${main}: ${ask} shows them.`;
}

function describeEndpoint({ method, path, about, query, body }: EndpointExample): string {
  const given = Object.entries({ query, body }).filter(([, value]) => value !== undefined);
  const more = given.map(([name, value]) => `; ${name} ${JSON.stringify(value)}`);
  return `- ${method} ${path}: ${about}${more.join("")}`;
}

/**
 * The record's endpoints as complete inputs of the tool. LangChain hands them to the providers that know them
 * (`extras.input_examples`); they are of the form that the schema shows.
 *
 * @param isStrict - As `createCallSchema` takes it.
 */
export function listInputExamples(
  { api }: ApiSource,
  isStrict: boolean,
): Record<string, unknown>[] {
  const others = { headers: null, select: null, pages: null, wait: null, until: null };
  return api.endpoints.flatMap(({ method, path, query, body = null }) => {
    const pairs = readExampleQuery(query);
    if (pairs === undefined) return [];
    const text = typeof body === "string" || body === null ? body : JSON.stringify(body);
    const members = { method, path, query: pairs, body: text, ...others };
    const isShown = ([, value]: [string, unknown]): boolean => isStrict || value !== null;
    return [Object.fromEntries(Object.entries(members).filter(isShown))];
  });
}

/** Undefined for a query that no call could have. */
function readExampleQuery(query: unknown): Record<string, string>[] | null | undefined {
  try {
    return query === undefined ? null : parseQuery(query).map(([name, value]) => ({ name, value }));
  } catch {
    return undefined;
  }
}
