/** The options of a toolkit, a tool, a client and a connection test, checked when it is made: a misspelt one would have no effect. */

import {
  aBoolean,
  aFunction,
  anAbortSignal,
  anObject,
  createOption,
  findOptionProblems,
  isAnyObject,
  isFunction,
  type OptionRule,
  refuseOptions,
} from "../../core/base/option-rules.js";
import type { Logger, RuntimeStore } from "../../core/base/runtime.js";
import { suggest } from "../../core/base/suggest.js";
import { quoteText } from "../../core/base/text.js";
import type { ReadFile } from "../../core/body/files/file.js";
import type { OnCall, UserOf } from "../../core/call/call-event.js";
import type { Approve, Approver } from "../../core/call/slots.js";
import type {
  CredentialsOption,
  SecretsOption,
} from "../../core/credentials/create-credential-resolver.js";
import { findDataProblem } from "../../core/credentials/credential.js";
import type { TransportOption } from "../../core/http/own-transport.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { reservedToolNames, toolNamePattern } from "../../core/record/record-schema.js";
import type { StoreOptions } from "../../core/store/response-store.js";
import type { CountTokens, Summarizer } from "../../core/view/summary.js";
import type { FlowRule } from "../../features/confidential/loaded.js";
import type { TokenStore } from "../../features/oauth/token-store.js";

/** Every option is optional. */
export interface ClientOptions extends StoreOptions {
  /**
   * The credentials: by tool name, a function asked on each call, or a provider. What it has no entry for comes
   * from the environment.
   */
  readonly credentials?: CredentialsOption | undefined;
  /**
   * Which calls wait until a person approved them: every call but a GET, all, or those that a function selects. In a LangGraph run with a
   * checkpointer the tool interrupts; elsewhere `approver` is asked. @default none
   */
  readonly approve?: Approve | undefined;
  /** Decides in place of an interrupt, an MCP client's question included. @default no one: outside of a run such a call is refused */
  readonly approver?: Approver | undefined;
  /**
   * The rule for a request of a thread that may have content of a source with `confidential: true`, to a source that its `sharesWith` does not
   * name: a person decides, or it is refused. @default "hold"
   */
  readonly flow?: FlowRule | undefined;
  /**
   * Whether a call may interrupt a LangGraph run. `false` where the interrupt cannot leave the caller, as in an interpreter that calls tools: a
   * call that needs a decision or a consent is then answered `approval_required` or `auth_required`. @default true
   */
  readonly interrupts?: boolean | undefined;
  /**
   * Other names of tools, by slug: `{ task: "task_api" }` where a host reserves the name `task`. Credentials, variables and code keep the
   * slug. @default the slug
   */
  readonly toolNames?: Readonly<Record<string, string>> | undefined;
  /** The values of `"${NAME}"`: by name, or a function asked on each call; else the environment. */
  readonly secrets?: SecretsOption | undefined;
  /** Whether large answers are kept and named by an id that `read_api_response` reads. @default true */
  readonly readApiResponse?: boolean | undefined;
  /**
   * Where the tokens of sources with `oauth2` or `login` are kept: `fileTokenStore(dir)`, a LangGraph store, or `"runtime"`, the store
   * of the running agent when there is one.
   *
   * @default memory, as long as the toolkit or client lives
   */
  readonly tokenStore?: TokenStore | RuntimeStore | "runtime" | undefined;
  /** Counts tokens. @default an estimate, within a fifth for usual answers */
  readonly countTokens?: CountTokens | undefined;
  /** Makes large answers small. @default `projectionSummarizer()` */
  readonly summarizer?: Summarizer | undefined;
  /** The budget of one answer in tokens, for sources whose record sets none. @default 2000 */
  readonly maxTokens?: number | undefined;
  /**
   * Gives a file of the application's own to a request whose body has `{"$file": name}`, where `name` is not the id of a kept file. The name
   * comes from the model: at most 255 characters, without `..`, backslash, control character, or slash at its beginning.
   *
   * @default no file
   */
  readonly readFile?: ReadFile | undefined;
  /** An ioredis or node-redis client: `requestsPerMinute` is then one quota for all processes. */
  readonly redis?: unknown | undefined;
  /** Takes a line for each call, and warnings: `console`, pino or winston. @default silent */
  readonly logger?: Logger | undefined;
  /**
   * Called before and after each request, for each attempt on the wire, and when a call is over, refused ones included: for metrics, traces and audit.
   * Not waited for. @default no one
   */
  readonly onCall?: OnCall | undefined;
  /** Names the user of a call, from its context: for events, the journal, quotas, and (without `responseScope`) grants. @default no user */
  readonly userOf?: UserOf | undefined;
  /**
   * Whether requests below the base URL carry a W3C `traceparent`, where they have none: of the active span, where the application uses OpenTelemetry, else
   * of a trace for each call. It is no part of approvals and recordings. @default false
   */
  readonly traces?: boolean | undefined;
  /**
   * Answers requests in place of the network, so that an application is tested without one: a function, or `replayFrom(dir)` of
   * `langchain-api-sources/testing`. `recordTo(dir)` observes the network and replaces nothing. @default the network
   */
  readonly transport?: TransportOption | undefined;
}

