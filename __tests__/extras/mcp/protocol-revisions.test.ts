/** A client that speaks by hand: the revisions of the protocol, and what it hands back beside what it was asked. */

import { afterEach, describe, expect, it } from "@jest/globals";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ApiSourceToolkit } from "langchain-api-sources";
import { createMcpServer } from "langchain-api-sources/mcp";
import { startHttpServer } from "../../support/http-server.js";

type Message = ReturnType<typeof JSON.parse>;

const api = await startHttpServer();
const handles: ReturnType<typeof serveStdio>[] = [];
afterEach(() => Promise.all(handles.splice(0).map((handle) => handle.close())));

async function openByHand(): Promise<(method: string, params: object) => Promise<Message>> {
  const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: api.url } }]);
  const [near, far] = InMemoryTransport.createLinkedPair();
  handles.push(serveStdio(() => createMcpServer(toolkit), { transport: far }));
  const waiting = new Map<unknown, (message: unknown) => void>();
  near.onmessage = (message) => waiting.get(Object(message).id)?.(message);
  await near.start();
  return async (method, params) => {
    const id = waiting.size + 1;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    await near.send({ jsonrpc: "2.0", id, method, params: { ...params } });
    return answered;
  };
}

const clientInfo = { name: "hand", version: "1" };
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
const read = { name: "shop", arguments: { method: "GET", path: "/a" } };

describe("a server of a toolkit by serveStdio", () => {
  it("speaks revision 2025-11-25", async () => {
    const send = await openByHand();
    const protocolVersion = "2025-11-25";
    const greeting = await send("initialize", { protocolVersion, capabilities: {}, clientInfo });
    expect(greeting.result.protocolVersion).toBe(protocolVersion);
    const answer = await send("tools/call", read);
    expect(answer.result.content[0].text).toBe('{"status":200,"data":{"ok":true}}');
  });

  it("speaks revision 2026-07-28", async () => {
    const send = await openByHand();
    const discovered = await send("server/discover", { _meta });
    expect(discovered.result.supportedVersions).toContain("2026-07-28");
    const answer = await send("tools/call", { ...read, _meta });
    expect(answer.result).toMatchObject({ resultType: "complete", isError: false });
  });
});

describe("an answer to another question", () => {
  const write = { method: "POST", path: "/orders", body: "1" };
  const accept = { inputResponses: { approval: { action: "accept" } } };
  async function openWrite(): Promise<(more: object) => Promise<Message>> {
    const send = await openByHand();
    return async (more) =>
      (await send("tools/call", { name: "shop", arguments: write, _meta, ...more })).result;
  }

  it("sends nothing: what was changed since is refused, and what was answered already too", async () => {
    const call = await openWrite();
    const { resultType, requestState } = await call({});
    expect(resultType).toBe("input_required");
    const codeOf = ({ content }: Message): string => JSON.parse(content[0].text).error.code;
    const changed = await call({
      ...accept,
      requestState,
      arguments: { ...write, body: "1000000" },
    });
    expect([codeOf(changed), api.requests]).toEqual(["decision_for_another", []]);
    expect((await call({ ...accept, requestState })).isError).toBe(false);
    expect(codeOf(await call({ ...accept, requestState }))).toBe("decision_used");
    expect(api.requests.length).toBe(1);
  });

  it.each([
    ["without the state", accept],
    ["with a state of its own", { ...accept, requestState: "yes" }],
    ["without an answer", { requestState: "a b" }],
  ])("is asked again %s", async (_what, more) => {
    expect(await (await openWrite())(more)).toMatchObject({ resultType: "input_required" });
    expect(api.requests).toEqual([]);
  });
});
