/** The options of a toolkit, a tool, a client and a connection test; every option is optional. */

import type { Logger, RuntimeStore } from "../../core/base/runtime.js";
import type { ReadFile } from "../../core/body/files/file.js";
import type { Approve, Approver, OnCall } from "../../core/call/slots.js";
import type { CredentialsOption, SecretsOption } from "../../core/credentials/create-credential-resolver.js";
import type { TransportOption } from "../../core/http/own-transport.js";
import type { StoreOptions } from "../../core/store/response-store.js";
import type { CountTokens, Summarizer } from "../../core/view/summary.js";
import type { FlowRule } from "../../features/confidential/loaded.js";
import type { TokenStore } from "../../features/oauth/token-store.js";

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
   * What happens to a request of a thread that may have content of a source with `confidential: true`, to a source that its `sharesWith` does not
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
  /** @default silent */
  readonly logger?: Logger | undefined;
  /** Called before and after each request, and for each call that was refused: for metrics and audit. Not waited for. */
  readonly onCall?: OnCall | undefined;
  /**
   * Answers requests in place of the network, so that an application is tested without one: a function, or `replayFrom(dir)` of
   * `langchain-api-sources/testing`. `recordTo(dir)` observes the network and replaces nothing. @default the network
   */
  readonly transport?: TransportOption | undefined;
}
