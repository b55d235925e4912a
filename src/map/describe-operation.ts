/** One operation told fully, in few words: parameters, body and answer as compact types, an example, its errors. */

import { clipText } from "../text.js";
import type { ApiDocument } from "./api-document.js";
import type { Description } from "./description.js";
import { makeExample } from "./make-example.js";
import {
  type ApiAnswer,
  findJson,
  type Media,
  type Operation,
  type Parameter,
  type Payload,
} from "./operation.js";
import { toCallPath } from "./place-paths.js";
import { cleanName, writeDefault, writeType } from "./write-type.js";

/** How much is told: the first level that is cheap enough, else the last that fits. */
interface Detail {
  readonly descriptionCharacters: number;
  readonly parameterCharacters: number;
  readonly parameters: number;
  readonly body: { readonly depth: number; readonly members: number };
  readonly answer: { readonly depth: number; readonly members: number };
  readonly errors: number;
}

const barest: Detail = {
  descriptionCharacters: 60,
  parameterCharacters: 0,
  parameters: 8,
  body: { depth: 1, members: 10 },
  answer: { depth: 0, members: 0 },
  errors: 0,
};

/** The first that fits the budget is told. An answer is told less deeply than a body: calling shows the rest of it. */
const details: readonly Detail[] = [
  {
    descriptionCharacters: 240,
    parameterCharacters: 80,
    parameters: 60,
    body: { depth: 4, members: 60 },
    answer: { depth: 3, members: 40 },
    errors: 8,
  },
  {
    descriptionCharacters: 60,
    parameterCharacters: 0,
    parameters: 60,
    body: { depth: 2, members: 60 },
    answer: { depth: 1, members: 8 },
    errors: 2,
  },
  barest,
];

export interface ToldOperation {
  readonly operation: string;
  readonly deprecated?: true;
  readonly about?: string;
  readonly path?: Readonly<Record<string, string>>;
  /** `name?` may be left out. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer?: string;
  readonly errors?: Readonly<Record<string, string>>;
  /** A complete input for the source's tool. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** @param maxTokens - The budget, counted by `countTokens`. */
export function describeOperation(
  description: Description,
  operation: Operation,
  { maxTokens, countTokens }: { readonly maxTokens: number; readonly countTokens: (text: string) => number },
): ToldOperation {
  for (const detail of details) {
    const told = tell(description, operation, detail);
    if (countTokens(JSON.stringify(told)) <= maxTokens) return told;
  }
  return { ...tell(description, operation, barest), example: {} };
}

function tell(description: Description, operation: Operation, told: Detail): ToldOperation {
  const { document, placement } = description;
  const { method, template, isDeprecated, parameters, body, answers } = operation;
  const about = describeWords(operation, told.descriptionCharacters);
  const list = (place: Parameter["place"]) => listParameters(document, parameters, place, told);
  const bodyType = body === undefined ? undefined : describePayload(document, body, told);
  const answer = describeAnswer(document, answers, told);
  const errors = describeErrors(answers, told);
  return {
    operation: `${method} ${cleanName(toCallPath(placement, template) ?? template, 400)}`,
    ...(isDeprecated ? { deprecated: true as const } : {}),
    ...(about === "" ? {} : { about }),
    ...withMembers("path", list("path")),
    ...withMembers("query", list("query")),
    ...withMembers("headers", list("header")),
    ...(bodyType === undefined ? {} : { body: bodyType }),
    ...(answer === undefined ? {} : { answer }),
    ...withMembers("errors", errors),
    example: makeExample(description, operation),
  };
}

function withMembers<Name extends string>(
  name: Name,
  entries: readonly (readonly [string, string])[],
): { readonly [Key in Name]?: Readonly<Record<string, string>> } {
  if (entries.length === 0) return {};
  return { [name]: Object.fromEntries(entries) } as {
    readonly [Key in Name]: Readonly<Record<string, string>>;
  };
}

function describeWords({ summary, description }: Operation, characters: number): string {
  if (summary === undefined) return clipText(stripMarkdown(description ?? ""), Math.max(100, characters));
  const more =
    description === undefined || description.startsWith(summary)
      ? (description ?? "")
      : `${summary}. ${description}`;
  return clipText(stripMarkdown(characters <= 100 || more === "" ? summary : more), characters);
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

function listParameters(
  document: ApiDocument,
  parameters: readonly Parameter[],
  place: Parameter["place"],
  detail: Detail,
): (readonly [string, string])[] {
  const own = parameters.filter((each) => each.place === place);
  const ordered = [
    ...own.filter(({ isRequired }) => isRequired),
    ...own.filter(({ isRequired }) => !isRequired),
  ];
  const shown = ordered.slice(0, detail.parameters).map((each): readonly [string, string] => {
    const type = writeType(document, each.schema, { depth: 1, members: 12, direction: "request" });
    const about = clipText(stripMarkdown(each.description ?? ""), detail.parameterCharacters);
    const words = detail.parameterCharacters === 0 || about === "" ? "" : `; ${about}`;
    return [
      `${cleanName(each.name, 80)}${each.isRequired ? "" : "?"}`,
      `${type}${writeDefault(document.follow(each.schema))}${words}`,
    ];
  });
  return shown.length < ordered.length ? [...shown, ["…", `${ordered.length - shown.length} more`]] : shown;
}

function describePayload(document: ApiDocument, { isRequired, media }: Payload, detail: Detail): string {
  const json = findJson(media);
  const [first] = media;
  const chosen = json ?? first;
  if (chosen === undefined) return "any";
  const type = writeType(document, chosen.schema, { ...detail.body, direction: "request" });
  return `${isRequired ? "" : "optional: "}${describeMedia(chosen)}${type}`;
}

/** JSON goes without saying. */
function describeMedia({ type }: Media): string {
  return /[/+]json/.test(type) || type === "*/*" ? "" : `${cleanName(type, 60)} `;
}

function describeAnswer(
  document: ApiDocument,
  answers: readonly ApiAnswer[],
  detail: Detail,
): string | undefined {
  const success =
    answers.find(({ status, media }) => /^2/.test(status) && media.length > 0) ??
    answers.find(({ status }) => /^2/.test(status)) ??
    answers.find(({ status }) => status === "default");
  if (success === undefined) return undefined;
  const media = findJson(success.media) ?? success.media[0];
  const status = cleanName(success.status, 10);
  if (media === undefined) return status;
  return `${status} ${describeMedia(media)}${writeType(document, media.schema, { ...detail.answer, direction: "answer" })}`;
}

function describeErrors(answers: readonly ApiAnswer[], detail: Detail): (readonly [string, string])[] {
  return answers
    .filter(({ status }) => /^[45]/.test(status))
    .slice(0, detail.errors)
    .map(
      ({ status, description }) =>
        [cleanName(status, 10), clipText(stripMarkdown(description ?? ""), 60)] as const,
    );
}
