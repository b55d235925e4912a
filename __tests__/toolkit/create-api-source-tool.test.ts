import { describe, expect, it } from "@jest/globals";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { createApiSourceTool } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";

const token = "7-tok-Zq9LmX41vK";
const server = await startHttpServer(({ method, url, body }, response) =>
  url === "/v1/missing"
    ? sendJson(response, { message: "No such item." }, 404)
    : sendJson(response, { method, url, body }),
);
const tool = createApiSourceTool(
  { name: "Acme", tagline: "Items", api: { baseUrl: `${server.url}/v1`, authType: "bearer" } },
  { credentials: { acme: { token } } },
);

async function call(args: unknown): Promise<ToolMessage> {
  return (await tool.invoke({
    type: "tool_call",
    id: "c1",
    name: "acme",
    args,
  } as never)) as ToolMessage;
}

describe("tool.invoke with bare arguments", () => {
  it("gives the document as a string", async () => {
    const content = await tool.invoke({ method: "GET", path: "/items", query: { a: 1 } });
    expect(JSON.parse(content as never)).toEqual({
      status: 200,
      data: { method: "GET", url: "/v1/items?a=1", body: "" },
    });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it.each([null, "", []])("takes %j in optional members for absent", async (nothing) => {
    const [query, headers, select] = [nothing, nothing, nothing];
    await tool.invoke({ method: "GET", path: "/items", query, headers, select, body: null });
    expect(server.requests[0]?.url).toBe("/v1/items");
  });
});

describe("tool.invoke with a tool call", () => {
  it("gives a ToolMessage with a small artifact", async () => {
    const message = await call({ method: "GET", path: "/items", query: { a: 1 } });
    expect(message).toMatchObject({ status: "success", tool_call_id: "c1", name: "acme" });
    expect(message.artifact).toEqual({
      source: "acme",
      request: "GET /items?a=1",
      status: 200,
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
      tokens: expect.any(Number),
      attempts: 1,
    });
    expect(message.artifact.durationMs % 1).toBe(0);
  });

  it.each([
    [
      { method: "GET", path: "/missing" },
      { status: 404, category: "not_found" },
    ],
    [{ method: "PURGE", path: "/items" }, { category: "refused_by_policy" }],
    ["nonsense", { category: "invalid_input" }],
  ])("marks the answer to %j as an error", async (args, artifact) => {
    const message = await call(args);
    expect(message.status).toBe("error");
    expect(message.artifact).toMatchObject(artifact);
    expect(JSON.parse(message.text).error.category).toBe(artifact.category);
  });
});

describe("in an agent", () => {
  it("with middleware around tool calls, answers a success, a failure and a wrong input", async () => {
    const pass = createMiddleware({
      name: "Pass",
      wrapToolCall: (request, handler) => handler(request),
    });
    for (const [args, status] of [
      [{ method: "GET", path: "/items" }, "success"],
      [{ method: "GET", path: "/missing" }, "error"],
      [{ methd: "GET" }, "error"],
    ] as const) {
      const model = fakeModel()
        .respondWithTools([{ name: "acme", args: { ...args }, id: "c1" }])
        .respond(new AIMessage("done"));
      const agent = createAgent({ model, tools: [tool], middleware: [pass] });
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
      const answer = messages.find((message) => ToolMessage.isInstance(message));
      expect(answer?.status).toBe(status);
      expect(JSON.parse(answer?.text ?? "")).toHaveProperty(status === "error" ? "error" : "data");
      expect(messages.at(-1)?.text).toBe("done");
    }
  });
});

describe("context", () => {
  it("takes each tenant to a host, and through a network, of their own", async () => {
    const { port } = new URL(server.url);
    const tenants = createApiSourceTool(
      {
        name: "Tenants",
        api: {
          baseUrl: `http://{host}:${port}`,
          variables: { host: "${TENANT_HOST}" },
          network: { allowLocalAddresses: true, proxy: "${TENANT_PROXY}" },
          limits: { retries: 0 },
        },
      },
      { secrets: (name, _source, { configurable }) => String(configurable?.[name]) },
    );
    const ask = async (host: string, proxyPort = port): Promise<string> => {
      const configurable = { TENANT_HOST: host, TENANT_PROXY: `http://127.0.0.1:${proxyPort}` };
      const answer = JSON.parse(
        String(await tenants.invoke({ method: "GET", path: "/a" }, { configurable })),
      );
      return answer.error?.category ?? answer.data.url;
    };
    const hosts = ["one.test", "two.test", "one.test"];
    const answers: string[] = [];
    for (const host of hosts) answers.push(await ask(host));
    expect(answers).toEqual(hosts.map((host) => `http://${host}:${port}/a`));
    expect(await ask("one.test", "1")).not.toContain("one.test");
  });
});
