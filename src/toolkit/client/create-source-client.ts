/** One source, ready to call or to be tested: joins the rooms to its left and knows no LangChain. */

import type { Outcome } from "../../core/answer/outcome.js";
import { SourceRecordError } from "../../core/base/errors.js";
import type { CallContext, Seams } from "../../core/base/runtime.js";
import type { CallRequest } from "../../core/call/call-request.js";
import type { CallableSource, Sender } from "../../core/call/running-call.js";
import type { ApprovalCheck, Approve } from "../../core/call/slots.js";
import type { GrantFacts } from "../../core/credentials/credential.js";
import type { ApiSource, ApiSourceRecord } from "../../core/record/api-source.js";
import { parseSource } from "../../core/record/parse-source.js";
import type { ReadRequest } from "../../core/store/keep-response.js";
import { noteConfidential } from "../../features/confidential/loaded.js";
import type { ConnectionReport } from "../../features/connection/connection-report.js";
import type { RequestPreview } from "../../features/connection/write-curl.js";
import type { ApiDescription, DescribeInput } from "../../features/openapi/describe-api.js";
import { type PlainTool, toPlainTool } from "../tool/plain-tool.js";
import type { BytesOutcome, OutcomeForCode, WholeOptions } from "./call-for-code.js";
import type { ClientOptions } from "./client-options.js";
import { checkOptions, findToolName } from "./client-options.js";
import type { ToolkitServices } from "./create-services.js";
import { openSources } from "./open-source.js";

/** Which part of a kept body: `select`, `find`, or `offset` and `limit`. All of it, as far as the budget goes, by default. */
export type ReadPart = Omit<ReadRequest, "id">;

/** What `fetchBytes` takes. */
export type BytesRequest = Omit<CallRequest, "select" | "pages">;

export interface CallOptions {
  /** Which calls wait for a person where the client's own options don't say. @default none */
  readonly approve?: Approve | undefined;
  /** Asked instead of the approval check of the options. */
  readonly checkApproval?: ApprovalCheck | undefined;
  /** Whether a model wrote the request: a body of `$base64` is refused then. @default false */
  readonly isFromModel?: boolean | undefined;
}

