/** The tools of a toolkit over the Model Context Protocol: the same names, descriptions, policy and answers to any client. */

import { isUtf8 } from "node:buffer";
import { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import {
  aBoolean,
  aText,
  checkOwnOptions,
  createOption,
  isFunction,
  type OptionRule,
} from "../../core/base/option-rules.js";
import type { KeptFile } from "../../core/body/files/file.js";
import type { Approve } from "../../core/call/slots.js";
import { holdsSecret } from "../../core/secrets/redactor.js";
import { AnsweringTool, type Sends } from "../../toolkit/answering-tool.js";
import type { ApiSourceToolkit } from "../../toolkit/api-source-toolkit.js";
import type { UntypedClient } from "../../toolkit/client/source-client.js";
import { combinedToolName, findNamedClient } from "../../toolkit/combined-tool.js";
import { findRun, QuestionToClient } from "./ask-client.js";

export interface McpServerOptions {
  /**
   * The conversation that these calls belong to: it owns kept responses, decisions with "always" and marks of confidential sources.
   *
   * @default none: as all calls of the process without a thread, which share what is kept and what is marked
   */
  readonly session?: string | undefined;
  /**
   * Which calls wait for a person, besides those that the toolkit's own `approve` names. The toolkit's `approver` decides; without one the client asks
   * a person (elicitation), and where it cannot, nothing is sent. With `"none"` the server holds no call. It holds for `tools` of this package, too: there the
   * `approver` alone decides.
   *
   * @default "writes"
   */
  readonly approve?: Approve | "none" | undefined;
  /** Whether one tool, `call_api`, calls all sources, as that of `getTools`. @default false */
  readonly combined?: boolean | undefined;
  /** More tools to serve, such as `createApiCodeTool(toolkit)`. @default none */
  readonly tools?: readonly StructuredToolInterface[] | undefined;
  /** The version that the server reports. @default "0" */
  readonly version?: string | undefined;
}

const rules: Record<keyof McpServerOptions, OptionRule> = {
  session: aText,
  approve: createOption(
    (value) => ["writes", "all", "none"].some((word) => word === value) || isFunction(value),
    '"writes", "all", "none" or a function',
  ),
  version: aText,
  combined: aBoolean,
  tools: createOption(Array.isArray, "a list of tools"),
};

/**
 * Makes an MCP server of a toolkit. It serves one connection: give each its own, they may share the toolkit.
 *
 * @param toolkit - What `ApiSourceToolkit.fromDirectory` and its relatives give.
 * @returns A server of `@modelcontextprotocol/server`, to be connected to a transport.
 * @example
 * const toolkit = await ApiSourceToolkit.fromDirectory("./sources");
 * serveStdio(() => createMcpServer(toolkit)); // of @modelcontextprotocol/server/stdio
 */
export function createMcpServer(
  toolkit: ApiSourceToolkit,
  options: McpServerOptions = {},
): McpServer {
  checkOwnOptions("createMcpServer", options, rules);
  const { session, version = "0", approve = "writes", tools: more = [] } = options;
  const { combined = false } = options;
  const mcp = new McpServer(
    { name: "langchain-api-sources", version },
    { capabilities: { tools: {}, resources: {} } },
  );
  const findClient = createClientFinder(toolkit.listClients(), combined);
  // Some hosts flatten `anyOf` to nothing, and none needs each member to be required.
  const own = toolkit.getTools({ strict: false, combined });
  const behindDoor = approve === "none" ? more : more.map((tool) => holdTool(tool, approve));
  const served = [...own, ...behindDoor];
  const tools = new Map(served.map((tool) => [tool.name, tool]));
  const described = served.map(describeTool);
  const shown = new Map(described.map((tool) => [tool.name, tool]));
  mcp.server.setRequestHandler("tools/list", () => ({ tools: described }));
  mcp.server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: given = {} } = params;
    const args = dropHostMembers(given, shown.get(name));
    const [client, tool] = [findClient(name, args), tools.get(name)];
    const call = { session, args, context };
    const asking = approve === "none" ? {} : { approve };
    if (client !== undefined)
      return callSource(client, { ...call, mcp, isCombined: combined, ...asking });
    if (tool !== undefined) return callTool(tool, call);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "No tool has that name.");
  });
  // Files are found by the links of results, not by a list.
  mcp.server.setRequestHandler("resources/list", () => ({ resources: [] }));
  mcp.server.setRequestHandler("resources/read", ({ params }) =>
    readLinkedFile(toolkit, params.uri, session),
  );
  return mcp;
}

/** Finds the client of a call by the tool's name, or for the tool of all sources by its input. */
type FindClient = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => UntypedClient | undefined;

function createClientFinder(clients: readonly UntypedClient[], isCombined: boolean): FindClient {
  const byName = new Map(clients.map((client) => [client.tool.name, client]));
  if (!isCombined) return (name) => byName.get(name);
  return (name, args) => (name === combinedToolName ? findNamedClient(clients, args) : undefined);
}

/** A tool of this package asks about its requests as the server does. The requests of another package's tool are not known. */
function holdTool(tool: StructuredToolInterface, approve: Approve): StructuredToolInterface {
  return tool instanceof AnsweringTool ? tool.behindDoor(approve) : tool;
}

