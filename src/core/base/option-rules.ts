/** Rules for the options that an application gives: a misspelt option would have no effect, and no one would notice. */

import { z } from "zod";
import { type ApiSourceError, notConfigured } from "./errors.js";
import { suggest } from "./suggest.js";
import { quoteText } from "./text.js";

/** Which values an option may have; its error is what is allowed, after "must be". */
export type OptionRule = z.ZodType;

export const isAnyObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null;
export const isFunction = (value: unknown): boolean => typeof value === "function";

export const createOption = (allows: (value: unknown) => boolean, expected: string): OptionRule =>
  z.custom(allows, { error: expected });

export const aFunction = createOption(isFunction, "a function");
export const anObject = createOption(isAnyObject, "an object");
export const aBoolean = z.boolean({ error: "true or false" });
export const aText = z.string({ error: "a string" });
export const anAbortSignal = z.instanceof(AbortSignal, { error: "an AbortSignal" });

/** A number, a fraction and infinity too. */
export const atLeast = (least: number): OptionRule =>
  createOption(
    (value) => typeof value === "number" && value >= least,
    `a number that is at least ${least}`,
  );

/** One of a few words. */
export const oneOf = (...words: readonly string[]): OptionRule =>
  z.enum(words, { error: words.map((word) => JSON.stringify(word)).join(" or ") });

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
  if (!isAnyObject(options) || Array.isArray(options))
    throw refuseOptions([
      `${name}: the options are ${describeType(options)}; they must be an object.`,
    ]);
  const problems = findOptionProblems(options, rules);
  if (problems.length > 0) throw refuseOptions(problems.map((problem) => `${name}: ${problem}`));
}

/** A sentence for each option that is unknown or has a wrong value. */
export function findOptionProblems(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
): string[] {
  const { error } = z.strictObject(rules).partial().safeParse(options, { jitless: true });
  const issues = error?.issues ?? [];
  const unknown = issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
  const wrong = issues.filter(({ code }) => code !== "unrecognized_keys");
  const problems = wrong.map((issue) => {
    const name = String(issue.path[0]);
    const value: unknown = Reflect.get(options, name);
    // The given value is shown only where it is a short word: an option may hold secrets.
    const isWord = typeof value === "string" && name !== "credentials" && name !== "secrets";
    const shown = isWord ? quoteText(value, 40) : describeType(value);
    return `${name} is ${shown}; it must be ${issue.message}.`;
  });
  return [...unknown.map((name) => describeUnknown(name, rules)), ...problems];
}

function describeUnknown(name: string, rules: object): string {
  const nearest = suggest(name, Object.keys(rules))?.name;
  return `${quoteText(name, 40)} is not an option.${nearest === undefined ? "" : ` Write ${nearest}.`}`;
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : `of type ${typeof value}`;
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
