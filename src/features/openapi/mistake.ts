/** What is wrong with a call by the API's description, in words for a model and as plain data. */

import { quoteText } from "../../core/base/text.js";
import type { ValueProblem } from "./check-value.js";
import { findNearestName } from "./nearest.js";

/** A part of the path, a query parameter, or a member of the body. */
type Part = "path" | "parameter" | "member";

export interface Mistake {
  readonly kind:
    | `${Part}_${"type" | "enum"}`
    | `${"unknown" | "missing"}_${Part}`
    | "wrong_method"
    | "placeholder"
    | "missing_body";
  /** Where: `path`, `method`, `{id}`, a parameter's name, or a place in the body such as `body.lines[0].amount`. */
  readonly at: string;
  readonly message: string;
  /** What exists instead. */
  readonly hint: string;
  readonly given: string;
  /** The names, values or types that would be right, the likeliest first. */
  readonly expected: readonly string[];
}

const maxExpected = 20;
const maxNamed = 30;

export function createMistake({ given, expected, ...mistake }: Mistake): Mistake {
  return { ...mistake, given: given.slice(0, 200), expected: expected.slice(0, maxExpected) };
}

/** @param name - Of the parameter, or the place in the body. */
export function describeProblem(
  part: Part,
  name: string,
  { kind, given, expected }: Omit<ValueProblem, "at">,
): Mistake {
  const shown = showName(name);
  const subjects = { path: `${shown} in the path`, parameter: `query parameter ${shown}`, member: shown };
  const subject = `${part === "parameter" ? "The " : ""}${subjects[part]}`;
  const found = { at: part === "path" ? `{${name}}` : name, given, expected };
  if (kind === "missing")
    return createMistake({
      ...found,
      kind: `missing_${part}`,
      message: `${subject} is missing.`,
      hint: `Add ${shown}${expected.length === 0 ? "" : `, of type ${expected.join(" or ")}`}.`,
      expected: [name.split(".").at(-1) ?? name],
    });
  if (kind === "unknown") {
    const nearest = findNearestName(given, expected);
    const likeliest = nearest && `The nearest to ${quoteText(given, 80)} is \`${nearest}\`. `;
    const names = `There are ${expected.slice(0, maxNamed).join(", ")}.`;
    return createMistake({
      ...found,
      kind: `unknown_${part}`,
      message: `There is no ${subjects[part]}.`,
      hint: `${likeliest ?? ""}${expected.length === 0 ? "It takes none." : names}`,
      expected: nearest === undefined ? expected : [nearest],
    });
  }
  const isNamedType = kind === "type" && part === "member";
  return createMistake({
    ...found,
    kind: `${part}_${kind}`,
    message: `${subject} is ${isNamedType ? withArticle(given) : quoteText(given, 80)}.`,
    hint: `${shown} ${kind === "type" ? `must be ${expected.map(withArticle).join(" or ")}` : listChoices(expected, given)}.`,
  });
}

/** `is one of "open", "closed"; the nearest is "open"`. */
function listChoices(expected: readonly string[], given: string): string {
  const shown = expected.slice(0, maxExpected).map((value) => quoteText(value, 40));
  const more = expected.length > maxExpected ? ` and ${expected.length - maxExpected} more` : "";
  const nearest = expected.length > 1 ? findNearestName(given, expected) : undefined;
  const likeliest = nearest === undefined ? "" : `; the nearest is ${quoteText(nearest, 40)}`;
  return `is one of ${shown.join(", ")}${more}${likeliest}`;
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** A name in code marks, whatever characters it has. */
export function showName(name: string): string {
  return `\`${quoteText(name, 200).slice(1, -1)}\``;
}
