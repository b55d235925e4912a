/** Knows what a description states of an operation's answer: its media types, and the values of a member, such as the states of a job. */

import type { ApiDocument } from "./api-document.js";
import { listValues } from "./enumerations.js";
import { findJson, type Operation } from "./operation.js";
import { findMembers, simplify } from "./schema.js";

/** @param at - The keys that lead to the member. @returns undefined where the description states no values */
export function listStatedValues(
  document: ApiDocument,
  { answers }: Operation,
  status: number,
  at: readonly string[],
): readonly string[] | undefined {
  const answer = findAnswer(answers, status);
  const whole = answer === undefined ? undefined : findJson(answer.media)?.schema;
  if (whole === undefined) return undefined;
  const member = at.reduce<unknown>(
    (schema, name) => findMembers(document, document.follow(schema)).names.get(name),
    whole,
  );
  // A reference with a description beside it is often behind `allOf`.
  const values = listValues(simplify(document, document.follow(member)));
  return values?.filter((value) => typeof value === "string");
}

/** The media types of an answer as they are written; none where the description has no such answer. */
export function listStatedTypes({ answers }: Operation, status: number): readonly string[] {
  return findAnswer(answers, status)?.media.map(({ type }) => type) ?? [];
}

/** The status itself, then its class (`2XX`), then `default` (OpenAPI 3.1, section 4.8.16). */
function findAnswer(
  answers: Operation["answers"],
  status: number,
): Operation["answers"][number] | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, "default"];
  const found = names.map((name) =>
    answers.find((answer) => answer.status.toUpperCase() === name.toUpperCase()),
  );
  return found.find((answer) => answer !== undefined);
}
