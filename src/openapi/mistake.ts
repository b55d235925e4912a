/** What is wrong with a call by the API's description, in words for a model and as plain data; and whether that is sure. */

import { findDistance, quoteText } from "../text.js";
import type { ValueProblem } from "./check-value.js";
import { findNearestName } from "./nearest.js";
import { isParameter, splitPath } from "./routes.js";

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
  const shown = `\`${quoteText(name, 200).slice(1, -1)}\``;
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

/**
 * Whether a call with this mistake is surely wrong: a name or path that is one or two letters away from a described one, a value that cannot
 * be of the described type or is not in its enum, a placeholder, or a body that lacks a required member. Anything else that is not
 * described may exist all the same.
 */
export function isSureMistake({ kind, given, expected }: Mistake): boolean {
  if (kind === "placeholder" || kind === "missing_body" || kind === "missing_member") return true;
  if (/_(?:type|enum)$/.test(kind)) return true;
  if (kind === "unknown_path") return expected.some((route) => isNearPath(given, route.split(" ")[1] ?? ""));
  return /^unknown_/.test(kind) && isSlip(given, expected[0] ?? "");
}

/** One letter in a short name, two in a longer one; whether letters are capitals does not count. */
function isSlip(given: string, name: string): boolean {
  const shortest = Math.min(given.length, name.length);
  if (shortest < 3 || Math.max(given.length, name.length) > 200) return false;
  const most = shortest < 5 ? 1 : 2;
  return findDistance(given.toLowerCase(), name.toLowerCase(), most) <= most;
}

/** The same path but for one segment, which is a slip. */
function isNearPath(given: string, template: string): boolean {
  const [segments, own] = [splitPath(given), splitPath(template)];
  if (segments.length !== own.length) return false;
  const others = segments.filter((segment, index) => {
    const other = own[index] ?? "";
    return segment !== other && !isParameter(other);
  });
  const index = segments.indexOf(others[0] ?? "");
  return others.length === 1 && isSlip(others[0] ?? "", own[index] ?? "");
}

/** @param request - Method and path, such as `GET /employees`. */
export function writeNote({ kind, at, expected }: Mistake, request: string): string {
  const [nearest] = expected;
  const isNear = nearest !== undefined && expected.length === 1;
  const near = isNear ? ` Nearest: \`${nearest}\`.` : "";
  switch (kind) {
    case "unknown_parameter":
      return `\`${at}\` is not a parameter of ${request}; the API may have ignored it.${near}`;
    case "unknown_member":
      return `\`${at}\` is not described for ${request}; the API may have ignored it.${near}`;
    case "unknown_path":
      return `${request} is not in the API's OpenAPI document.${nearest === undefined ? "" : ` Nearest: ${expected.join(", ")}.`}`;
    case "wrong_method":
      return `The API's OpenAPI document has ${request.replace(/^\S+ /, "")} with ${expected.join(", ")} only.`;
    default:
      return `The API's OpenAPI document requires \`${at}\` for ${request}.`;
  }
}
