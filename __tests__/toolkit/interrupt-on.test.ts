import { describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, fakeModel, humanInTheLoopMiddleware } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";

const record = { name: "Shop Orders", api: { baseUrl: "https://api.shop.example/v1" } };
const toolkit = await ApiSourceToolkit.fromSources([record]);

type Args = Record<string, unknown>;

function stops(args: unknown, reads?: readonly string[]): boolean | undefined {
  const setting = toolkit.interruptOn(reads === undefined ? {} : { reads })["shop_orders"];
  return setting?.when({ toolCall: { args: args as Args } });
}

describe("interruptOn", () => {
  it("lets a plain GET through, stops everything else, and never throws, whatever it is given instead of a call", () => {
    const { when, allowedDecisions } = toolkit.interruptOn()["shop_orders"] ?? {};
    expect(allowedDecisions).toEqual(["approve", "edit", "reject"]);
    expect(stops({ method: "GET", path: "/search" })).toBe(false);
    const fail = (): never => {
      throw new Error("trap");
    };
    const trap = new Proxy({}, { get: fail });
    const methods = ["POST", "get", undefined, null, ["GET"]].map((method) => ({ method, path: "/search" }));
    for (const args of [...methods, undefined, null, "GET", [], trap]) expect(stops(args)).toBe(true);
    for (const call of [undefined, null, 0, "GET", [], {}, { toolCall: null }, trap, { toolCall: trap }])
      expect(when?.(call as never)).toBe(true);
  });

  const reads = ["POST /search", "POST /*/_search", "PUT /reports/**"];

  it.each<Args>([
    { method: "POST", path: "/search" },
    {
      method: "POST",
      path: "/search?limit=5",
      query: [{ name: "q", value: "chairs" }],
      body: '{"q":"chairs"}',
    },
    { method: "POST", path: "/orders/_search", body: { query: { match_all: {} } }, headers: null },
    { method: "PUT", path: "/reports/2026/11" },
  ])("lets a read that was named through: %j", (args) => {
    expect(stops(args, reads)).toBe(false);
    expect(stops(args)).toBe(true);
  });

  it.each<Args>([
    { method: "post", path: "/search" },
    { method: "DELETE", path: "/search" },
    { method: "POST", path: "/search/../orders" },
    { method: "POST", path: "/search%2f..%2forders" },
    { method: "POST", path: "/%73earch" },
    { method: "POST", path: "/search\\..\\orders" },
    { method: "POST", path: "https://api.shop.example/v1/search" },
    { method: "POST", path: ["/search"] },
    { method: "POST", path: "/a/b/_search" },
    { method: "POST", path: "/search?_method=DELETE" },
    { method: "POST", path: "/search", body: '{"_method":"DELETE"}' },
    { method: "POST", path: "/search", headers: [{ name: "X-HTTP-Method-Override", value: "DELETE" }] },
    { method: "PUT", path: "/reports/../orders" },
  ])("stops what only looks like a read: %j", (args) => {
    expect(stops(args, reads)).toBe(true);
  });

  it.each(["/search", "POST", "POST search", "POST /search now", "SEARCH /x", ""])(
    "refuses %j as a read",
    (read) => {
      expect(() => toolkit.interruptOn({ reads: [read] })).toThrow(/does not name a call that reads/);
    },
  );

  it("shows a person method, URL and a body that can be read, in LangChain's own middleware", async () => {
    const args = {
      method: "POST",
      path: "/orders?notify=true",
      query: [{ name: "tag", value: "a b" }],
      body: '{"customer_id":7,"items":[{"sku":"SKU-1","quantity":2}]}',
    };
    // Its types don't fit with exactOptionalPropertyTypes.
    const readableApproval = humanInTheLoopMiddleware({
      interruptOn: toolkit.interruptOn(),
    } as never) as AgentMiddleware;
    const agent = createAgent({
      model: fakeModel()
        .respondWithTools([{ name: "shop_orders", args, id: "call_1" }])
        .respond(new AIMessage("done")),
      tools: toolkit.getTools(),
      checkpointer: new MemorySaver(),
      middleware: [readableApproval],
    });
    const result = await agent.invoke({ messages: "Order two." }, { configurable: { thread_id: "1" } });
    const [interrupt] = Object(result).__interrupt__;
    expect(interrupt.value.actionRequests[0].description).toBe(
      `Shop Orders: POST https://api.shop.example/v1/orders?notify=true&tag=a%20b\n\nBody:\n${JSON.stringify(JSON.parse(args.body), null, 2)}`,
    );
  });

  const describeCall = (args: unknown): string | undefined =>
    toolkit.interruptOn()["shop_orders"]?.description({ args: args as Args });

  it.each<[string, unknown, string]>([
    [
      "a number that reading would round",
      { method: "POST", path: "/x", body: '{"id": 12345678901234567890}' },
      '{"id": 12345678901234567890}',
    ],
    ["a name that stands twice", { method: "POST", path: "/x", body: '{"a":1,"a":2}' }, '{"a":1,"a":2}'],
    ["a text", { method: "POST", path: "/x", body: "plain" }, "Body:\nplain"],
    ["a value", { method: "POST", path: "/x", body: { a: 1 } }, 'Body:\n{\n  "a": 1\n}'],
    [
      "characters that nobody sees",
      { method: "POST", path: "/a\u202eb\nc", body: '"\u200b"' },
      "/a\\u{202e}b",
    ],
    ["headers", { method: "POST", path: "/x", headers: [{ name: "If-Match", value: "1" }] }, "Headers:\n["],
    [
      "a path on the API",
      { method: "DELETE", path: "https://api.shop.example/v1/x" },
      "DELETE https://api.shop.example/v1/x",
    ],
    [
      "a long body",
      { method: "POST", path: "/x", body: "y".repeat(20_000) },
      "… (the first 10000 of 20000 characters)",
    ],
    ["nothing", undefined, "Shop Orders: a call whose input can't be read."],
  ])("shows %s as it is", (_what, args, part) => {
    expect(describeCall(args)).toContain(part);
  });
});
