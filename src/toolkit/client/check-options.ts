/** Checks the options of a toolkit, tool or client when it is made: a misspelt option would have no effect, and no one would notice. */

import {
  aBoolean,
  aFunction,
  anAbortSignal,
  anObject,
  createOption,
  findOptionProblems,
  isFunction,
  isObject,
  type OptionRule,
  refuseOptions,
} from "../../core/base/option-rules.js";
import { findNearest, quoteText } from "../../core/base/text.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { reservedToolNames, toolNamePattern } from "../../core/record/record-schema.js";
import type { ClientOptions } from "./client-options.js";

const isByName = (value: unknown): value is object => isObject(value) && !Array.isArray(value);
const byNameOrFunction = createOption(
  (value) => isByName(value) || isFunction(value),
  "an object with one entry per name, or a function",
);
const aStore = createOption((value) => value === "runtime" || isObject(value), 'a store, or "runtime"');
const aClient = (expected: string) => createOption((value) => isObject(value) || isFunction(value), expected);

/** One rule per option, that which testing takes too: the compiler finds an option without one. */
const rules: Record<keyof ClientOptions | "signal", OptionRule> = {
  approve: createOption(
    (value) => value === "writes" || value === "all" || isFunction(value),
    '"writes", "all" or a function',
  ),
  approver: aFunction,
  countTokens: aFunction,
  credentials: byNameOrFunction,
  flow: createOption(
    (value) => value === "hold" || value === "refuse",
    '"hold" or "refuse"; what "report" let pass is named in `sharesWith` of the confidential source\'s record',
  ),
  interrupts: aBoolean,
  logger: aClient("a logger such as console"),
  maxTokens: createOption((value) => typeof value === "number" && value > 0, "a number greater than 0"),
  onCall: aFunction,
  readApiResponse: aBoolean,
  redis: aClient("a client of ioredis or node-redis"),
  responseScope: aFunction,
  responseStore: aStore,
  secrets: byNameOrFunction,
  signal: anAbortSignal,
  summarizer: anObject,
  tokenStore: aStore,
  toolNames: createOption(isByName, "an object of tool names by slug"),
  transport: createOption(
    (value) =>
      isFunction(value) ||
      (isObject(value) && ["record", "replay"].some((name) => isFunction(Reflect.get(value, name)))),
    "a function, or what recordTo or replayFrom gives",
  ),
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
  const { credentials, toolNames, logger } = options;
  const problems = findOptionProblems(options, rules);
  const slugs = sources.map(({ slug }) => slug);
  const listUnknown = (names: readonly string[]): string[] => names.filter((name) => !slugs.includes(name));
  const unknown = sources.map(({ slug, api }) => [
    `sharesWith of ${slug}`,
    listUnknown(api.sharesWith ?? []),
  ]);
  for (const [option, given] of Object.entries({ credentials, toolNames })) {
    if (!isMap(given) || sources.length === 0) continue;
    const unserved = slugs.filter((slug) => !Object.hasOwn(given, slug));
    const names = listUnknown(Object.keys(given));
    const nearest = new Map(names.map((name) => [name, findNearest(name, unserved)]));
    for (const [name, slug] of nearest)
      if (slug !== undefined)
        problems.push(`${option} has ${quoteText(name, 64)}; the source is named ${quoteText(slug)}.`);
    unknown.push([`The ${option} option`, names.filter((name) => nearest.get(name) === undefined)]);
  }
  try {
    for (const [what, names = []] of unknown)
      if (names.length > 0)
        logger?.warn(`${what} has names that are not names of these sources.`, { names, sources: slugs });
  } catch {
    // A logger that fails must not fail the application.
  }
  if (isObject(toolNames)) problems.push(...findNameProblems(toolNames, sources));
  if (problems.length > 0) throw refuseOptions(problems);
}

/** Whether an option has one entry per name. */
function isMap(given: unknown): given is Readonly<Record<string, unknown>> {
  return isByName(given) && !("getCredential" in given);
}

/** The name of the tool of a source. Its slug, by which it is configured, stays the same. */
export function findToolName({ slug }: ApiSource, toolNames: ClientOptions["toolNames"]): string {
  return (toolNames && Object.hasOwn(toolNames, slug) && toolNames[slug]) || slug;
}

/** A sentence for each name that some provider refuses, and for each that another tool has. */
function findNameProblems(toolNames: ClientOptions["toolNames"], sources: readonly ApiSource[]): string[] {
  const taken = new Set(reservedToolNames);
  return sources.flatMap((source) => {
    const given: unknown = findToolName(source, toolNames);
    const name = String(given);
    const isRight = given === name && toolNamePattern.test(name) && !taken.has(name.toLowerCase());
    taken.add(name.toLowerCase());
    return isRight
      ? []
      : [
          `toolNames gives ${quoteText(source.slug, 64)} the name ${quoteText(name, 64)}; it must match ${String(toolNamePattern)}, and be no other tool's.`,
        ];
  });
}