const isByName = (value: unknown): value is object => isAnyObject(value) && !Array.isArray(value);
const isTextOrNone = (value: unknown): boolean => typeof (value ?? "") === "string";
const byNameOrFunction = createOption(
  (value) => isByName(value) || isFunction(value),
  "an object with one entry per name, or a function",
);
const aStore = createOption(
  (value) => value === "runtime" || isAnyObject(value),
  'a store, or "runtime"',
);
const aClient = (expected: string) =>
  createOption((value) => isAnyObject(value) || isFunction(value), expected);

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
  maxTokens: createOption(
    (value) => typeof value === "number" && value > 0,
    "a number greater than 0",
  ),
  onCall: aFunction,
  readApiResponse: aBoolean,
  redis: aClient("a client of ioredis or node-redis"),
  responseScope: aFunction,
  responseStore: aStore,
  secrets: createOption(
    (value) => isFunction(value) || (isByName(value) && Object.values(value).every(isTextOrNone)),
    "an object with one string per name, or a function",
  ),
  signal: anAbortSignal,
  summarizer: anObject,
  tokenStore: aStore,
  traces: aBoolean,
  userOf: aFunction,
  toolNames: createOption(isByName, "an object of tool names by slug"),
  transport: createOption(
    (value) =>
      isFunction(value) ||
      (isAnyObject(value) &&
        ["record", "replay"].some((name) => isFunction(Reflect.get(value, name)))),
    "a function, or what recordTo or replayFrom gives",
  ),
  readFile: aFunction,
};

/**
 * Checks every option, each credential that is given as data, and that the names in `credentials` are those of sources. A name that is nearly that of a source without an
 * entry is a mistake; another unknown name is a warning in the log, because one map may serve several toolkits.
 *
 * @param options an option that is `undefined` counts as absent
 * @throws ApiSourceError `not_configured`, code `wrong_options`, that lists every problem with its fix
 */
export function checkOptions(options: ClientOptions, sources: readonly ApiSource[]): void {
  const { credentials, toolNames, logger } = options;
  const problems = findOptionProblems(options, rules);
  const slugs = sources.map(({ slug }) => slug);
  const listUnknown = (names: readonly string[]): string[] =>
    names.filter((name) => !slugs.includes(name));
  const unknown = sources.map(({ slug, api }) => [
    `sharesWith of ${slug}`,
    listUnknown(api.sharesWith ?? []),
  ]);
  for (const [option, given] of Object.entries({ credentials, toolNames })) {
    if (!isMap(given) || sources.length === 0) continue;
    const unserved = slugs.filter((slug) => !Object.hasOwn(given, slug));
    const names = listUnknown(Object.keys(given));
    const nearest = new Map(names.map((name) => [name, suggest(name, unserved)?.name]));
    for (const [name, slug] of nearest)
      if (slug !== undefined)
        problems.push(
          `${option} has ${quoteText(name, 64)}; the source is named ${quoteText(slug)}.`,
        );
    unknown.push([`The ${option} option`, names.filter((name) => nearest.get(name) === undefined)]);
  }
  if (isMap(credentials)) problems.push(...findCredentialProblems(credentials, sources));
  try {
    for (const [what, names = []] of unknown)
      if (names.length > 0)
        logger?.warn(`${what} has names that are not names of these sources.`, {
          names,
          sources: slugs,
        });
  } catch {
    // A logger that fails must not fail the application.
  }
  if (isAnyObject(toolNames)) problems.push(...findNameProblems(toolNames, sources));
  if (problems.length > 0) throw refuseOptions(problems);
}

/** A sentence for each credential that is given as data and could not be sent. The credential is not in it. */
function findCredentialProblems(
  credentials: Readonly<Record<string, unknown>>,
  sources: readonly ApiSource[],
): string[] {
  return sources.flatMap((source) => {
    const { slug } = source;
    const given = Object.hasOwn(credentials, slug) ? credentials[slug] : undefined;
    const problem = findDataProblem(given, source);
    return problem === undefined ? [] : `The credential of ${slug} can't be used: ${problem}.`;
  });
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
function findNameProblems(
  toolNames: ClientOptions["toolNames"],
  sources: readonly ApiSource[],
): string[] {
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
