/** The tools over MCP, asked by the official client. */

import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type ApprovalRequest,
  defineSource,
} from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { createMcpServer, type McpServerOptions } from "langchain-api-sources/mcp";
import { Secret } from "../../../src/core/secrets/secret.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const secret = "tok_canary_91c4e0d7aa";
const later = "tok_canary_later_5b7d";
const passing = "tok_canary_passing_9c1e";
const rows = Array.from({ length: 900 }, (_, id) => ({ id, name: `Article ${id}`, price: id * 3 }));

const files: Readonly<Record<string, { readonly type: string; readonly bytes: Buffer }>> = {
  "/a.pdf": { type: "application/pdf", bytes: Buffer.from([0x25, 0x50, 0, 255, 1]) },
  "/a.png": {
    type: "image/png",
    bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255]),
  },
  "/a.txt": { type: "text/plain", bytes: Buffer.from("Grüße\n") },
  "/later.txt": { type: "text/plain", bytes: Buffer.from(`key ${later}`) },
  "/passing.txt": { type: "text/plain", bytes: Buffer.from(`key ${passing}`) },
  "/secret.bin": {
    type: "application/octet-stream",
    bytes: Buffer.from(`\0\xff${secret}\0`, "latin1"),
  },
  "/secret.txt": { type: "text/plain", bytes: Buffer.from(`key ${secret}`) },
};

const api = await startHttpServer(({ method, url }, response) => {
  const { pathname } = new URL(url, "http://localhost");
  if (pathname === "/rows") return sendJson(response, rows);
  if (pathname === "/exports")
    return sendJson(response, {}, method === "POST" ? 202 : 200, { location: "/exports" });
  if (pathname === "/gone") return sendJson(response, { message: `No ${secret} here` }, 404);
  const file = files[pathname];
  if (file === undefined) return sendJson(response, { ok: true });
  response.writeHead(200, { "content-type": file.type });
  response.end(file.bytes);
});
let toolkit: ApiSourceToolkit;
let clients: Client[] = [];

beforeEach(async () => {
  const shop = defineSource({
    name: "Shop",
    tagline: "Articles",
    api: { baseUrl: api.url, authType: "bearer" },
  });
  const readOnly = defineSource({ name: "Archive", api: { baseUrl: api.url, methods: ["GET"] } });
  toolkit = await ApiSourceToolkit.fromSources([shop, readOnly], {
    credentials: { shop: { token: secret } },
  });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
});

type Ask = (question: string) => "accept" | "decline" | "cancel";

async function connect(options?: McpServerOptions, ask?: Ask): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcpServer(toolkit, options).connect(far);
  const capabilities = ask === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "tests", version: "1" }, { capabilities });
  if (ask !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: ask(params.message),
    }));
  await client.connect(near);
  clients.push(client);
  return client;
}

function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

describe("the list of tools", () => {
  it("has the names and descriptions that models get, requires no optional member, and marks what only reads", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(
      toolkit.getTools({ strict: false }).map(({ name, description }) => ({ name, description })),
    );
    expect(tools.map(({ inputSchema }) => inputSchema.required)).toEqual([
      ["method", "path"],
      ["method", "path"],
      ["id"],
    ]);
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["shop", false],
      ["archive", true],
      ["read_api_response", true],
    ]);
  });

  it("marks describe_api as reading, and run_api_code by its writes", async () => {
    const endpoints = [{ method: "GET" as const, path: "/pens", about: "pens" }];
    toolkit = await ApiSourceToolkit.fromSources([
      { name: "Desk", api: { baseUrl: api.url, endpoints, guide: fileURLToPath(import.meta.url) } },
    ]);
    for (const writes of ["refuse", "approve", "allow"] as const) {
      const client = await connect({ tools: [createApiCodeTool(toolkit, { writes })] });
      const listed = (await client.listTools()).tools.slice(-2);
      expect(listed.map(({ name, annotations }) => ({ name, ...annotations }))).toEqual([
        { name: "describe_api", readOnlyHint: true, openWorldHint: false },
        { name: "run_api_code", readOnlyHint: writes === "refuse", openWorldHint: true },
      ]);
    }
  });
});

