/** A set of sources as LangChain tools that share their secrets' redaction, kept responses and limits. */

import { randomUUID } from "node:crypto";
import { BaseToolkit, type StructuredTool } from "@langchain/core/tools";
import { type ApiSourceError, notConfigured } from "../core/base/errors.js";
import {
  aBoolean,
  anAbortSignal,
  aText,
  checkOwnOptions,
  oneOf,
} from "../core/base/option-rules.js";
import type { CallContext, Seams } from "../core/base/runtime.js";
import type { GrantFacts } from "../core/credentials/credential.js";
import type { ApiSource } from "../core/record/api-source.js";
import type { RecordsOf } from "../core/record/judged-record.js";
import { loadSources } from "../core/record/load-sources.js";
import { parseSources } from "../core/record/parse-source.js";
import type { LastingApproval } from "../features/approval/lasting-approvals.js";
import type { ConnectionReport } from "../features/connection/connection-report.js";
import type { StartedAuthorization, TokenIssuer } from "../features/oauth/token-issuer.js";
import type { ClientOptions } from "./client/client-options.js";
import type { ToolkitServices } from "./client/create-services.js";
import { joinSourceClient } from "./client/join-source-client.js";
import { type Overviews, openSources } from "./client/open-source.js";
import { type OpenServices, shareServices } from "./client/share-services.js";
import type { UntypedClient } from "./client/source-client.js";
import { toCombinedTool } from "./combined-tool.js";
import {
  type GetToolsOptions,
  isDescribed,
  toDescriber,
  toReader,
  toTool,
} from "./create-tools.js";
import { findSource } from "./find-source.js";
import { checkStoreGiven, type ReadFileOptions, readRules } from "./read-options.js";

function refuseNew(): ApiSourceError {
  return notConfigured(
    "wrong_options",
    "`new ApiSourceToolkit(…)` makes no toolkit: records are read and checked before there is one.",
    "Write `await ApiSourceToolkit.fromSources(records, options)`, `fromFile(path)` or `fromDirectory(path)`.",
  );
}

export class ApiSourceToolkit extends BaseToolkit {
  override tools: StructuredTool[];
  readonly #clients: readonly UntypedClient[];
  readonly #openServices: OpenServices;
  readonly #responseStore: ClientOptions["responseStore"];
  readonly #makeTools: (options: GetToolsOptions) => StructuredTool[];

