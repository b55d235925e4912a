/** One operation in few words: parameters, body and answer as compact types, an example, its errors. */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { clipText } from "../../core/base/text.js";
import type { QueryStyle } from "../../core/request/parse-query.js";
import { type ApiDocument, asList, type Plain, type Route } from "./api-document.js";
import {
  findMain,
  isJsonType,
  type Media,
  maxExamples,
  type Operation,
  type Parameter,
  readOperation,
} from "./operation.js";
import { type Direction, readShape, writeDefault, writeType } from "./schema.js";

/**
 * How much is described, and of body and answer how deep and how many members: the first that fits the budget. An answer is described less deeply
 * than a body, because calling shows the rest of it.
 */
const details = [
  { about: 240, parameter: 80, parameters: 60, body: [4, 60], answer: [3, 40], errors: 8 },
  { about: 60, parameter: 0, parameters: 60, body: [2, 60], answer: [1, 8], errors: 2 },
  { about: 60, parameter: 0, parameters: 8, body: [1, 10], answer: [0, 0], errors: 0 },
] as const;

type Detail = (typeof details)[number];

/** What one way to describe may cost, in steps of a reader: a hostile schema has more types than there is time to read. */
const maxSteps = 25_000;

/**
 * @param fits - Whether so much is within the budget.
 * @returns `operation`, `about`, `path`, `query`, `headers`, `body`, `answer`, `errors`, each as far as there is something to say; and
 * `example`, a complete input for the source's tool. A parameter `name?` may be left out.
 */
export function describeOperation(
  document: ApiDocument,
  route: Route,
  fits: (value: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  const reading = document.limitSteps(maxSteps);
  const operation = readOperation(reading, route);
  const example = makeExample(document.limitSteps(maxSteps), operation);
  let described: Record<string, unknown> = {};
  for (const detail of details) {
    const limited = document.limitSteps(maxSteps);
    const parts = describe(limited, operation, detail);
    // A part that was not read is a hole that a model should know of.
    const unread = [...new Set([...reading.missing, ...limited.missing])].join(", ");
    const incomplete = unread === "" ? undefined : `Not read: ${clipText(unread, 300)}`;
    described = { ...parts, incomplete, example };
    if (fits(described)) return described;
  }
  return { ...described, example: {} };
}

function describe(
  document: ApiDocument,
  operation: Operation,
  detail: Detail,
): Record<string, unknown> {
  const { method, path, isDeprecated, parameters, body, answers } = operation;
  const list = (place: string): Record<string, string> | undefined => {
    const own = parameters.filter((each) => each.place === place);
    return own.length === 0 ? undefined : describeParameters(document, own, detail);
  };
  const success =
    answers.find(({ status, media }) => /^2/.test(status) && media.length > 0) ??
    answers.find(({ status }) => /^2|^default$/.test(status));
  const errors = answers
    .filter(({ status }) => /^[45]/.test(status))
    .slice(0, detail.errors)
    .map(({ status, description = "" }) => [
      clipText(status, 10),
      clipText(stripMarkdown(description), 60),
    ]);
  return {
    operation: `${method} ${clipText(path, 400)}`,
    deprecated: isDeprecated || undefined,
    about: describeWords(operation, detail.about) || undefined,
    path: list("path"),
    query: list("query"),
    headers: list("header"),
    body:
      body &&
      `${body.isRequired ? "" : "optional: "}${writePayload(document, body.media, detail.body, "request") || "any"}`,
    answer:
      success &&
      `${clipText(success.status, 10)} ${writePayload(document, success.media, detail.answer, "answer")}`.trim(),
    errors: errors.length === 0 ? undefined : Object.fromEntries(errors),
  };
}

function describeWords({ summary, description = "" }: Operation, characters: number): string {
  if (summary === undefined) return clipText(stripMarkdown(description), Math.max(100, characters));
  const isShort = characters <= 100 || description === "";
  const whole = description.startsWith(summary) ? description : `${summary}. ${description}`;
  return clipText(stripMarkdown(isShort ? summary : whole), characters);
}

/** Somebody else's prose: links and marks cost tokens. */
export function stripMarkdown(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/<[^<>]{0,200}>/g, " ")
    .replace(/\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/g, "$1")
    .replace(/\*\*|`|^#+\s/g, "");
}

/** Required ones first, each as `name?: "type = default; what it is"`. */
function describeParameters(
  document: ApiDocument,
  parameters: readonly Parameter[],
  detail: Detail,
): Record<string, string> {
  const sorted = parameters.toSorted(
    (one, other) => Number(other.isRequired) - Number(one.isRequired),
  );
  const shown = sorted
    .slice(0, detail.parameters)
    .map(({ name, isRequired, schema, style, description = "" }) => {
      const type = writeType(document, schema, { depth: 1, members: 12, direction: "request" });
      const about = clipText(stripMarkdown(description), detail.parameter);
      const words = detail.parameter === 0 || about === "" ? "" : `; ${about}`;
      const preset = writeDefault(document.follow(schema));
      return [
        `${clipText(name, 80)}${isRequired ? "" : "?"}`,
        `${type}${style === undefined ? "" : writeStyle(style)}${preset}${words}`,
      ];
    });
  const more = sorted.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more`]] : shown);
}