/** A tool as a client is shown it. What another package's tool does is not known. */
function describeTool(tool: StructuredToolInterface & { readonly sends?: Sends }): Tool {
  const { name, description, schema, sends } = tool;
  const inputSchema: Tool["inputSchema"] = JSON.parse(JSON.stringify(toJsonSchema(schema)));
  const annotations = sends && {
    readOnlyHint: sends !== "writes",
    openWorldHint: sends !== "nothing",
  };
  return { name, description, inputSchema, annotations };
}

/** Members that name the host's own run: no model writes them. A `sessionId` alone may be a parameter of the API in the wrong place. */
const hostSigns = [["toolCallId"], ["_sessionID"], ["sessionId", "chatInput"]];
/** Members that hosts add to the arguments of every tool: n8n before 2 all but the last one, SiYuan the last one. */
const hostMembers: ReadonlySet<string> = new Set([
  "toolCallId",
  "sessionId",
  "action",
  "chatInput",
  "tool",
  "_sessionID",
]);

/** The arguments without what the host added to them, which the model cannot leave out; a member of the tool's own stays. */
function dropHostMembers(
  args: Readonly<Record<string, unknown>>,
  tool: Tool | undefined,
): Readonly<Record<string, unknown>> {
  const isAdded = hostSigns.some((names) => names.every((name) => name in args));
  if (!isAdded) return args;
  const own = tool?.inputSchema.properties ?? {};
  const kept = Object.entries(args).filter(([name]) => name in own || !hostMembers.has(name));
  return Object.fromEntries(kept);
}

interface Call {
  readonly session: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
}

/** The call that the source's tool makes, in a run that can stop for a person. */
async function callSource(
  client: UntypedClient,
  {
    session,
    args,
    context,
    mcp,
    ...options
  }: Call & {
    readonly mcp: McpServer;
    readonly approve?: Approve;
    readonly isCombined: boolean;
  },
): Promise<CallToolResult | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const run = findRun(mcp, context);
  const own = { threadId: session, signal, onProgress: createProgress(context), run };
  try {
    const { ok, content, artifact } = await client.call(args, own, {
      ...options,
      isFromModel: true,
    });
    const { content: texts, isError } = writeResult(content, !ok);
    return { content: [...texts, ...linkFile(artifact.file)], isError };
  } catch (thrown) {
    if (thrown instanceof QuestionToClient) return thrown.result;
    throw thrown;
  }
}

/** A tool that asks no API, such as the reader of kept responses. */
async function callTool(
  tool: StructuredToolInterface,
  { session, args, context }: Call,
): Promise<CallToolResult> {
  const { id, signal } = context.mcpReq;
  const call = { type: "tool_call" as const, id: String(id), name: tool.name, args };
  const message: unknown = await tool.invoke(call, {
    signal,
    configurable: session === undefined ? {} : { thread_id: session },
  });
  if (!ToolMessage.isInstance(message))
    throw new Error(`The tool ${tool.name} returned no message.`);
  const { content, isError } = writeResult(message.text, message.status === "error");
  return { content: [...content, ...listImages(message)], isError };
}

/** The images of a tool's message, as a client is given them. */
function listImages({ contentBlocks }: ToolMessage): CallToolResult["content"] {
  return contentBlocks.flatMap((block) => {
    const { type, mimeType, data } = block as Readonly<Record<string, unknown>>;
    if (type !== "image" || typeof data !== "string") return [];
    return [{ type, data, mimeType: String(mimeType) }];
  });
}

/** A failure is a result that is marked as one, as the tool's own answer is. */
function writeResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** Reports each page of a long call to a client that asked for it. */
function createProgress({ mcpReq }: ServerContext): (progress: object) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let reported = 0;
  return (progress) => {
    reported += 1;
    const params = { progressToken, progress: reported, message: JSON.stringify(progress) };
    // A client that is gone receives nothing.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

const place = "api-sources://files/";

/** The link to a file; none for a file that could not be kept. */
function linkFile(file: KeptFile | undefined): CallToolResult["content"] {
  if (file?.id === undefined) return [];
  const { id, name, type, bytes } = file;
  return [{ type: "resource_link", uri: place + id, name, mimeType: type, size: bytes }];
}

/**
 * Reads a linked file: as text where it is UTF-8 of a text type, else in base64.
 *
 * @param session - Whom kept files belong to.
 * @throws ResourceNotFoundError for a link that is unknown, expired, or another session's. ProtocolError for a file that contains a
 * secret: a client may show it to a model.
 */
async function readLinkedFile(
  toolkit: ApiSourceToolkit,
  uri: string,
  session: string | undefined,
): Promise<ReadResourceResult> {
  const runtime = await toolkit.openRuntime();
  const file = uri.startsWith(place)
    ? await runtime.kept.loadFile(uri.slice(place.length), { threadId: session })
    : undefined;
  if (file === undefined) throw new ResourceNotFoundError(uri);
  if (holdsSecret(file, runtime.secrets.redactor()))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "The file contains a secret, so it is not given to a client. The result of the call has its redacted text.",
    );
  const { type: mimeType, bytes } = file;
  const isText = /^text\/|[/+](?:json|xml)\b/.test(mimeType) && isUtf8(bytes);
  const buffer = Buffer.from(bytes);
  const content = isText ? { text: buffer.toString() } : { blob: buffer.toString("base64") };
  return { contents: [{ uri, mimeType, ...content }] };
}