  private constructor(
    sources: readonly ApiSource[],
    options: ClientOptions,
    overviews: Overviews | undefined,
    seams?: Seams,
  ) {
    super();
    // JavaScript has no private constructors.
    if (overviews === undefined) throw refuseNew();
    const { readApiResponse = true } = options;
    const openServices = shareServices(sources, options, randomUUID(), seams);
    const clients = sources.map((source) => joinSourceClient(source, openServices, options));
    this.#makeTools = (given) => {
      const { answers = "view", strict = true, interrupts = options.interrupts } = given;
      const { combined = false } = given;
      const settings = { ...options, answers, strict, interrupts };
      const callers = combined
        ? [toCombinedTool(clients, openServices, settings)]
        : clients.map((client) =>
            toTool(client, { ...settings, overview: overviews.get(client.source.slug) }),
          );
      const hasReader = answers === "view" && readApiResponse;
      const hasDescriber = combined ? sources.some(isDescribed) : overviews.size > 0;
      return [
        ...callers,
        ...(hasReader ? [toReader(openServices, strict)] : []),
        ...(hasDescriber ? [toDescriber(sources, openServices, strict)] : []),
      ];
    };
    this.#openServices = openServices;
    this.#responseStore = options.responseStore;
    this.#clients = clients;
    this.tools = this.#makeTools({});
  }

  static async #open(
    sources: readonly ApiSource[],
    options: ClientOptions,
    seams?: Seams,
  ): Promise<ApiSourceToolkit> {
    return new ApiSourceToolkit(sources, options, await openSources(sources), seams);
  }

  /**
   * Makes a toolkit of records.
   *
   * @param seams - For the tests of this package.
   * @throws SourceRecordError one error with every problem of every record, name collisions included.
   */
  static async fromSources<const Given extends readonly object[]>(
    records: RecordsOf<Given>,
    options: ClientOptions = {},
    seams: Seams = {},
  ): Promise<ApiSourceToolkit> {
    return ApiSourceToolkit.#open(parseSources(records), options, seams);
  }

  /** Makes a toolkit of the record, or array of records, in a JSON file. Throws as `fromSources` does. */
  static async fromFile(path: string, options: ClientOptions = {}): Promise<ApiSourceToolkit> {
    return ApiSourceToolkit.#open(await loadSources(path), options);
  }

  /** Makes a toolkit of every `*.json` file of a directory, by name. Throws as `fromSources` does. */
  static async fromDirectory(path: string, options: ClientOptions = {}): Promise<ApiSourceToolkit> {
    return ApiSourceToolkit.#open(await loadSources(path), options);
  }

  /**
   * One tool per source, in order, or with `combined` one for all, then `read_api_response` unless `readApiResponse` is false, or answers are whole, then `describe_api` where
   * a source has a document or a guide.
   *
   * @throws ApiSourceError `not_configured` for a wrong option.
   * @example
   * const tools = toolkit.getTools({ answers: "whole" }); // for an interpreter
   */
  override getTools(options: GetToolsOptions = {}): StructuredTool[] {
    const { answers = "view", strict = true, interrupts, combined = false } = options;
    checkOwnOptions("getTools", options, {
      answers: oneOf("view", "whole"),
      strict: aBoolean,
      interrupts: aBoolean,
      combined: aBoolean,
    });
    const isUsual = answers === "view" && strict && interrupts === undefined && !combined;
    if (isUsual) return [...this.tools];
    return this.#makeTools(options);
  }

  /** The client of each source, in order: for this package's own subpaths. @internal */
  listClients(): readonly UntypedClient[] {
    return this.#clients;
  }

  /** The services that the clients share: for this package's own subpaths. @internal */
  openRuntime(): Promise<ToolkitServices> {
    return this.#openServices();
  }

  /**
   * Tests every source at once, and reports in their order. An expected failure is a report, and no error.
   *
   * @throws ApiSourceError `not_configured` for a wrong option; the signal's reason, when the caller cancels.
   */
  async testConnections(
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ConnectionReport[]> {
    checkOwnOptions("testConnections", options, { signal: anAbortSignal });
    const { testSource } = await import("../features/connection/test-source.js");
    const services = await this.#openServices();
    services.host.lifetime.check();
    return Promise.all(
      this.#listSources().map((source) => testSource(source, services, options.signal)),
    );
  }

  /**
   * Begins an authorization by a person before a call needs it. With `authorization_code` an agent's call does the same by itself and answers `auth_required`.
   *
   * @param slug - Of a source whose `oauth2` has the grant `authorization_code` or `device_code`.
   * @param context - Of the user who will authorize it. Required where credentials are per user.
   * @throws ApiSourceError `unknown_source`; `no_authorization` for a source that no person authorizes.
   * @example
   * const { url } = await toolkit.startAuthorization("shop", { configurable: { langgraph_auth_user_id: "ada" } });
   */
  async startAuthorization(slug: string, context: CallContext = {}): Promise<StartedAuthorization> {
    return (await this.#openTokens()).startAuthorization(this.#findSource(slug), context);
  }

  /**
   * Forgets the tokens of a source, and with them what a person authorized, for every process that shares the store.
   *
   * @param context - Of the user whose tokens they are. Required where credentials are per user.
   * @returns Whether there were any.
   * @throws ApiSourceError `unknown_source`; `no_authorization` for a source whose record has no `oauth2` and no `login`.
   */
  async forgetAuthorization(slug: string, context: CallContext = {}): Promise<boolean> {
    return (await this.#openTokens()).forget(this.#findSource(slug), context);
  }

  /**
   * Takes the URL that a browser came back to after a person agreed at an `auth_url`, and keeps the grant for the user it was made for.
   *
   * @param context - Of the user whose session received the URL. Required where credentials are per user (`responseScope`, or LangGraph's user).
   * @throws ApiSourceError `unknown_state` for a URL that did not begin here, `access_denied` when the person refused.
   *
   * @example
   * app.get("/oauth/callback", async (request, response) => {
   *   const { source, account } = await toolkit.completeAuthorization(request.url);
   *   response.send(`${source} may be used as ${account}.`);
   * });
   */
  async completeAuthorization(callbackUrl: string, context?: CallContext): Promise<GrantFacts> {
    return (await this.#openTokens()).completeAuthorization(
      this.#listSources(),
      callbackUrl,
      context,
    );
  }

  /**
   * Lists the decisions with `always: true` that last in a thread, the oldest first; those of other toolkits that share the store, too.
   *
   * @param context - `{ store }` where `responseStore` is `"runtime"`: the agent's store.
   * @throws ApiSourceError `not_configured` without a thread or a store, and when the store fails.
   * @example
   * const [{ source, method, path, expiresAt }] = await toolkit.listApprovals("42");
   */
  async listApprovals(
    threadId: string,
    context: Pick<CallContext, "store"> = {},
  ): Promise<LastingApproval[]> {
    return (await this.#openServices()).lastingApprovals.list(threadId, context);
  }

  /**
   * Ends the decisions with `always: true` of a thread, at once for every process that shares the store: a person is asked again. Throws as
   * `listApprovals` does; then nothing is revoked.
   *
   * @example
   * await toolkit.revokeApprovals("42");
   */
  async revokeApprovals(threadId: string, context: Pick<CallContext, "store"> = {}): Promise<void> {
    await (await this.#openServices()).lastingApprovals.revoke(threadId, context);
  }

  #listSources(): readonly ApiSource[] {
    return this.#clients.map(({ source }) => source);
  }

  #findSource(slug: string): ApiSource {
    return findSource(this.#listSources(), slug);
  }

  async #openTokens(): Promise<TokenIssuer> {
    const { host, openTokens } = await this.#openServices();
    host.lifetime.check();
    return openTokens();
  }

  /**
   * Ends what the toolkit has opened: sockets and timers. A call that runs is answered `cancelled`, a later one `not_configured`; what was kept
   * can still be read. A Redis client and stores of the application stay open. Without it, idle sockets end after 5 seconds.
   *
   * @returns when its calls are over; a second time at once.
   * @example
   * process.once("SIGTERM", () => toolkit.close());
   */
  async close(): Promise<void> {
    await (await this.#openServices()).host.lifetime.end();
  }

  /**
   * Reads a kept body, for code rather than for the model.
   *
   * @param options - `select` is a JMESPath over the whole kept body.
   * @returns The parsed body, or what `select` picks from it; undefined for an id that is unknown, expired, or another thread's.
   * @throws ApiSourceError `invalid_input` for a `select` that is not JMESPath; `store_required` as `readFile`.
   */
  async readResponse(
    id: string,
    options: ReadFileOptions & { readonly select?: string | undefined } = {},
  ): Promise<unknown> {
    checkOwnOptions("readResponse", options, { ...readRules, select: aText });
    const { select, ...context } = options;
    const { loadKeptValue } = await import("../core/store/read-kept.js");
    const value = await loadKeptValue(await this.#openServices(), id, { select, context });
    if (value === undefined) checkStoreGiven(this.#responseStore, options);
    return value;
  }

  /**
   * Reads a kept file, for code rather than for the model. Secrets in it are not redacted.
   *
   * @param id - `file.id` of an answer.
   * @returns Its bytes as they were received; undefined for an id that is unknown, expired, another thread's, or not a file's.
   * @throws ApiSourceError `store_required` where nothing is found, `responseStore` is `"runtime"` and no `store` was given.
   * @example
   * const bytes = await toolkit.readFile(artifact.file.id, { threadId: "42" });
   */
  async readFile(id: string, options: ReadFileOptions = {}): Promise<Uint8Array | undefined> {
    checkOwnOptions("readFile", options, readRules);
    const { kept } = await this.#openServices();
    const file = await kept.loadFile(id, options, "application");
    if (file === undefined) checkStoreGiven(this.#responseStore, options);
    return file && Uint8Array.from(file.bytes);
  }
}