describe("a call", () => {
  it("gives the tool's own answer", async () => {
    const args = { method: "GET", path: "/orders", query: [{ name: "a", value: "1" }] };
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
  ])(
    "%s is a result that is marked as an error, without the secret",
    async (_what, args, category) => {
      const client = await connect();
      const result = await client.callTool({
        name: "shop",
        ...(args === undefined ? {} : { arguments: args }),
      });
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result)).error.category).toBe(category);
      expect(textOf(result)).not.toContain(secret);
    },
  );

  it("is judged without the members that a host adds to each call, and with all that a model may have written", async () => {
    const client = await connect();
    const call = async (added: Record<string, unknown>): Promise<string> => {
      const args = { method: "GET", path: "/orders", ...added };
      return textOf(await client.callTool({ name: "shop", arguments: args }));
    };
    const ofN8n = { toolCallId: "c", sessionId: "s", action: "sendMessage", chatInput: "hi" };
    const { toolCallId: _, ...ofItsChat } = ofN8n;
    for (const added of [{ ...ofN8n, tool: "shop" }, ofItsChat, { _sessionID: "s" }])
      expect(JSON.parse(await call(added))).toMatchObject({ status: 200 });
    const ofModel = [{ action: "delete" }, { chatInput: "x" }, { sessionId: "s" }];
    for (const added of [...ofModel, { ...ofN8n, limit: 5 }])
      expect(JSON.parse(await call(added)).error.category).toBe("invalid_input");
  });

  it("of a tool that isn't there is an error of the protocol", async () => {
    const call = (await connect()).callTool({ name: "shopp", arguments: {} });
    await expect(call).rejects.toMatchObject({ code: -32602 });
  });

  it("reports a job before it waits for it, when the client asked for reports", async () => {
    const told: (string | undefined)[] = [];
    const result = await (await connect({ approve: "none" })).callTool(
      { name: "shop", arguments: { method: "POST", path: "/exports", wait: 20 } },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(JSON.stringify(result)).toContain('\\"polls\\":1');
    expect(told[0]).toContain('"job":"/exports"');
  });
});

describe("a tool that is served beside those of the toolkit", () => {
  const get = 'return await api.shop.get("/orders")';
  const remove = 'return await api.shop.delete("/orders/1")';
  const post = { method: "POST", path: "/orders" };
  const runCode = (code: string) => ({ name: "run_api_code", arguments: { code } });

  it.each<[string, McpServerOptions, string]>([
    ["all", { approve: "all" }, get],
    ["writes", { approve: "writes" }, remove],
    ["what is left out", {}, remove],
    ["a function", { approve: ({ method }) => method === "GET" }, get],
  ])("waits as approve says: %s", async (_what, options, code) => {
    const tools = [createApiCodeTool(toolkit, { writes: "allow" })];
    const held = await (await connect({ ...options, tools })).callTool(runCode(code));
    expect(textOf(held)).toContain("approval_required");
    expect(api.requests).toEqual([]);
    const free = await (await connect({ approve: "none", tools })).callTool(runCode(code));
    expect(textOf(free)).not.toContain("approval_required");
    expect(api.requests).toHaveLength(1);
  });

  it.each<[string, McpServerOptions["approve"], object]>([
    ["the source's tool, asked about all", "all", { name: "shop", arguments: post }],
    ["the source's tool, asked about writes", undefined, { name: "shop", arguments: post }],
    ["code, asked about all", "all", runCode('return await api.shop.post("/orders")')],
  ])(
    "waits though the toolkit's function asks about other calls: %s",
    async (_what, approve, called) => {
      const own = { approve: ({ method }: ApprovalRequest) => method === "DELETE" };
      toolkit = await ApiSourceToolkit.fromSources(
        [{ name: "Shop", api: { baseUrl: api.url } }],
        own,
      );
      const tools = [createApiCodeTool(toolkit, { writes: "allow" })];
      const client = await connect({ approve, tools }, () => "decline");
      expect(textOf(await client.callTool(called as never))).toContain("approval_required");
      expect(api.requests).toEqual([]);
    },
  );

  it.each([false, true])(
    "waits where it is one of another toolkit, combined: %s",
    async (combined) => {
      const other = await ApiSourceToolkit.fromSources([
        { name: "Other", api: { baseUrl: api.url } },
      ]);
      const [tool] = other.getTools({ combined });
      const args = { source: "other", method: "DELETE", path: "/orders/1" };
      const client = await connect({ tools: tool === undefined ? [] : [tool] });
      const called = {
        name: tool?.name ?? "",
        arguments: combined ? args : { ...args, source: undefined },
      };
      expect(textOf(await client.callTool(called))).toContain("approval_required");
      expect(api.requests).toEqual([]);
    },
  );
});

