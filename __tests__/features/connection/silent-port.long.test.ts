import { createServer } from "node:net";
import { expect, it } from "@jest/globals";
import { testConnection } from "langchain-api-sources";

// The record allows more time than a test has: it ends because the second question has a time of its own.
it("asks a port that resets plain HTTP, and is silent to TLS, for three seconds", async () => {
  const sockets: { destroy(): void }[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const isTls = bytes[0] === 22;
      if (!isTls) socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = { baseUrl, testEndpoint: "/me", limits: { timeoutMs: 600_000 } };
  const report = await testConnection({ name: "Shop", api });
  expect(report).toMatchObject({ ok: false, verdict: "unreachable" });
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