export interface SourceClient<Request = CallRequest, OfBytes = BytesRequest> {
  readonly source: ApiSource;
  /**
   * The source as a tool of any framework: `{ name, description, inputSchema, execute }`.
   *
   * @example
   * const { name, description, inputSchema, execute } = client.tool;
   * const tools = { [name]: tool({ description, inputSchema: jsonSchema(inputSchema), execute }) }; // of the AI SDK
   */
  readonly tool: PlainTool;
  /**
   * Sends one request and reads the answer.
   *
   * @param request - `{ method, path, query?, body?, headers?, select? }`. It is validated, whatever its type is.
   * @param context - Whose call it is, and a signal that cancels it.
   * @returns The answer document and plain data about it; a failure, wrong input included, is an outcome too.
   * @throws The signal's reason, when the caller cancels. Nothing else.
   */
  call(request: Request, context?: CallContext, options?: CallOptions): Promise<Outcome>;
  /**
   * Reads what an earlier call of this client kept, without a request, as the tool `read_api_response` does.
   *
   * @param id - From `shortened.id` or `kept` of that answer.
   * @returns An answer document of the same form; an id that is unknown, expired, or another thread's is an outcome too.
   * @throws The signal's reason, when the caller cancels. Nothing else.
   */
  read(id: string, part?: ReadPart, context?: CallContext): Promise<Outcome>;
  /**
   * Reads a kept file. Secrets in it are not redacted.
   *
   * @param id - `file` of an answer.
   * @returns Its bytes as they were received; undefined for an id that is unknown, expired, another thread's, or not a file's.
   */
  readFile(id: string, context?: CallContext): Promise<Uint8Array | undefined>;
  /**
   * Sends one request whose answer is a file: an image, a PDF, a ZIP file.
   *
   * @param request - `{ method, path, query?, body?, headers? }`; GET when `method` is left out.
   * @returns `{ ok, status, bytes, contentType, headers }`, or `ok: false` with an `error`; a body over `limits.maxBytes` is one.
   * @throws The signal's reason, when the caller cancels. Nothing else.
   * @example
   * const { ok, bytes } = await shop.fetchBytes({ path: "/invoices/7.pdf" });
   */
  fetchBytes(request: OfBytes, context?: CallContext): Promise<BytesOutcome>;
  /**
   * The same call for code: the whole document instead of a view, and nothing kept.
   *
   * @param options - `followsPages`: whether a GET that names no page of its own gets all pages. `isRaw`: whether `data` is the text of the
   * body. Both `false` by default.
   */
  callWhole(
    request: Request,
    context?: CallContext,
    options?: CallOptions & WholeOptions,
  ): Promise<OutcomeForCode>;
  /**
   * Describes what is known of the API's endpoints; sends nothing.
   *
   * @param input - `{}` the map, `{ path }` a branch, `{ path, method }` one operation, `{ find }` by words, `{ guide }` a part of the guide.
   * @throws ApiSourceError `invalid_input` for what isn't there, with what is.
   */
  describe(input?: DescribeInput): Promise<ApiDescription>;
  /**
   * Shows what a call would send, for a person: every secret by the name of its variable. It sends nothing, asks no `credentials` function, and
   * opens no file.
   *
   * @returns `{ method, url, headers, body, curl, notes }`.
   * @throws ApiSourceError `invalid_input` or `refused_by_policy`, as the call would.
   * @example
   * const { curl } = await shop.preview({ method: "GET", path: "/orders" });
   */
  preview(request: CallRequest): Promise<RequestPreview>;
  /**
   * Takes the URL that a browser came back to after a person agreed at an `auth_url`, and keeps the grant for the user it was made for.
   *
   * @param context - Of the user whose session received the URL. Required where credentials are per user (`responseScope`, or LangGraph's user).
   * @throws ApiSourceError `unknown_state` for a URL that did not begin here, `access_denied` when the person refused.
   */
  completeAuthorization(callbackUrl: string, context?: CallContext): Promise<GrantFacts>;
}

/** For the rooms that hand on what a model wrote: the same client, whose input has no type. */
export type UntypedClient = SourceClient<unknown, unknown>;

/**
 * Makes a client of one source.
 *
 * @param record - A record as it is typed here, or a source; a value of unknown type first goes through `parseSource`.
 *
 * @param seams - For the tests of this package.
 * @throws SourceRecordError when the record is wrong.
 */
export function createSourceClient(
  record: ApiSourceRecord,
  options: ClientOptions = {},
  seams: Seams = {},
): SourceClient {
  const source = parseSource(record);
  return joinSourceClient(source, shareServices([source], options, undefined, seams), options);
}

