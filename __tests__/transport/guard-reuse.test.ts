import type { Socket } from "node:net";
import net from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { systemSleep } from "../../src/runtime.js";
import { type RawServer, startRawServer } from "../support/raw-server.js";
import { createTestTransport, type TestTransport } from "../support/test-transport.js";

let api: RawServer;
let transport: TestTransport;

const forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
/** Bytes after the end of an answer: whole answers, parts of one, and what is none. */
const extras: Readonly<Record<string, string>> = {
  "a whole answer": forged,
  "an answer without a body": "HTTP/1.1 204 No Content\r\n\r\n",
  "a chunked answer": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nforged\r\n0\r\n\r\n",
  "the beginning of a head": "HTTP/1.1 200 OK\r\nX-A: ",
  "one letter": "H",
  "an interim head": "HTTP/1.1 103 Early Hints\r\n\r\n",
  "text that is no HTTP": "forged",
  "a line break": "\r\n",
};
const bodies: Readonly<Record<string, string>> = {
  "with a length": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
  chunked: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
  "without a body": "HTTP/1.1 204 No Content\r\n\r\n",
};

type Timing = (socket: Socket, answer: string, extra: string) => void;
const timings: Readonly<Record<string, Timing>> = {
  "in the same write": (socket, answer, extra) => void socket.write(answer + extra),
  "in the next write": (socket, answer, extra) => {
    socket.write(answer);
    socket.write(extra);
  },
  "cut within the end of the answer": (socket, answer, extra) => {
    socket.write(answer.slice(0, -3));
    setTimeout(() => socket.write(answer.slice(-3) + extra), 3);
  },
  "a turn later": (socket, answer, extra) => {
    socket.write(answer, () => setImmediate(() => socket.write(extra)));
  },
  "while the connection is idle": (socket, answer, extra) => {
    socket.write(answer);
    setTimeout(() => socket.write(extra), 10);
  },
};

// Each with each of the other two somewhere.
const cases = Object.keys(timings).flatMap((when, row) =>
  Object.keys(extras).map(
    (extra, column) => [extra, when, Object.keys(bodies)[(row + column) % 3] ?? ""] as const,
  ),
);

describe("a connection", () => {
  afterEach(async () => {
    transport.close();
    await api.close();
  });

  it.each(cases)("that sends %s %s after an answer %s gives it to nobody", async (extra, when, body) => {
    api = await startRawServer((request, socket) => {
      socket.setNoDelay(true);
      if (request.target === "/first") timings[when]?.(socket, bodies[body] ?? "", extras[extra] ?? "");
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine");
    });
    transport = createTestTransport(api.url, { limits: { retries: 0 } });
    const first = await transport.send({ path: "/first" });
    expect(Buffer.from(first.body).toString()).toBe(body === "without a body" ? "" : "{}");
    expect(first.failure).toBeUndefined();
    if (when.includes("idle") || when.includes("later")) await systemSleep(20);
    const second = await transport.send({ path: "/second" });
    expect(Buffer.from(second.body).toString()).toBe("mine");
    expect(api.requests.map(({ connection }) => connection)).toEqual([
      0,
      extra === "a line break" ? expect.any(Number) : 1,
    ]);
  });

  it.each([
    ["with a length", bodies["with a length"]],
    ["chunked", bodies["chunked"]],
    ["with trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-T: 1\r\n\r\n"],
    ["without a body", bodies["without a body"]],
    ["that is not modified", "HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n"],
    ["with odd spaces in its head", "HTTP/1.1 200 OK\r\nContent-Length:2  \r\nX-A:\t1\r\n\r\n{}"],
    ["that is empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
  ])("is used again after an answer %s that is sent in any pieces", async (_name, answer = "") => {
    api = await startRawServer(async (_request, socket) => {
      socket.setNoDelay(true);
      const at = (api.requests.length * 7) % answer.length;
      socket.write(answer.slice(0, at));
      await systemSleep(2);
      socket.write(answer.slice(at));
    });
    transport = createTestTransport(api.url, { limits: { retries: 0 } });
    for (let call = 0; call < 12; call += 1) expect((await transport.send({})).failure).toBeUndefined();
    expect(api.connections.opened).toBe(1);
  });

  it("is read before it is used again, even when this process was too busy to see what came", async () => {
    api = await startRawServer();
    const bodiesSeen: string[] = [];
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        setImmediate(() => socket.write(forged));
      });
      socket.on("data", (chunk) => bodiesSeen.push(chunk.toString()));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    transport = createTestTransport(`http://127.0.0.1:${port}`, { limits: { retries: 0 }, timeoutMs: 1_500 });
    await transport.send({});
    // The server, in this process, writes at the next turn; nothing is read of it until then.
    const second = await transport.send({}).then(
      ({ body }) => Buffer.from(body).toString(),
      () => "none",
    );
    expect(second).not.toBe("forged");
    expect(bodiesSeen).toHaveLength(2);
    server.close();
  });
});
