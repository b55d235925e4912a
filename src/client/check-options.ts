/** Checks the options of a toolkit, tool or client when it is made: a misspelt option would have no effect, and no one would notice. */

import { type ApiSourceError, notConfigured } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { findNearest, quoteText } from "../text.js";
import type { ClientOptions } from "./client-options.js";
import { findNameProblems } from "./tool-names.js";

/** Which values an option may have. */
export interface OptionRule {
  readonly allows: (value: unknown) => boolean;
  /** What is allowed, after "must be". */
  readonly expected: string;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const isFunction = (value: unknown): boolean => typeof value === "function";

const aFunction: OptionRule = { allows: isFunction, expected: "a function" };
const anObject: OptionRule = { allows: isObject, expected: "an object" };
const aBoolean: OptionRule = {
  allows: (value) => typeof value === "boolean",
  expected: "true or false",
};
const byNameOrFunction: OptionRule = {
  allows: (value) => (isObject(value) && !Array.isArray(value)) || isFunction(value),
  expected: "an object with one entry per name, or a function",
};
const aStore: OptionRule = {
  allows: (value) => value === "runtime" || isObject(value),
  expected: 'a store, or "runtime"',
};

/** The options that loading and testing take besides. */
interface OtherOptions {
  readonly onInvalid: unknown;
  readonly signal: unknown;
}

/** One rule per option: the compiler finds an option without one. */
const rules: Record<keyof (ClientOptions & OtherOptions), OptionRule> = {
  approve: {
    allows: (value) => value === "writes" || value === "all" || isFunction(value),
    expected: '"writes", "all" or a function',
  },
  approver: aFunction,
  clock: anObject,
  countTokens: aFunction,
  credentials: byNameOrFunction,
  interrupts: aBoolean,
  logger: { allows: (value) => isObject(value) || isFunction(value), expected: "a logger such as console" },
  maxTokens: {
    allows: (value) => typeof value === "number" && value > 0,
    expected: "a number greater than 0",
  },
  onCall: aFunction,
  onInvalid: {
    allows: (value) => value === "throw" || value === "skip",
    expected: '"throw" or "skip"',
  },
  random: aFunction,
  readApiResponse: aBoolean,
  readEnvironment: aFunction,
  redis: {
    allows: (value) => isObject(value) || isFunction(value),
    expected: "a client of ioredis or node-redis",
  },
  responseScope: aFunction,
  responseStore: aStore,
  secrets: byNameOrFunction,
  signal: { allows: (value) => value instanceof AbortSignal, expected: "an AbortSignal" },
  sleep: aFunction,
  summarizer: anObject,
  tokenStore: aStore,
  toolNames: {
    allows: (value) => isObject(value) && !Array.isArray(value),
    expected: "an object of tool names by slug",
  },
  transport: {
    allows: (value) =>
      isFunction(value) || ["record", "replay"].some((name) => isFunction(Object(value)[name])),
    expected: "a function, or what recordTo or replayFrom gives",
  },
  readFile: aFunction,
};

/**
 * Checks every option, and that the names in `credentials` are those of sources. A name that is nearly that of a source without an
 * entry is a mistake; another unknown name is a warning in the log, because one map may serve several toolkits.
 *
 * @param options an option that is `undefined` counts as absent
 * @throws ApiSourceError `not_configured`, code `wrong_options`, that lists every problem with its fix
 */
export function checkOptions(options: ClientOptions, sources: readonly ApiSource[]): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const problems = given.flatMap(([name, value]) => findProblem(name, value, rules));
  for (const option of ["credentials", "toolNames"] as const) {
    const { misspelt, unknown } = judgeNames(option, options[option], sources);
    problems.push(...misspelt);
    if (unknown.length > 0) warn(options.logger, { option, names: unknown }, sources);
  }
  if (isObject(options.toolNames)) problems.push(...findNameProblems(options.toolNames, sources));
  if (problems.length > 0) throw refuseOptions(problems);
}

/**
 * Checks the options of one method by rules of its own.
 *
 * @param options an option that is `undefined` counts as absent
 * @param method for the message, such as `getTools`
 * @throws ApiSourceError `not_configured`, code `wrong_options`, that lists every problem with its fix
 */
export function checkMethodOptions(
  method: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (!isObject(options) || Array.isArray(options))
    throw refuseOptions([`${method}: the options are ${describeType(options)}; they must be an object.`]);
  const given = Object.entries(Object(options)).filter(([, value]) => value !== undefined);
  const problems = given.flatMap(([name, value]) => findProblem(name, value, rules));
  if (problems.length > 0) throw refuseOptions(problems.map((problem) => `${method}: ${problem}`));
}

function findProblem(name: string, value: unknown, rules: Readonly<Record<string, OptionRule>>): string[] {
  const rule = Object.entries(rules).find(([known]) => known === name)?.[1];
  if (rule === undefined) {
    const nearest = findNearest(name, Object.keys(rules));
    return [`There is no option ${quoteText(name, 40)}.${nearest === undefined ? "" : ` Write ${nearest}.`}`];
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

interface JudgedNames {
  readonly misspelt: readonly string[];
  readonly unknown: readonly string[];
}

function judgeNames(option: string, given: unknown, sources: readonly ApiSource[]): JudgedNames {
  const isMap = isObject(given) && !("getCredential" in Object(given));
  if (!isMap || sources.length === 0) return { misspelt: [], unknown: [] };
  const names = Object.keys(Object(given));
  const slugs = sources.map(({ slug }) => slug);
  const unserved = slugs.filter((slug) => !names.includes(slug));
  const misspelt: string[] = [];
  const unknown: string[] = [];
  for (const name of names.filter((each) => !slugs.includes(each))) {
    const nearest = findNearest(name, unserved);
    if (nearest === undefined) unknown.push(name);
    else misspelt.push(`${option} has ${quoteText(name, 64)}; the source is named ${quoteText(nearest)}.`);
  }
  return { misspelt, unknown };
}

function refuseOptions(problems: readonly string[]): ApiSourceError {
  return notConfigured(
    "wrong_options",
    problems.length === 1
      ? (problems[0] ?? "")
      : `${problems.length} problems with the options: ${problems.join(" ")}`,
    "Correct the options; docs/api.md lists them.",
  );
}

function warn(
  logger: ClientOptions["logger"],
  { option, names }: { readonly option: string; readonly names: readonly string[] },
  sources: readonly ApiSource[],
): void {
  try {
    logger?.warn(`The ${option} option has names that are not names of these sources.`, {
      names,
      sources: sources.map(({ slug }) => slug),
    });
  } catch {
    // A logger that fails must not fail the application.
  }
}
