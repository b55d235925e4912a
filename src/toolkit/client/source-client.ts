/** The client of one source as an application sees it: it knows no LangChain. */

import type { Outcome } from "../../core/answer/outcome.js";
import type { CallContext } from "../../core/base/runtime.js";
import type { CallRequest } from "../../core/call/call-request.js";
import type { ApprovalCheck, Approve } from "../../core/call/slots.js";
import type { GrantFacts } from "../../core/credentials/credential.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { ReadRequest } from "../../core/store/keep-response.js";
import type { ReadOutcome } from "../../core/store/read-kept.js";
import type { RequestPreview } from "../../features/connection/write-curl.js";
import type { ApiDescription, DescribeInput } from "../../features/openapi/describe-api.js";
import type { PlainTool } from "../tool/plain-tool.js";
import type { BytesOutcome, OutcomeForCode, WholeOptions } from "./call-for-code.js";

/** Which part of a kept body: `select`, `find`, or `offset` and `limit`; or `as: "image"`. All of it, as far as the budget goes, by default. */
export type ReadPart = Omit<ReadRequest, "id">;

/** The request of `fetchBytes`. */
export type BytesRequest = Omit<CallRequest, "select" | "pages">;

export interface CallOptions {
  /** Which calls wait for a person besides those that the client's own options name. @default none */
  readonly approve?: Approve | undefined;
  /** Asked instead of the approval check of the options. */
  readonly checkApproval?: ApprovalCheck | undefined;
  /** Whether the input has `source`, and `next` of the answer has it, too: the tool of many sources. @default false */
  readonly isCombined?: boolean | undefined;
  /** Whether a model wrote the request: a body of `$base64` is refused then. @default false */
  readonly isFromModel?: boolean | undefined;
}

export interface SourceClient<Request = CallRequest, OfBytes = BytesRequest> {
  /** The source that it calls. */
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
   * @returns An answer document of the same form, with `as: "image"` and `image`, `{ type, bytes }`; an id that is unknown, expired, or another thread's is an outcome too.
   * @throws The signal's reason, when the caller cancels. Nothing else.
   */
  read(id: string, part?: ReadPart, context?: CallContext): Promise<ReadOutcome>;
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
   * @returns `{ ok, status, bytes, contentType, headers }`, or `ok: false` with an `error`; a body over `limits.maxFileBytes` (JSON: `maxBytes`) is one.
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
  /**
   * Ends what this client has opened: sockets and timers. A call that runs is answered `cancelled`, a later one `not_configured`. A client of a
   * toolkit shares all of it with the toolkit's tools, and closes nothing.
   *
   * @returns when its calls are over; a second time at once.
   * @example
   * await shop.close();
   */
  close(): Promise<void>;
}

/** For the rooms that hand on what a model wrote: the same client, whose input has no type. */
export type UntypedClient = SourceClient<unknown, unknown>;
