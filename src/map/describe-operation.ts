/** One operation told fully, in few words: parameters, body and answer as compact types, an example, its errors. */

import { clipText } from "../text.js";
import type { ApiDocument } from "./api-document.js";
import { makeExample } from "./make-example.js";
import { findJson, isJsonType, type Media, type Operation, type Parameter } from "./operation.js";
import type { Direction } from "./schema.js";
import { cleanName, writeDefault, writeType } from "./write-type.js";

/**
 * How much is told, and of body and answer how deep and how many members: the first that fits the budget. An answer is told less deeply
 * than a body, because calling shows the rest of it.
 */
const details = [
  { about: 240, parameter: 80, parameters: 60, body: [4, 60], answer: [3, 40], errors: 8 },
  { about: 60, parameter: 0, parameters: 60, body: [2, 60], answer: [1, 8], errors: 2 },
  { about: 60, parameter: 0, parameters: 8, body: [1, 10], answer: [0, 0], errors: 0 },
] as const;

type Detail = (typeof details)[number];

/**
 * @param fits - Whether so much is within the budget.
 * @returns `operation`, `about`, `path`, `query`, `headers`, `body`, `answer`, `errors`, each as far as there is something to say; and
 * `example`, a complete input for the source's tool. A parameter `name?` may be left out.
 */
export function describeOperation(
  document: ApiDocument,
  operation: Operation,
  fits: (told: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  let told: Record<string, unknown> = {};
  for (const detail of details) {
    told = tell(document, operation, detail);
    if (fits(told)) return told;
  }
  return { ...told, example: {} };
}

function tell(document: ApiDocument, operation: Operation, detail: Detail): Record<string, unknown> {
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
    .map(({ status, description = "" }) => [cleanName(status, 10), clipText(stripMarkdown(description), 60)]);
  return dropUndefined({
    operation: `${method} ${cleanName(path, 400)}`,
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
      `${cleanName(success.status, 10)} ${writePayload(document, success.media, detail.answer, "answer")}`.trim(),
    errors: errors.length === 0 ? undefined : Object.fromEntries(errors),
    example: makeExample(document, operation),
  });
}

/** Plain data of what there is something to say of. */
export function dropUndefined(told: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

function describeWords({ summary, description = "" }: Operation, characters: number): string {
  if (summary === undefined) return clipText(stripMarkdown(description), Math.max(100, characters));
  const isShort = characters <= 100 || description === "";
  const whole = description.startsWith(summary) ? description : `${summary}. ${description}`;
  return clipText(stripMarkdown(isShort ? summary : whole), characters);
}

/** Somebody else's prose on one line: links and marks cost tokens, and characters that no reader sees may turn a text around. */
export function stripMarkdown(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/\p{C}+/gu, " ")
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
  const sorted = parameters.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const shown = sorted.slice(0, detail.parameters).map(({ name, isRequired, schema, description = "" }) => {
    const type = writeType(document, schema, { depth: 1, members: 12, direction: "request" });
    const about = clipText(stripMarkdown(description), detail.parameter);
    const words = detail.parameter === 0 || about === "" ? "" : `; ${about}`;
    const preset = writeDefault(document.follow(schema));
    return [`${cleanName(name, 80)}${isRequired ? "" : "?"}`, `${type}${preset}${words}`];
  });
  const more = sorted.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more`]] : shown);
}

/** The type of a body or an answer, behind its format; JSON goes without saying. `""` where there is none. */
function writePayload(
  document: ApiDocument,
  media: readonly Media[],
  [depth, members]: readonly [number, number],
  direction: Direction,
): string {
  const chosen = findJson(media) ?? media[0];
  if (chosen === undefined) return "";
  const format = isJsonType(chosen.type) || chosen.type === "*/*" ? "" : `${cleanName(chosen.type, 60)} `;
  return `${format}${writeType(document, chosen.schema, { depth, members, direction })}`;
}
