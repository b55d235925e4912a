// The input of a source's tool, and of the reader of kept responses.

import { textOf } from "../world.mjs";

export async function openDoor({ fc, load, api, canary, hear }) {
  const { ApiSourceToolkit } = await load("index.js");
  const write =
    (level) =>
    (...parts) =>
      hear(level, parts);
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const toolkit = await ApiSourceToolkit.fromSources(
    [
      {
        name: "Shop",
        api: {
          baseUrl: api.baseUrl,
          authType: "bearer",
          limits: { retries: 0, maxTokens: 300, timeoutMs: 5_000 },
        },
      },
    ],
    { credentials: { shop: { token: canary } }, logger, onCall: (event) => hear("onCall", event) },
  );
  const tools = new Map(toolkit.getTools().map((tool) => [tool.name, tool]));
  const text = textOf(fc);
  const any = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }));
  const select = fc.oneof(
    fc.constantFrom(
      "@",
      "*",
      "[]",
      "headers",
      "body.a.b",
      "to_string(@)",
      "sort_by(@,&a)",
      "a".repeat(4_001),
    ),
    fc
      .array(
        fc.constantFrom("a", ".", "[", "]", "?", "*", "@", "|", "(", ")", "&", "'", "`", "length", "join"),
        { maxLength: 30 },
      )
      .map((parts) => parts.join("")),
    fc
      .integer({ min: 1, max: 1_300 })
      .map((count) => `[${Array.from({ length: count }, (_, at) => `n${at}`).join(",")}]`),
  );
  const input = fc.record(
    {
      method: fc.oneof(fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"), any),
      path: fc.oneof(
        text.map((path) => `/${path}`),
        any,
      ),
      query: any,
      body: any,
      headers: any,
      select: fc.oneof(select, any),
      pages: fc.oneof(fc.integer(), any),
    },
    { requiredKeys: ["method", "path"] },
  );
  return {
    arbitrary: input,
    async run(args) {
      const message = await tools.get("shop").invoke({ type: "tool_call", id: "1", name: "shop", args });
      hear("message", message.content);
      hear("artifact", message.artifact);
      const id = message.artifact?.responseId;
      if (id === undefined) return;
      const reading = { id, select: typeof args.select === "string" ? args.select : null };
      const kept = await tools
        .get("read_api_response")
        .invoke({ type: "tool_call", id: "2", name: "read_api_response", args: reading });
      hear("kept", kept.content);
    },
  };
}
