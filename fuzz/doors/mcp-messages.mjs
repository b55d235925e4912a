// Messages of an MCP client, right and wrong.

import { InMemoryTransport } from "@modelcontextprotocol/client";
import { textOf } from "../world.mjs";

export async function openDoor({ fc, load, api, canary, hear }) {
  const { ApiSourceToolkit } = await load("index.js");
  const { createMcpServer } = await load("extras/mcp/create-mcp-server.js");
  const settings = { baseUrl: api.baseUrl, authType: "bearer", limits: { retries: 0, timeoutMs: 5_000 } };
  const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: settings }], {
    credentials: { shop: { token: canary } },
  });
  const any = fc.oneof(textOf(fc), fc.jsonValue({ maxDepth: 3 }));
  const message = fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.string()),
      method: fc.constantFrom(
        "initialize",
        "tools/list",
        "tools/call",
        "ping",
        "resources/read",
        "notifications/cancelled",
        "nothing",
      ),
      params: fc.oneof(
        any,
        fc.record({
          name: fc.constantFrom("shop", "read_api_response", "none"),
          arguments: fc.oneof(
            any,
            fc.record({ method: fc.constantFrom("GET", "POST"), path: textOf(fc).map((path) => `/${path}`) }),
          ),
        }),
        fc.record({
          protocolVersion: fc.constantFrom("2025-06-18", "2026-07-28", "x"),
          capabilities: fc.constantFrom({}, { elicitation: {} }),
          clientInfo: fc.constant({ name: "a", version: "1" }),
        }),
      ),
    },
    { requiredKeys: ["jsonrpc", "method"] },
  );
  return {
    arbitrary: fc.array(message, { minLength: 1, maxLength: 5 }),
    async run(messages) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = createMcpServer(toolkit);
      await server.connect(far);
      near.onmessage = (answer) => hear("answer", answer);
      await near.start();
      for (const each of messages) await near.send(each).catch((error) => hear("refused", String(error)));
      await new Promise((done) => setTimeout(done, 60));
      await server.close();
    },
  };
}
