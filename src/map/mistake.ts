/** What is wrong with a call by the API's description, in words for a model and as plain data. */

import type { HttpMethod } from "../source/api-source.js";
import { quoteText } from "../text.js";
import { findNearestName } from "./nearest.js";

/** A call as it would be sent. */
export interface CheckedCall {
  readonly method: HttpMethod;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  readonly contentType?: string;
  /** Parameters that are there or allowed whatever the description says: constant ones, the credential's, those that the API itself named. */
  readonly freeQuery: ReadonlySet<string>;
}

export type MistakeKind =
  | "unknown_path"
  | "wrong_method"
  | "placeholder"
  | "path_type"
  | "path_enum"
  | "unknown_parameter"
  | "missing_parameter"
  | "parameter_type"
  | "parameter_enum"
  | "missing_body"
  | "missing_member"
  | "member_type"
  | "member_enum"
  | "unknown_member";

export interface Mistake {
  readonly kind: MistakeKind;
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

export function createMistake(kind: MistakeKind, at: string, words: Omit<Mistake, "kind" | "at">): Mistake {
  const given = words.given.slice(0, 200);
  return { kind, at, ...words, given, expected: words.expected.slice(0, maxExpected) };
}

/** `must be integer`, or `is one of "open", "closed"; the nearest is "open"`. */
export function describeExpected(kind: "type" | "enum", expected: readonly string[], given: string): string {
  if (kind === "type") return `must be ${expected.map(nameType).join(" or ")}`;
  const shown = expected.slice(0, maxExpected).map((value) => quoteText(value, 40));
  const more = expected.length > maxExpected ? ` and ${expected.length - maxExpected} more` : "";
  const nearest = expected.length > 1 ? findNearestName(given, expected) : undefined;
  const likeliest = nearest === undefined ? "" : `; the nearest is ${quoteText(nearest, 40)}`;
  return `is one of ${shown.join(", ")}${more}${likeliest}`;
}

function nameType(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
