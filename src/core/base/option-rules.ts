/** Rules for the options that an application gives: a misspelt option would have no effect, and no one would notice. */

import { type ApiSourceError, notConfigured } from "./errors.js";
import { findNearest, quoteText } from "./text.js";

/** Which values an option may have. */
export interface OptionRule {
  readonly allows: (value: unknown) => boolean;
  /** What is allowed, after "must be". */
  readonly expected: string;
}

export const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
export const isFunction = (value: unknown): boolean => typeof value === "function";

export const aFunction: OptionRule = { allows: isFunction, expected: "a function" };
export const anObject: OptionRule = { allows: isObject, expected: "an object" };
export const aBoolean: OptionRule = {
  allows: (value) => typeof value === "boolean",
  expected: "true or false",
};
export const aText: OptionRule = { allows: (value) => typeof value === "string", expected: "a string" };
export const anAbortSignal: OptionRule = {
  allows: (value) => value instanceof AbortSignal,
  expected: "an AbortSignal",
};

/** A number, a fraction too. */
export const atLeast = (least: number): OptionRule => ({
  allows: (value) => typeof value === "number" && value >= least,
  expected: `a number that is at least ${least}`,
});

/** One of a few words. */
export const oneOf = (...words: readonly string[]): OptionRule => ({
  allows: (value) => typeof value === "string" && words.includes(value),
  expected: words.map((word) => JSON.stringify(word)).join(" or "),
});

/**
 * Checks the options of one function by rules of its own.
 *
 * @param name for the message, such as `getTools`
 * @param options an option that is `undefined` counts as absent
 * @param rules one per option: the compiler finds an option without one
 * @throws ApiSourceError `not_configured`, code `wrong_options`, that lists every problem with its fix
 */
export function checkOwnOptions<Options extends object>(
  name: string,
  options: Options,
  rules: Readonly<Record<string, OptionRule>> & Record<keyof Options, OptionRule>,
): void {
  if (!isObject(options) || Array.isArray(options))
    throw refuseOptions([`${name}: the options are ${describeType(options)}; they must be an object.`]);
  const problems = findOptionProblems(Object(options), rules);
  if (problems.length > 0) throw refuseOptions(problems.map((problem) => `${name}: ${problem}`));
}

/** A sentence for each option that is unknown or has a wrong value. */
export function findOptionProblems(options: object, rules: Readonly<Record<string, OptionRule>>): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : findProblem(name, value, rules),
  );
}

function findProblem(name: string, value: unknown, rules: Readonly<Record<string, OptionRule>>): string[] {
  const rule = Object.entries(rules).find(([known]) => known === name)?.[1];
  if (rule === undefined) {
    const nearest = findNearest(name, Object.keys(rules));
    return [`${quoteText(name, 40)} is not an option.${nearest === undefined ? "" : ` Write ${nearest}.`}`];
  }
  // The given value is shown only where it is a short word: an option may hold secrets.
  const isWord = typeof value === "string" && name !== "credentials" && name !== "secrets";
  const shown = isWord ? quoteText(value, 40) : describeType(value);
  return rule.allows(value) ? [] : [`${name} is ${shown}; it must be ${rule.expected}.`];
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : `of type ${typeof value}`;
}

/** One error for all of them. */
export function refuseOptions(problems: readonly string[]): ApiSourceError {
  return notConfigured(
    "wrong_options",
    problems.length === 1
      ? (problems[0] ?? "")
      : `${problems.length} problems with the options: ${problems.join(" ")}`,
    "Correct the options; docs/api.md lists them.",
  );
}
