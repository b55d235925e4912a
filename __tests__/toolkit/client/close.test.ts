/** The end of a toolkit and of a client: sockets, calls that run, and later calls. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, createSourceClient } from "langchain-api-sources";
import { endWithTests } from "../../support/started-servers.js";

const sockets = new Set<Socket>();
let received = 0;
const largeBody = JSON.stringify(Array.from({ length: 3_000 }, (_, id) => ({ id, name: "a" })));
/** Called when the request arrives that is never answered. */
let noteSlow = (): void => {};
const server = createServer((request, response) => {
  received += 1;
  if (request.url === "/slow") return noteSlow();
  const body = request.url === "/large" ? largeBody : '{"ok":true}';
  response.setHeader("content-type", "application/json").end(body);
});
server.on("connection", (socket) => {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
endWithTests({
  requests: [],
  close: async () => {
    server.closeAllConnections();
    server.close();
  },
});

const baseUrl = `http://127.0.0.1:${port}`;
const makeRecord = (name: string) => ({
  name,
  api: { baseUrl, methods: ["GET", "POST"] as const },
});
const get = { method: "GET", path: "/" };
const slow = { method: "GET", path: "/slow" };
const readError = (text: unknown) => JSON.parse(String(text)).error ?? {};
const untilSlowArrives = (): Promise<void> => new Promise((resolve) => (noteSlow = resolve));

/** Resolves when the server has no connection. */
async function untilNoSocket(): Promise<void> {
  await Promise.all([...sockets].map((socket) => once(socket, "close")));
}

describe("ApiSourceToolkit", () => {
  it("closes the sockets that it opened, before the idle one of a client that stays open ends by itself", async () => {
    const other = createSourceClient(makeRecord("Other"));
    await other.call(get);
    const [ofOther] = sockets;
    const toolkit = await ApiSourceToolkit.fromSources([makeRecord("One"), makeRecord("Two")]);
    for (const tool of toolkit.getTools().slice(0, 2)) await tool.invoke(get);
    expect(sockets.size).toBe(3);
    const own = [...sockets].filter((socket) => socket !== ofOther);
    await toolkit.close();
    await Promise.all(own.map((socket) => once(socket, "close")));
    expect([...sockets]).toEqual([ofOther]);
    await other.close();
    await untilNoSocket();
  });

  it("answers a call that runs as cancelled, and a later one as not configured, unsent", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([makeRecord("One")]);
    const [tool] = toolkit.getTools();
    const arrived = untilSlowArrives();
    const running = tool?.invoke(slow);
    await arrived;
    await toolkit.close();
    expect(readError(await running)).toMatchObject({ category: "cancelled", code: "closed" });
    await untilNoSocket();
    const before = received;
    const error = readError(await tool?.invoke(get));
    expect(error).toMatchObject({ category: "not_configured", code: "closed" });
    expect(received).toBe(before);
  });

  it("cancels a call that waits for a person, and one that begins at the same moment, unsent", async () => {
    let noteAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (noteAsked = resolve));
    const waiting = createSourceClient(makeRecord("One"), {
      approve: "all",
      approver: () => {
        noteAsked();
        return new Promise(() => {});
      },
    });
    // Called when a call has an id, and its steps have not begun.
    let begin = (): void => {};
    const beginning = createSourceClient(makeRecord("Two"), {
      onCall: () => {},
      userOf: () => void begin(),
    });
    const before = received;
    const first = waiting.call(get);
    await asked;
    await waiting.close();
    begin = () => void beginning.close();
    const second = beginning.call(get);
    for (const running of [first, second]) {
      const { ok, content } = await running;
      expect([ok, readError(content).code]).toEqual([false, "closed"]);
    }
    expect(received).toBe(before);
  });

  it("may be closed twice, and before its first call", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([makeRecord("One")]);
    await toolkit.close();
    await expect(toolkit.close()).resolves.toBeUndefined();
    const [tool] = toolkit.getTools();
    expect(readError(await tool?.invoke(get))).toMatchObject({ code: "closed" });
    await expect(toolkit.testConnections()).rejects.toMatchObject({ code: "closed" });
  });

  it("still reads what it kept before it was closed", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([makeRecord("One")]);
    const [tool, reader] = toolkit.getTools();
    const { shortened } = JSON.parse(String(await tool?.invoke({ ...get, path: "/large" })));
    await toolkit.close();
    const read = await reader?.invoke({ id: shortened.id, select: "length(@)" });
    expect(JSON.parse(String(read)).data).toBe(3_000);
  });

  it("is not closed by the client of one of its sources", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([makeRecord("One")]);
    const [client] = toolkit.listClients();
    await client?.close();
    const [tool] = toolkit.getTools();
    expect(JSON.parse(String(await tool?.invoke(get))).status).toBe(200);
    await toolkit.close();
  });
});

describe("createSourceClient", () => {
  it("makes a client that closes its own sockets, and ends what runs", async () => {
    const client = createSourceClient(makeRecord("One"));
    const other = createSourceClient(makeRecord("Two"));
    await client.call(get);
    await other.call(get);
    const arrived = untilSlowArrives();
    const running = client.fetchBytes({ path: "/slow" });
    await arrived;
    await client.close();
    await client.close();
    expect((await running).error).toMatchObject({ category: "cancelled", code: "closed" });
    expect((await client.callWhole(get)).answer.error).toMatchObject({ code: "closed" });
    expect(readError(await client.tool.execute(get))).toMatchObject({ code: "closed" });
    expect((await other.call(get)).ok).toBe(true);
    await other.close();
    await untilNoSocket();
    expect(sockets.size).toBe(0);
  });

  it("reports what closing interrupted to onCall as cancelled", async () => {
    const categories: unknown[] = [];
    const client = createSourceClient(makeRecord("One"), {
      onCall: (event) => {
        if (event.phase === "call") categories.push(event.category);
      },
    });
    const arrived = untilSlowArrives();
    const running = client.call(slow);
    await arrived;
    await client.close();
    await running;
    expect(categories).toEqual(["cancelled"]);
  });
});
