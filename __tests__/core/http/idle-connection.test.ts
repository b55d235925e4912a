import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { systemSleep } from "../../../src/core/base/runtime.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";
import { createTestTransport } from "../../support/test-transport.js";

const forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
/** Bytes after the end of an answer: whole answers, parts of one, and text that is not HTTP. */
const extras: Readonly<Record<string, string>> = {
  "a whole answer": forged,
  "the beginning of a head": "HTTP/1.1 200 OK\r\nX-A: ",
  "text of another protocol": "forged",
};
const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

type Timing = (socket: Socket, extra: string) => void;
const timings: Readonly<Record<string, Timing>> = {
  "in the same write": (socket, extra) => void socket.write(answer + extra),
  "in the next write": (socket, extra) => {
    socket.write(answer);
    socket.write(extra);
  },
  "while the connection is idle": (socket, extra) => {
    socket.write(answer);
    setTimeout(() => socket.write(extra), 10);
  },
};
const cases = Object.keys(timings).flatMap((when) =>
  Object.keys(extras).map((extra) => [extra, when] as const),
);

describe("a connection", () => {
  it.each(cases)("that sends %s %s gives it to no other request", async (extra, when) => {
    const api = await startRawServer(({ target }, socket) => {
      if (target === "/first") timings[when]?.(socket, extras[extra] ?? "");
      else answerWith(socket, 200, "mine");
    });
    const transport = createTestTransport(api.url, { limits: { retries: 0 } });
    const first = await transport.send({ path: "/first" });
    expect([first.failure, Buffer.from(first.body).toString()]).toEqual([undefined, "{}"]);
    // This process is busy: what was sent meanwhile waits to be read when the next request is made.
    await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    const second = await transport.send({ path: "/second" });
    expect(Buffer.from(second.body).toString()).toBe("mine");
  });

  it("is used again after an answer that comes in pieces", async () => {
    const api = await startRawServer(async (_request, socket) => {
      socket.write(answer.slice(0, 30));
      await systemSleep(2);
      socket.write(answer.slice(30));
    });
    const transport = createTestTransport(api.url, { limits: { retries: 0 } });
    for (let call = 0; call < 5; call += 1)
      expect((await transport.send({})).failure).toBeUndefined();
    expect(api.connections.opened).toBe(1);
  });
});