describe("a write", () => {
  const write = {
    name: "shop",
    arguments: { method: "POST", path: "/orders", body: '{"total":19.90}' },
  };

  it("is shown to the person whom the client asks, each time anew, and sent once when they accept it", async () => {
    const questions: string[] = [];
    const client = await connect({}, (question) => {
      questions.push(question);
      expect(api.requests.length).toBe(questions.length - 1);
      return "accept";
    });
    for (const turn of [1, 2]) {
      const result = await client.callTool(write);
      expect([result.isError, JSON.parse(textOf(result)).data]).toEqual([false, { ok: true }]);
      expect([questions.length, api.requests.length]).toEqual([turn, turn]);
    }
    expect(questions[0]).toBe(`Let shop send this?\n\nPOST ${api.url}/orders\n\n{"total":19.90}`);
    expect(api.requests[0]).toMatchObject({ method: "POST", body: '{"total":19.90}' });
  });

  it("of a source that a person must authorize first is answered with the address, and asks nothing", async () => {
    const oauth2: ApiSourceRecord["api"]["oauth2"] = {
      grant: "authorization_code",
      authorizationUrl: `${api.url}/authorize`,
      tokenUrl: `${api.url}/token`,
      clientId: "a",
      redirectUri: "https://app.example/callback",
    };
    const record = defineSource({
      name: "Shop",
      api: { baseUrl: api.url, authType: "bearer", oauth2 },
    });
    toolkit = await ApiSourceToolkit.fromSources([record]);
    const client = await connect({}, () => "accept");
    for (const call of [write, { name: "shop", arguments: { method: "GET", path: "/rows" } }]) {
      const result = await client.callTool(call);
      const { error } = JSON.parse(textOf(result));
      expect(error).toMatchObject({
        code: "auth_required",
        details: { auth_url: expect.any(String) },
      });
    }
    expect(api.requests).toEqual([]);
  });

  it.each(["decline", "cancel"] as const)("is not sent when the answer is %s", async (answer) => {
    const result = await (await connect({}, () => answer)).callTool(write);
    expect(JSON.parse(textOf(result)).error).toMatchObject({
      category: "approval_required",
      code: "rejected",
    });
    expect([result.isError, api.requests]).toEqual([true, []]);
  });

  it("and every other call obeys the rule of the toolkit, if it has one", async () => {
    const record = { name: "Shop", api: { baseUrl: api.url } };
    toolkit = await ApiSourceToolkit.fromSources([record], { approve: "all" });
    const questions: string[] = [];
    const client = await connect({ approve: "writes" }, (question) => {
      questions.push(question);
      return "decline";
    });
    const result = await client.callTool({
      name: "shop",
      arguments: { method: "GET", path: "/rows" },
    });
    expect([result.isError, questions.length, api.requests]).toEqual([true, 1, []]);
  });

  it("asks the toolkit's approver where the client can't", async () => {
    const record = { name: "Shop", api: { baseUrl: api.url } };
    toolkit = await ApiSourceToolkit.fromSources([record], {
      approver: async () => ({ type: "approve" }),
    });
    expect((await (await connect()).callTool(write)).isError).toBe(false);
  });
});

describe("a kept response", () => {
  const call = async (client: Client, name: string, args: Record<string, unknown>) =>
    JSON.parse(textOf((await client.callTool({ name, arguments: args })) as CallToolResult));
  const keep = async (client: Client): Promise<string> =>
    (await call(client, "shop", { method: "GET", path: "/rows" })).shortened.id;
  const count = (client: Client, id: string) =>
    call(client, "read_api_response", { id, select: "length(@)" });

  it("is read in its own session alone, by every server of it", async () => {
    const [one, other] = [await connect({ session: "one" }), await connect({ session: "other" })];
    const id = await keep(one);
    expect((await count(one, id)).data).toBe(900);
    expect((await count(other, id)).error.category).toBe("not_found");
    const [first, second] = [await connect({ session: "s" }), await connect({ session: "s" })];
    expect((await count(second, await keep(first))).data).toBe(900);
    expect((await count(await connect(), id)).error.category).toBe("not_found");
  });

  it("is read without a session by each server without one, as by a server for each request", async () => {
    const id = await keep(await connect());
    expect((await count(await connect(), id)).data).toBe(900);
    expect((await count(await connect({ session: "s" }), id)).error.category).toBe("not_found");
  });
});

