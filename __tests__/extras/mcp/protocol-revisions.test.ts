/** Which revisions of the protocol a server speaks. */

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ApiSourceToolkit } from "langchain-api-sources";
import { createMcpServer } from "langchain-api-sources/mcp";
import { type HttpServer, sendJson, startHttpServer } from "../../support/http-server.js";

type Message = ReturnType<typeof JSON.parse>;

let api: HttpServer;
let toolkit: ApiSourceToolkit;
beforeAll(async () => {
  api = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
  toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: api.url } }]);
});
afterAll(() => api.close());

/** Sends messages one after the other, each when the one before was answered. */
async function talk(messages: readonly Message[]): Promise<Message[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(() => createMcpServer(toolkit), { transport: far });
  let receive: (message: unknown) => void = () => {};
  near.onmessage = (message) => receive(message);
  await near.start();
  const answers: Message[] = [];
  for (const [index, message] of messages.entries()) {
    const answered = new Promise((resolve) => {
      receive = resolve;
    });
    const isRequest = !message.method.startsWith("notifications/");
    await near.send({ jsonrpc: "2.0", ...(isRequest ? { id: index } : {}), ...message });
    if (isRequest) answers.push(await answered);
  }
  await handle.close();
  return answers;
}

const call = { name: "shop", arguments: { method: "GET", path: "/a" } };
const client = { name: "hand", version: "1" };
const older = [
  {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client },
  },
  { method: "notifications/initialized" },
  { method: "tools/call", params: call },
];
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": client,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const newer = [
  { method: "server/discover", params: { _meta: meta } },
  { method: "tools/call", params: { ...call, _meta: meta } },
];

describe("a server of a toolkit by serveStdio", () => {
  it("speaks revision 2025-11-25", async () => {
    const [greeting, answer] = await talk(older);
    expect(greeting.result.protocolVersion).toBe("2025-11-25");
    expect(answer.result.content[0].text).toBe('{"status":200,"data":{"ok":true}}');
  });

  it("speaks revision 2026-07-28", async () => {
    const [discovered, answer] = await talk(newer);
    expect(discovered.result.supportedVersions).toContain("2026-07-28");
    expect(answer.result).toMatchObject({ resultType: "complete", isError: false });
  });
});
