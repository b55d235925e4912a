/** Idle connections end by themselves, and many toolkits leave nothing behind. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { ApiSourceToolkit, createSourceClient } from "langchain-api-sources";
import { endWithTests } from "../../support/started-servers.js";

const sockets = new Set<Socket>();
const slowMs = 7_000;
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  setTimeout(() => response.end('{"ok":true}'), request.url === "/slow" ? slowMs : 0);
});
// The server itself never ends an idle connection.
server.keepAliveTimeout = 0;
server.on("connection", (socket) => {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
endWithTests({
  requests: [],
  close: async () => {
    server.closeAllConnections();
    server.close();
  },
});

it("an idle connection ends by itself, and one that waits for its answer does not", async () => {
  const client = createSourceClient({ name: "Shop", api: { baseUrl } });
  await client.call({ method: "GET", path: "/" });
  const [idle] = sockets;
  const waiting = client.call({ method: "GET", path: "/slow" });
  // The slow request took the idle connection; another call needs one of its own.
  await client.call({ method: "GET", path: "/" });
  const [, second] = sockets;
  expect(idle).toBeDefined();
  if (second !== undefined) await once(second, "close");
  expect((await waiting).ok).toBe(true);
  await Promise.all([...sockets].map((socket) => once(socket, "close")));
  expect(sockets.size).toBe(0);
});

it("a thousand toolkits that are closed leave no connection", async () => {
  const record = { name: "Shop", api: { baseUrl } };
  for (let round = 0; round < 20; round += 1) {
    const toolkits = Array.from({ length: 50 }, () => ApiSourceToolkit.fromSources([record]));
    for (const toolkit of await Promise.all(toolkits)) {
      const [tool] = toolkit.getTools();
      await tool?.invoke({ method: "GET", path: "/" });
      await toolkit.close();
    }
  }
  await Promise.all([...sockets].map((socket) => once(socket, "close")));
  expect(sockets.size).toBe(0);
});