/** A client of a source whose runtime is shared with others. */
export function joinSourceClient(
  source: ApiSource,
  openServices: OpenServices,
  { toolNames }: Pick<ClientOptions, "toolNames"> = {},
): UntypedClient {
  let opened: Promise<CallableSource> | undefined;
  const load = async (): Promise<CallableSource> => {
    const { createSender } = await import("../../core/call/create-sender.js");
    const services = await openServices();
    let sender: Sender | undefined;
    const openSender = (): Sender => {
      sender ??= createSender(source, services);
      return sender;
    };
    return { source, services, openSender, checkApproval: services.slots.beforeSend.approve };
  };
  const open = async ({
    approve,
    checkApproval,
    isFromModel = false,
  }: CallOptions = {}): Promise<CallableSource> => {
    opened ??= load();
    const callable = await opened;
    const asked =
      checkApproval ??
      callable.checkApproval ??
      (approve && callable.services.slots.beforeSend.openApproval(approve));
    return { ...callable, checkApproval: asked, isFromModel };
  };
  const call: UntypedClient["call"] = async (request, context = {}, options = {}) => {
    const { callSource } = await import("../../core/call/call.js");
    return callSource(await open(options), request, context);
  };
  let tool: PlainTool | undefined;
  return {
    source,
    get tool() {
      tool ??= toPlainTool(source, findToolName(source, toolNames), async (input, context) => {
        const { content } = await call(input, context, { isFromModel: true });
        return content;
      });
      return tool;
    },
    call,
    async read(id, part = {}, context = {}) {
      const { readKept } = await import("../../core/store/read-kept.js");
      return readKept(await openServices(), { ...part, id }, context);
    },
    async readFile(id, context = {}) {
      const file = await (await openServices()).kept.loadFile(id, context);
      return file && Uint8Array.from(file.bytes);
    },
    async fetchBytes(request, context = {}) {
      const { callSourceBytes } = await import("./call-for-code.js");
      return callSourceBytes(await open(), request, context);
    },
    async callWhole(request, context = {}, options = {}) {
      const { callSourceWhole } = await import("./call-for-code.js");
      return callSourceWhole(await open(options), request, context, options);
    },
    async describe(input = {}) {
      const { describeApi } = await import("../../features/openapi/describe-api.js");
      return describeApi(source, await openServices(), input);
    },
    async preview(request) {
      const { previewRequest } = await import("../../features/connection/write-curl.js");
      const { secrets, slots } = await openServices();
      return previewRequest(source, request, secrets.redactor(), slots.document);
    },
    async completeAuthorization(callbackUrl, context) {
      const tokens = await (await openServices()).openTokens();
      return tokens.completeAuthorization([source], callbackUrl, context);
    },
  };
}

/** Gives the one runtime of some sources, however often it is asked for. */
export type OpenServices = () => Promise<ToolkitServices>;

/**
 * @param defaultScope - The owner of kept responses when a call has no thread; see `createServices`.
 * @throws ApiSourceError `not_configured` for an unknown option, a wrong value, and a credential with nearly a source's name.
 */
export function shareServices(
  sources: readonly ApiSource[],
  options: ClientOptions = {},
  defaultScope?: string,
  seams?: Seams,
): OpenServices {
  checkOptions(options, sources);
  noteConfidential(sources);
  let opened: Promise<ToolkitServices> | undefined;
  return () => {
    opened ??= import("./create-services.js").then(({ createServices }) =>
      createServices(sources, options, defaultScope, seams),
    );
    return opened;
  };
}

export interface TestConnectionOptions extends ClientOptions {
  /** Cancels the test. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends GET `api.testEndpoint` as the tool would, and when that succeeds, once more without the credential.
 *
 * @param record - A record as a file holds it, or a source that was read. A wrong one is a report that lists every problem.
 * @param seams - For the tests and the command of this package.
 * @returns What happened and what to change; every text is redacted. A failure is a report, never an error.
 * @throws The signal's reason, when the caller cancels; ApiSourceError `not_configured` for wrong options. Nothing else.
 *
 * @example
 * const report = await testConnection({ name: "Shop", api: { baseUrl: "https://api.shop.example", testEndpoint: "/me", authType: "bearer" } });
 * console.log(report.verdict, report.fix);
 */
export async function testConnection(
  record: ApiSourceRecord,
  options: TestConnectionOptions = {},
  seams: Seams = {},
): Promise<ConnectionReport> {
  options.signal?.throwIfAborted();
  // Loaded here, because importing the package should not cost what only a test needs.
  const { testSource } = await import("../../features/connection/test-source.js");
  try {
    const source = parseSource(record);
    const openServices = shareServices([source], options, undefined, seams);
    await openSources([source]);
    return await testSource(source, await openServices(), options.signal);
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const { reportProblems } = await import("../../features/connection/connection-report.js");
    return reportProblems(error.problems);
  }
}
