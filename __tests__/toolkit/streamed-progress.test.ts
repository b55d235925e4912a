import { describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";

const api = await startHttpServer(({ url }, response) => {
  const isLast = url.includes("page=2");
  const link: Record<string, string> = isLast ? {} : { Link: `<${url}?page=2>; rel="next"` };
  sendJson(response, [{ id: isLast ? 2 : 1, path: url }], 200, link);
});

/** What a run of two parallel calls of two pages each streams. */
async function stream(streamMode: "custom" | "tools", options: object = {}): Promise<unknown[]> {
  const toolkit = await ApiSourceToolkit.fromSources(
    [{ name: "Shop", api: { baseUrl: api.url } }],
    options,
  );
  const read = (path: string) => ({ method: "GET", path, pages: 5 });
  const model = fakeModel()
    .respondWithTools([
      { name: "shop", args: read("/chairs"), id: "call_1" },
      { name: "shop", args: read("/tables"), id: "call_2" },
    ])
    .respond(new AIMessage("done"));
  const agent = createAgent({ model, tools: toolkit.getTools() });
  const streamed: unknown[] = [];
  for await (const chunk of await agent.stream({ messages: "Read both." }, { streamMode }))
    streamed.push(chunk);
  return streamed;
}

const pagesOf = (call: string): object[] =>
  [1, 2].map((page) => ({ source: "shop", page, rows: page, toolCallId: call }));

describe.each<[string, object]>([
  ["a tool", {}],
  [
    "a tool that may wait for a person",
    { approve: "all", approver: async () => ({ type: "approve" }) },
  ],
])("the progress of %s", (_tool, options) => {
  it("is in the stream custom, with the id of the tool call", async () => {
    const streamed = await stream("custom", options);
    for (const call of ["call_1", "call_2"])
      expect(streamed.filter((each) => Object(each).toolCallId === call)).toEqual(pagesOf(call));
  });

  it("is in the stream tools between the start and the end of its call", async () => {
    const streamed = await stream("tools", options);
    for (const toolCallId of ["call_1", "call_2"]) {
      const own = streamed.filter((each) => Object(each).toolCallId === toolCallId);
      const event = { event: "on_tool_event", name: "shop", toolCallId };
      expect(own).toEqual([
        expect.objectContaining({ event: "on_tool_start", name: "shop" }),
        ...pagesOf(toolCallId).map((data) => ({ ...event, data })),
        expect.objectContaining({ event: "on_tool_end", name: "shop" }),
      ]);
    }
  });
});