describe("a file", () => {
  const get = async (
    client: Client,
    path: string,
  ): Promise<{ uri: string; result: CallToolResult }> => {
    const result = (await client.callTool({
      name: "shop",
      arguments: { method: "GET", path },
    })) as CallToolResult;
    const link = result.content.find(({ type }) => type === "resource_link");
    return { uri: link?.type === "resource_link" ? link.uri : "", result };
  };

  it("is a link in the result, and its bytes are read by the link", async () => {
    const client = await connect();
    const { uri, result } = await get(client, "/a.pdf");
    const { file } = JSON.parse(textOf(result));
    expect(result.content.slice(1)).toEqual([
      { type: "resource_link", uri, name: "a.pdf", mimeType: "application/pdf", size: 5 },
    ]);
    expect(uri).toBe(`api-sources://files/${file.id}`);
    const blob = files["/a.pdf"]?.bytes.toString("base64");
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: "application/pdf", blob },
    ]);
    const text = await get(client, "/a.txt");
    expect((await client.readResource({ uri: text.uri })).contents).toEqual([
      { uri: text.uri, mimeType: "text/plain", text: "Grüße\n" },
    ]);
    expect((await client.listResources()).resources).toEqual([]);
  });

  it.each([false, true])(
    "that is an image is shown by the reader as one (combined: %s), else it answers with a hint",
    async (combined) => {
      const client = await connect({ combined });
      const read = async (path: string): Promise<CallToolResult> => {
        const call = { method: "GET", path };
        const given = combined
          ? { name: "call_api", arguments: { source: "shop", ...call } }
          : { name: "shop", arguments: call };
        const { file } = JSON.parse(textOf((await client.callTool(given)) as CallToolResult));
        const args = { id: file.id, as: "image" };
        const asked = { name: "read_api_response", arguments: args };
        return (await client.callTool(asked)) as CallToolResult;
      };
      const shown = await read("/a.png");
      const data = files["/a.png"]?.bytes.toString("base64");
      expect(shown.content.slice(1)).toEqual([{ type: "image", data, mimeType: "image/png" }]);
      expect(shown.isError).toBe(false);
      const refused = await read("/a.pdf");
      expect(refused.content).toHaveLength(1);
      expect(refused.isError).toBe(true);
      expect(JSON.parse(textOf(refused)).error.hint).toMatch(/PNG, JPEG/);
    },
  );

  it("is unknown to another session, and by any other address", async () => {
    const { uri } = await get(await connect({ session: "one" }), "/a.pdf");
    const other = await connect({ session: "other" });
    for (const address of [uri, `${uri}x`, "api-sources://files/", "file:///etc/passwd"])
      await expect(other.readResource({ uri: address })).rejects.toThrow(/not found/i);
  });

  it.each(["/secret.bin", "/secret.txt"])(
    "that contains a secret is not given out: %s",
    async (path) => {
      const client = await connect();
      const { uri, result } = await get(client, path);
      expect(JSON.stringify(result)).not.toContain(secret);
      await expect(client.readResource({ uri })).rejects.toThrow(/contains a secret/);
    },
  );

  it.each([
    ["", later, "/later.txt"],
    [", from a function for another source,", passing, "/passing.txt"],
  ])(
    "that contains a secret which is known%s since then is not given out",
    async (from, value, path) => {
      const client = await connect();
      const { uri } = await get(client, path);
      expect((await client.readResource({ uri })).contents).toHaveLength(1);
      const { secrets } = await toolkit.openRuntime();
      if (from === "") secrets.add([new Secret(value)]);
      else secrets.addRecent("another", [new Secret(value)]);
      await expect(client.readResource({ uri })).rejects.toThrow(/contains a secret/);
    },
  );

  it("is not made of bytes that a model wrote, which a person could not read", async () => {
    const client = await connect();
    const input = { method: "POST", path: "/rows", body: { $base64: "aGk=" } };
    const result = await client.callTool({ name: "shop", arguments: input });
    expect(JSON.parse(textOf(result)).error.category).toBe("refused_by_policy");
    expect(api.requests).toEqual([]);
  });

  it("has no link where the answer is JSON", async () => {
    expect((await get(await connect(), "/rows")).result.content).toHaveLength(1);
  });
});

describe("one tool for all sources", () => {
  it("is served with combined, reads only where every source does, and routes a call by its source", async () => {
    const client = await connect({ combined: true });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["call_api", false],
      ["read_api_response", true],
    ]);
    const call = (args: Record<string, unknown>) =>
      client.callTool({ name: "call_api", arguments: args });
    const own = await call({ source: "archive", method: "GET", path: "/x" });
    expect(JSON.parse(textOf(own as CallToolResult))).toMatchObject({ status: 200 });
    const wrong = (await call({ source: "nothing", method: "GET", path: "/x" })) as CallToolResult;
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain("Give one of: shop, archive.");
    const bySlug = client.callTool({ name: "shop", arguments: { method: "GET", path: "/x" } });
    await expect(bySlug).rejects.toThrow("No tool has that name");
  });

  it("is read only where every source is", async () => {
    toolkit = await ApiSourceToolkit.fromSources([
      defineSource({ name: "Archive", api: { baseUrl: api.url, methods: ["GET"] } }),
    ]);
    const { tools } = await (await connect({ combined: true })).listTools();
    expect(tools[0]?.annotations?.readOnlyHint).toBe(true);
  });

  it("asks a person about a write of the source", async () => {
    const asked: string[] = [];
    const client = await connect({ combined: true }, (question) => {
      asked.push(question);
      return "accept";
    });
    const args = { source: "shop", method: "POST", path: "/orders", body: "{}" };
    const result = (await client.callTool({ name: "call_api", arguments: args })) as CallToolResult;
    expect(JSON.parse(textOf(result)).status).toBe(200);
    expect(asked).toEqual([expect.stringContaining("Let shop send this?")]);
  });
});
