/** One operation in few words: parameters, body and answer as compact types, an example, its errors. */

import { clipText } from "../../core/base/text.js";
import { isIgnoredHeader } from "../../core/request/check-headers.js";
import { isPlainJson } from "../../core/request/operation-form.js";
import type { QueryStyle } from "../../core/request/query-style.js";
import type { ApiDocument } from "./api-document.js";
import type { Description } from "./knowledge.js";
import { findSentMedia, makeExample } from "./make-example.js";
import {
  findMain,
  type Media,
  type Operation,
  type OperationAnswer,
  type Parameter,
  readOperation,
} from "./operation.js";
import type { PlacedRoute } from "./paths.js";
import { type Direction, simplify, writeDefault, writeType } from "./schema.js";

/**
 * How much is described, and of body and answer how deep and how many members: the first that fits the budget. An answer is described less deeply
 * than a body, because calling shows the rest of it.
 */
const details = [
  { about: 200, parameter: 80, parameters: 60, body: [4, 60], answer: [3, 30], errors: 8 },
  { about: 60, parameter: 0, parameters: 60, body: [2, 60], answer: [1, 8], errors: 2 },
  { about: 60, parameter: 0, parameters: 8, body: [1, 10], answer: [0, 0], errors: 0 },
] as const;

type Detail = (typeof details)[number];

/** The steps of a reader that one way to describe may cost: a hostile schema has more types than there is time to read. */
const maxSteps = 25_000;

/**
 * @param fits - Whether so much is within the budget.
 * @returns `operation`, `about`, `path`, `query`, `headers`, `cookies`, `body`, `answer`, `errors`, each as far as there is something to say; and
 * `example`, a complete input for the source's tool, or `incomplete` says what it lacks. A parameter `name?` may be left out.
 */
export function describeOperation(
  { document, mayBeSent }: Pick<Description, "document" | "mayBeSent">,
  route: PlacedRoute,
  fits: (value: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  const reading = document.limitSteps(maxSteps);
  const operation = readOperation(reading, route);
  const { elsewhere } = route;
  const isCallable = elsewhere === undefined;
  const printed = isCallable
    ? makeExample(document.limitSteps(maxSteps), operation, mayBeSent)
    : undefined;
  const server =
    elsewhere && `${clipText(elsewhere, 200)}: not this source's, so a call of it is refused`;
  let described: Record<string, unknown> = {};
  for (const detail of details) {
    const limited = document.limitSteps(maxSteps);
    const parts = describe(limited, operation, detail, mayBeSent);
    // A part that was not read is a hole that a model should know of.
    const unread = [...new Set([...reading.missing, ...limited.missing])].join(", ");
    const incomplete = unread === "" ? printed?.doubt : `Not read: ${clipText(unread, 300)}`;
    described = { ...parts, server, incomplete, example: printed?.input };
    if (fits(described)) return described;
  }
  return { ...described, example: isCallable ? {} : undefined };
}

function describe(
  document: ApiDocument,
  operation: Operation,
  detail: Detail,
  mayBeSent: Description["mayBeSent"],
): Record<string, unknown> {
  const { method, path, isDeprecated, parameters, body, answers } = operation;
  const list = (place: string): Record<string, string> | undefined => {
    const own = parameters.filter((each) => each.place === place && isTold(each, mayBeSent));
    if (own.length === 0) return undefined;
    return describeParameters(document, own, detail, mayBeSent);
  };
  const success =
    answers.find(({ status, media }) => /^2/.test(status) && media.length > 0) ??
    answers.find(({ status }) => /^2|^default$/.test(status));
  const errors = answers
    .filter(isForCaller)
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
    cookies: list("cookie"),
    body:
      body &&
      `${body.isRequired ? "" : "optional: "}${writePayload(document, body.media, detail.body, "request") || "any"}`,
    answer:
      success &&
      `${clipText(success.status, 10)} ${writePayload(document, success.media, detail.answer, "answer")}`.trim(),
    errors: errors.length === 0 ? undefined : Object.fromEntries(errors),
  };
}

/** HTTP's own words for the statuses of a wrong call: a model knows them. */
const plainWords =
  /^(?:|bad request|payment required|forbidden|not found|method not allowed|not acceptable|conflict|gone|unsupported media type|unprocessable (?:entity|content))\.?$/i;

/** Whether a call can be changed by what the answer says: the credential and the rate are the package's, a 5xx is the API's. */
function isForCaller({ status, description = "" }: OperationAnswer): boolean {
  return /^4/.test(status) && !/^4(?:01|29)$/.test(status) && !plainWords.test(description);
}

/** A header or a cookie that a call may not set is named where the operation requires it: the record can set it. */
function isTold(parameter: Parameter, mayBeSent: Description["mayBeSent"]): boolean {
  return parameter.isRequired || mayBeSent(parameter);
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
  mayBeSent: Description["mayBeSent"],
): Record<string, string> {
  const sorted = parameters.toSorted(
    (one, other) => Number(other.isRequired) - Number(one.isRequired),
  );
  const shown = sorted.slice(0, detail.parameters).map((parameter) => {
    const { name, isRequired, schema, style, description = "" } = parameter;
    const key = `${clipText(name, 80)}${isRequired ? "" : "?"}`;
    if (!mayBeSent(parameter)) return [key, nameSetter(name)];
    const type = writeType(document, schema, { depth: 1, members: 12, direction: "request", name });
    const about = clipText(stripMarkdown(description), detail.parameter);
    const words = detail.parameter === 0 || about === "" ? "" : `; ${about}`;
    const preset = writeDefault(simplify(document, document.follow(schema)));
    const form = style === undefined ? "" : writeStyle(style);
    return [key, `${type}${form}${preset}${words}`];
  });
  const more = sorted.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more`]] : shown);
}

/** Names the setter of a header that a call may not set. OpenAPI ignores some names: the media types and the credential say those. */
function nameSetter(name: string): string {
  return isIgnoredHeader(name) ? "set by the tool" : "set by the source's record, not by a call";
}

/** How the values of a list or an object are written in one parameter. */
const forms: { readonly [Style in QueryStyle]?: string } = {
  comma: "a,b",
  space: "a b",
  tab: "a\tb",
  pipe: "a|b",
  brackets: "name[key]=a",
  json: "JSON text",
};

/** Nothing where each value has a parameter of its own. */
function writeStyle(style: QueryStyle): string {
  const form = forms[style];
  return form === undefined ? "" : ` as ${form}`;
}

/** The type of a body or an answer, behind its format; JSON is not named where it is the only one. `""` without a type. */
function writePayload(
  document: ApiDocument,
  media: readonly Media[],
  [depth, members]: readonly [number, number],
  direction: Direction,
): string {
  const chosen = direction === "request" ? findSentMedia(media) : findMain(media);
  if (chosen === undefined) return "";
  const type = writeType(document, chosen.schema, { depth, members, direction });
  const others = media.filter((each) => each !== chosen && !isJsonItself(each.type));
  const named = isJsonItself(chosen.type) ? "" : `${clipText(chosen.type, 60)} `;
  const also = direction === "request" ? others.slice(0, maxOtherTypes) : [];
  const more = also.map((each) => clipText(each.type, 60)).join(", ");
  return `${named}${type}${more === "" ? "" : `; also ${more}`}`;
}

/** The most media types that are named besides the one that is sent. */
const maxOtherTypes = 5;

/** A media type that need not be named. */
function isJsonItself(type: string): boolean {
  return type === "*/*" || isPlainJson(type);
}
