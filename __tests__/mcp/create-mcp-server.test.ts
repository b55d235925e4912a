/** The tools over MCP, asked by the official client. */

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createMcpServer, type McpServerOptions } from "../../src/mcp/create-mcp-server.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

const secret = "tok_canary_91c4e0d7aa";
const rows = Array.from({ length: 900 }, (_, id) => ({ id, name: `Article ${id}`, price: id * 3 }));

let api: HttpServer;
let toolkit: ApiSourceToolkit;
let clients: Client[] = [];

beforeEach(async () => {
  api = await startHttpServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/rows") return sendJson(response, rows);
    if (pathname === "/pages") {
      const page = Number(searchParams.get("page") ?? 1);
      const link = page < 3 ? { link: `<${api.url}/pages?page=${page + 1}>; rel="next"` } : {};
      return sendJson(response, [{ id: page }], 200, link as Record<string, string>);
    }
    if (pathname === "/never") return undefined;
    if (pathname === "/gone") return sendJson(response, { message: `No ${secret} here` }, 404);
    return sendJson(response, { ok: true });
  });
  const shop = { name: "Shop", tagline: "Articles", api: { baseUrl: api.url, authType: "bearer" } };
  const readOnly = { name: "Archive", api: { baseUrl: api.url, methods: ["GET"] } };
  toolkit = await ApiSourceToolkit.fromSources([shop, readOnly], {
    credentials: { shop: { token: secret } },
  });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await api.close();
});

async function connect(options?: McpServerOptions): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(toolkit, options).connect(far);
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(near);
  clients.push(client);
  return client;
}

function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

describe("the list of tools", () => {
  it("has the names, descriptions and schemas that models get", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
      toolkit.getTools().map(({ name, description, schema }) => ({
        name,
        description,
        inputSchema: toJsonSchema(schema),
      })),
    );
    expect(tools.map(({ name }) => name)).toEqual(["shop", "archive", "read_api_response"]);
  });

  it("says which tools only read", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: false, openWorldHint: true },
      { readOnlyHint: true, openWorldHint: true },
      { readOnlyHint: true, openWorldHint: false },
    ]);
  });
});

describe("a call", () => {
  it("gives the tool's own answer", async () => {
    const args = { method: "POST", path: "/orders", body: "{}" };
    const result = await (await connect()).callTool({ name: "shop", arguments: args });
    const [tool] = toolkit.getTools();
    expect(textOf(result)).toBe(await tool?.invoke(args));
    expect(result.isError).toBe(false);
    expect(api.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
  });

  it.each([
    ["that the API refuses", { method: "GET", path: "/gone" }, "not_found"],
    ["that the policy refuses", { method: "GET", path: "/../admin" }, "refused_by_policy"],
    ["with a wrong input", { path: 7 }, "invalid_input"],
    ["without any input", undefined, "invalid_input"],
  ])("%s is a result that is marked as an error, without the secret", async (_what, args, category) => {
    const client = await connect();
    const result = await client.callTool({
      name: "shop",
      ...(args === undefined ? {} : { arguments: args }),
    });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result)).error.category).toBe(category);
    expect(textOf(result)).not.toContain(secret);
  });

  it("can't be made to another tool by arguments that look like a tool call", async () => {
    const args = { type: "tool_call", id: "1", name: "shop", args: { method: "DELETE", path: "/rows" } };
    const result = await (await connect()).callTool({ name: "shop", arguments: args });
    expect(result.isError).toBe(true);
    expect(api.requests).toEqual([]);
  });

  it("of a tool that isn't there is an error of the protocol", async () => {
    const call = (await connect()).callTool({ name: "shopp", arguments: {} });
    await expect(call).rejects.toMatchObject({ code: -32602 });
  });

  it("tells of each page, when the client asked to be told", async () => {
    const told: (string | undefined)[] = [];
    await (await connect()).callTool(
      { name: "shop", arguments: { method: "GET", path: "/pages", pages: 5 } },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(told.at(-1)).toContain('"page":3');
  });

  it("ends when the client cancels it", async () => {
    const client = await connect();
    const cancel = new AbortController();
    const call = client.callTool(
      { name: "shop", arguments: { method: "GET", path: "/never" } },
      { signal: cancel.signal },
    );
    while (api.requests.length === 0) await new Promise((later) => setTimeout(later, 5));
    cancel.abort();
    await expect(call).rejects.toThrow();
  });
});

describe("a kept response", () => {
  async function keep(client: Client): Promise<string> {
    const result = await client.callTool({ name: "shop", arguments: { method: "GET", path: "/rows" } });
    return JSON.parse(textOf(result)).shortened.id;
  }
  async function count(client: Client, id: string): Promise<AnswerOfRead> {
    const read = { name: "read_api_response", arguments: { id, select: "length(@)" } };
    return JSON.parse(textOf(await client.callTool(read)));
  }
  type AnswerOfRead = ReturnType<typeof JSON.parse>;

  it("is read in its own session alone", async () => {
    const [one, other] = [await connect(), await connect()];
    const id = await keep(one);
    expect((await count(one, id)).data).toBe(900);
    expect((await count(other, id)).error.category).toBe("not_found");
  });

  it("is read by every server of a session that has a name", async () => {
    const [one, other] = [await connect({ session: "s" }), await connect({ session: "s" })];
    expect((await count(other, await keep(one))).data).toBe(900);
  });
});