/** How the values of a list or an object are written; nothing where each has a parameter of its own. */
function writeStyle(style: QueryStyle): string {
  const forms = {
    comma: "a,b",
    space: "a b",
    tab: "a\tb",
    pipe: "a|b",
    brackets: "name[key]=a",
    json: "JSON text",
  };
  return style === "members" ? "" : ` as ${forms[style]}`;
}

/** The type of a body or an answer, behind its format; JSON is not named. `""` without a type. */
function writePayload(
  document: ApiDocument,
  media: readonly Media[],
  [depth, members]: readonly [number, number],
  direction: Direction,
): string {
  const chosen = findMain(media);
  if (chosen === undefined) return "";
  const format =
    isJsonType(chosen.type) || chosen.type === "*/*" ? "" : `${clipText(chosen.type, 60)} `;
  return `${format}${writeType(document, chosen.schema, { depth, members, direction })}`;
}

/** An example of the document that is longer than this is not shown: one is made of what is required. */
const maxExampleCharacters = 400;
const maxExampleDepth = 4;
const maxExampleMembers = 40;
const maxExampleParameters = 60;

/** A complete input for the source's tool: what the document itself gives as one, else the least that its schemas ask for. */
function makeExample(document: ApiDocument, operation: Operation): Record<string, unknown> {
  const { method, parameters, body } = operation;
  const make = (place: string): [name: string, value: unknown][] =>
    parameters
      .filter((each) => each.place === place && (place === "path" || each.isRequired))
      .slice(0, maxExampleParameters)
      .map((each) => [each.name, makeParameter(document, each)]);
  const path = make("path").reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => encodeURIComponent(String(value))),
    operation.path,
  );
  const query = make("query");
  const media = findMain(body?.media ?? []);
  const isNeeded = body?.isRequired === true || (method !== "GET" && method !== "DELETE");
  return {
    method,
    path,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(media === undefined || !isNeeded ? {} : { body: makeBody(document, media) }),
  };
}

function isShort(value: unknown): boolean {
  return (
    value !== undefined && value !== null && JSON.stringify(value).length <= maxExampleCharacters
  );
}

function makeBody(document: ApiDocument, { schema, examples }: Media): unknown {
  const given = examples.map((each) =>
    typeof each === "string" ? (readPlainJson(each) ?? each) : each,
  );
  return given.find(isShort) ?? makeValue(document, schema, 0, { members: maxExampleMembers });
}

/** A string without an example is shown by its name: `/repos/owner/repo`. */
function makeParameter(document: ApiDocument, { name, schema, examples }: Parameter): unknown {
  const [made] = [makeValue(document, schema, 0, { members: 1 })].flat();
  const given = [...examples, document.follow(schema)["example"], made === "string" ? name : made];
  return (
    given.find((each) => typeof each !== "object" && isShort(each) && String(each).length <= 100) ??
    name
  );
}

/** A value by a schema: its example, default or first allowed value, else one of its type with the required members. */
function makeValue(
  document: ApiDocument,
  given: unknown,
  depth: number,
  left: { members: number },
): unknown {
  if (!isPlainObject(given)) return "string";
  const schema = document.follow(given);
  const known = [
    schema["example"],
    ...asList(schema["examples"]).slice(0, maxExamples),
    schema["default"],
  ].find(isShort);
  if (known !== undefined) return known;
  const shape = readShape(document, schema, "request");
  const isDeep = depth >= maxExampleDepth;
  switch (shape.kind) {
    case "values":
      return shape.parts.find((value) => value !== null);
    case "choice":
      return isDeep ? "string" : makeValue(document, shape.parts[0], depth + 1, left);
    case "list":
      return isDeep ? [] : [makeValue(document, schema["items"], depth + 1, left)];
    case "scalar":
      return isFile(schema)
        ? { $file: "r_…" }
        : makeScalar(shape.types[0], String(schema["format"]));
    case "object": {
      const isShown = (member: (typeof shape.members)[number]): boolean =>
        member.isRequired || isFile(document.follow(member.schema));
      const needed = isDeep ? [] : shape.members.filter(isShown);
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

/** The bytes of a file: in OpenAPI 3.0, in Swagger 2, and in OpenAPI 3.1. */
function isFile({ type, format, contentMediaType }: Plain): boolean {
  if (type === "file" || (type === "string" && format === "binary")) return true;
  return typeof contentMediaType === "string" && !/^text\/|json/i.test(contentMediaType);
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
