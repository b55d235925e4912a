/** A message quotes the beginning of what a caller sent. Of a long secret in it, a part would be left that no redactor finds. */

import { describe, expect, it } from "@jest/globals";
import type { CallEvent } from "langchain-api-sources";
import { createCanaryFinder } from "../../support/find-canary.js";
import { sendJson } from "../../support/http-server.js";
import { startShopTool } from "../../support/shop-tool.js";

const secret = Array.from({ length: 40 }, (_, at) => `k${(at * 7919) % 10007}`).join("");

const events: CallEvent[] = [];
const { toolkit } = await startShopTool(
  (_request, response) => sendJson(response, { items: [{ id: 1 }] }),
  { authType: "bearer" },
  { credentials: { shop: { token: secret } }, onCall: (event) => void events.push(event) },
);

/** What the model, the artifact and the events have of a tool's answer. */
async function answer(name: string, args: object): Promise<string> {
  const found = toolkit.getTools().find((tool) => tool.name === name);
  const { content, artifact } = Object(
    await found?.invoke({ type: "tool_call", id: "1", name, args }),
  );
  expect(JSON.parse(content).error).toMatchObject({ hint: expect.stringMatching(/./) });
  return JSON.stringify([content, artifact, events]);
}

describe("the error of an input that contains a secret", () => {
  it.each<[string, object]>([
    ["method", { method: secret, path: "/" }],
    ["member", { path: "/", [secret]: 1 }],
    ["URL", { path: `http://${secret}/` }],
    ["path", { path: `/../${secret}` }],
    ["select", { path: "/", select: `${secret}[` }],
    ["select, in its middle", { path: "/", select: `${secret.slice(0, 9)} ${secret}-` }],
    ["until", { path: "/", until: `${secret}[` }],
    ["name of a header", { path: "/", headers: { [`${secret} x`]: "1" } }],
    ["name of a parameter", { path: "/", query: { [secret]: { a: { b: 1 } } } }],
    ["query string", { path: "/", query: `?${secret}%` }],
  ])("has no part of it: %s", async (_where, args) => {
    expect(createCanaryFinder([secret]).find(await answer("shop", args))).toBeUndefined();
  });

  it.each<[string, object]>([
    ["id", { id: secret }],
    ["member", { id: "x", [secret]: 1 }],
  ])("has no part of it where a kept response is read: %s", async (_where, args) => {
    expect(
      createCanaryFinder([secret]).find(await answer("read_api_response", args)),
    ).toBeUndefined();
  });

  it("has no part of it where a query names a key that does not exist", async () => {
    const tool = toolkit.getTools().find(({ name }) => name === "shop");
    const content = String(await tool?.invoke({ path: "/", select: `items[].${secret}` }));
    expect(content).toContain("The query names a key that does not exist.");
    expect(createCanaryFinder([secret]).find(content + JSON.stringify(events))).toBeUndefined();
  });

  it("still quotes an input without a secret", async () => {
    expect(await answer("shop", { path: "/", select: "a[" })).toContain("Syntax error");
    expect(await answer("shop", { method: "x".repeat(200), path: "/" })).toContain("xxx…");
  });
});
