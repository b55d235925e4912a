import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { answerWith, type RawServer, startRawServer } from "../../support/raw-server.js";
import { createTestTransport, type TestTransport } from "../../support/test-transport.js";

const maxBytes = 10_000_000;
/** Long enough to connect and to send on a loaded machine: the time has to end in the phase that is tested. */
const timeoutMs = 1_000;

let api: RawServer;
let transport: TestTransport;

async function start(respond: (socket: Socket) => void): Promise<void> {
  api = await startRawServer((_request, socket) => respond(socket));
  transport = createTestTransport(api.url, { limits: { maxBytes, retries: 0 } });
}

/** Waits for the server to see every connection closed: a leaked one makes the test time out. */
async function untilNoConnection(): Promise<void> {
  while (api.connections.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

function raw(text: string, end: "keep" | "end" | "reset" = "keep"): (socket: Socket) => void {
  return (socket) => {
    socket.write(Buffer.from(text, "latin1"), () => {
      if (end === "end") socket.end();
      if (end === "reset") socket.resetAndDestroy();
    });
  };
}

/** Writes the same bytes again and again until the connection is closed. */
function endless(head: string, chunk: Buffer): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const pump = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on("drain", pump);
    pump();
  };
}

function drip(head: string, piece: string, everyMs = 20): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** Answers 200 with bytes in this coding. */
const coded =
  (coding: string, bytes: Buffer | string) =>
  (socket: Socket): void =>
    answerWith(socket, 200, bytes, { "Content-Encoding": coding });

const ok = "HTTP/1.1 200 OK\r\n";
const chunkedGzip = `${ok}Content-Encoding: gzip\r\n\r\n`;
const tenMegabytesOfZeros = gzipSync(Buffer.alloc(10 << 20));

describe("a fault before the status", () => {
  it.each<[string, (socket: Socket) => void, Record<string, unknown>]>([
    [
      "silence",
      () => {},
      { kind: "timeout", limitMs: timeoutMs, phase: "first_byte", attempts: 1 },
    ],
    ["dripping headers", drip(ok, "X-A: 1\r\n"), { kind: "timeout", phase: "first_byte" }],
    [
      "a flood of 1xx",
      endless("", Buffer.from("HTTP/1.1 103 X\r\n\r\n".repeat(30))),
      { kind: "timeout", phase: "first_byte" },
    ],
    [
      "101 with Upgrade",
      raw("HTTP/1.1 101 X\r\nUpgrade: ws\r\nConnection: upgrade\r\n\r\nabc"),
      { kind: "no_answer", given: 101, phase: "first_byte" },
    ],
    ["101 without Upgrade", raw("HTTP/1.1 101 X\r\n\r\n"), { kind: "no_answer", given: 101 }],
    [
      "an immediate reset",
      (socket) => socket.resetAndDestroy(),
      { kind: "connection", code: "ECONNRESET" },
    ],
    [
      "Content-Length and Transfer-Encoding",
      raw(`${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      { kind: "connection", code: expect.stringMatching(/^HPE_/) },
    ],
    // RFC 9110, section 5.1 (names) and 5.5 (values); RFC 9112, section 5.2 (a value of two lines).
    [
      "a space in the name of a header",
      raw(`${ok}X Api Version: 1\r\n\r\n`),
      { code: "HPE_INVALID_HEADER_TOKEN", header: "X Api Version" },
    ],
    [
      "a control character in a header",
      raw(`${ok}A: 1\r\nX-Name: a\x01b\r\n\r\n`),
      { code: "HPE_INVALID_HEADER_TOKEN", header: "X-Name" },
    ],
    [
      "a header of two lines",
      raw(`${ok}X-Long: a\r\n b\r\n\r\n`),
      { code: "HPE_INVALID_HEADER_TOKEN", header: "X-Long" },
    ],
    [
      "a header without a colon",
      raw(`${ok}Garbage\r\n\r\n`),
      { code: "HPE_INVALID_HEADER_TOKEN", header: "Garbage" },
    ],
    [
      "headers of 70,000 characters",
      raw(`${ok}X-Big: ${"a".repeat(70_000)}\r\n\r\n`),
      { code: "HPE_HEADER_OVERFLOW", header: "X-Big" },
    ],
    [
      "a header that came in two packets",
      (socket) => {
        socket.write(`${ok}X-`);
        setTimeout(() => socket.write("A B: 1\r\n\r\n"), 30);
      },
      { code: "HPE_INVALID_HEADER_TOKEN", header: undefined },
    ],
    [
      "status 000",
      raw("HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n"),
      { kind: "no_answer", given: 0 },
    ],
  ])(
    "%s is an error with its phase, and the connection is closed",
    async (_name, respond, expected) => {
      await start(respond);
      const call = expected["kind"] === "timeout" ? { timeoutMs } : {};
      expect(await transport.fail({ path: "/x" }, call)).toMatchObject({
        attempts: 1,
        ...expected,
      });
      await untilNoConnection();
    },
  );
});

describe("a fault after the status", () => {
  const prefix = Buffer.from('{"a":1}');
  const zip = gzipSync(Buffer.from("x".repeat(100_000)));
  /** With the flag of a file name (RFC 1952), which gives no byte however long it is. */
  const endlessName = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
    Buffer.alloc(maxBytes + 1, 97),
  ]);

  it.each<[string, (socket: Socket) => void, string, { body?: Buffer; bytes?: number }]>([
    [
      "an endless body",
      endless(`${ok}\r\n`, Buffer.alloc(65_536, 97)),
      "too_large",
      { bytes: maxBytes },
    ],
    [
      "an endless gzip bomb",
      endless(chunkedGzip, tenMegabytesOfZeros),
      "too_large",
      { bytes: maxBytes },
    ],
    ["a dripping body", drip(`${ok}\r\n`, "a"), "timeout", {}],
    [
      "a body that stops",
      raw(`${ok}Content-Length: 100\r\n\r\n{"a":1}`),
      "timeout",
      { body: prefix },
    ],
    [
      "a short body",
      raw(`${ok}Content-Length: 100\r\n\r\n{"a":1}`, "end"),
      "connection",
      { body: prefix },
    ],
    // RFC 9112, section 7.1.
    [
      "a chunk without a size",
      raw(`${ok}Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\nzz\r\n`),
      "connection HPE_INVALID_CHUNK_SIZE",
      { body: prefix },
    ],
    ["truncated gzip", coded("gzip", zip.subarray(0, zip.length - 12)), "encoding", {}],
    ["gzip with a broken header", coded("gzip", "\x1fno gzip"), "encoding", { bytes: 0 }],
    [
      "gzip twice, of which the inner one is truncated",
      coded("gzip, gzip", gzipSync(zip.subarray(0, zip.length - 12))),
      "encoding",
      {},
    ],
    [
      "gzip whose content is the header of a gzip that never ends",
      coded("gzip, gzip", gzipSync(endlessName)),
      "too_large",
      {},
    ],
  ])("%s keeps the status and what arrived", async (_name, respond, kind, { body, bytes }) => {
    await start(respond);
    const [name, code] = kind.split(" ");
    const exchange = await transport.send({ path: "/x" }, kind === "timeout" ? { timeoutMs } : {});
    expect(exchange).toMatchObject({
      status: 200,
      attempts: 1,
      failure: { kind: name, status: 200, phase: "body", attempts: 1, ...(code && { code }) },
    });
    if (body !== undefined) expect(Buffer.from(exchange.body)).toEqual(body);
    if (bytes !== undefined) expect(exchange.body).toHaveLength(bytes);
    // What was read to its end may stay open for the next request; what was left must not.
    if (!kind.endsWith("encoding")) await untilNoConnection();
  });

  it("does not wait for what comes after the end of compressed data", async () => {
    await start((socket) => {
      socket.write(`${ok}Content-Encoding: br\r\n\r\n`);
      socket.write(Buffer.concat([brotliCompressSync(prefix), Buffer.alloc(100)]));
    });
    const exchange = await transport.send({ path: "/x" });
    expect(Buffer.from(exchange.body).toString()).toBe('{"a":1}');
    expect(exchange.failure).toBeUndefined();
    await untilNoConnection();
  });
});

describe("the codings of a body", () => {
  const json = Buffer.from('{"a":1}');

  it.each<[string, string, Buffer]>([
    ["gzip, gzip", "gzip twice", gzipSync(gzipSync(json))],
    ["br, gzip", "gzip over br", gzipSync(brotliCompressSync(json))],
    ["gzip, br, gzip", "three", gzipSync(brotliCompressSync(gzipSync(json)))],
    ["identity, gzip", "identity", gzipSync(json)],
    ["none", "none", json],
    ["gzip", "gzip that was not applied", json],
    ["gzip, gzip", "gzip that was applied once", gzipSync(json)],
    ["aws-chunked", "what S3 keeps of an upload", json],
    ["aws-chunked,gzip", "what S3 keeps of an upload that is compressed", gzipSync(json)],
    ["UTF-8", "a charset", json],
    ["gzip, utf-8", "a charset behind a coding", gzipSync(json)],
    ["zstd", "an unknown one", json],
    ["zstd, gzip", "an unknown one under a known one", gzipSync(json)],
  ])("are undone in turn, or change nothing: %s (%s)", async (encoding, _name, bytes) => {
    await start(coded(encoding, bytes));
    const exchange = await transport.send({ path: "/x" });
    expect([Buffer.from(exchange.body).toString(), exchange.failure]).toEqual([
      '{"a":1}',
      undefined,
    ]);
  });

  it.each(["gzip, zstd", "gzip, gzip, gzip, gzip, gzip"])(
    "stay where the outermost is unknown or there are more than four: %s",
    async (encoding) => {
      await start(coded(encoding, "(\xb5/\xfd"));
      const exchange = await transport.send({ path: "/x" });
      expect([Buffer.from(exchange.body).toString("latin1").length > 0, exchange.failure]).toEqual([
        true,
        undefined,
      ]);
    },
  );
});

describe("a compressed body", () => {
  const json = Buffer.from(
    JSON.stringify({ rows: Array.from({ length: 2_000 }, (_, id) => ({ id })) }),
  );

  it.each<[string, Buffer]>([
    ["gzip", gzipSync(json)],
    ["gzip, identity", gzipSync(json)],
    ["gzip", Buffer.concat([gzipSync(json.subarray(0, 100)), gzipSync(json.subarray(100))])],
    ["deflate", deflateSync(json)],
    ["deflate", deflateRawSync(json)],
    ["br", brotliCompressSync(json)],
    ["deflate\r\nContent-Encoding: gzip", gzipSync(deflateSync(json))],
    ["", json],
  ])("%j is undone", async (coding, bytes) => {
    await start(coded(coding, bytes));
    const exchange = await transport.send({ path: "/x" });
    expect(exchange.failure).toBeUndefined();
    expect(Buffer.from(exchange.body).equals(json)).toBe(true);
  });

  it.each([200, 204, 304, 404])("%d with an encoding and no body is whole", async (status) => {
    await start((socket) =>
      socket.write(
        `HTTP/1.1 ${status} X\r\nContent-Encoding: gzip\r\n${status === 200 || status === 404 ? "Content-Length: 0\r\n" : ""}\r\n`,
      ),
    );
    const exchange = await transport.send({ path: "/x" });
    expect(exchange).toMatchObject({ status });
    expect(exchange.failure).toBeUndefined();
    expect(exchange.body).toHaveLength(0);
  });
});

describe("sockets", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["error statuses", (socket) => answerWith(socket, 503, "busy")],
    [
      "refused redirects",
      (socket) => answerWith(socket, 302, "elsewhere", { Location: "http://evil.example/" }),
    ],
  ])("20 %s leave no connection open", async (_name, respond) => {
    api = await startRawServer((_request, socket) => respond(socket));
    transport = createTestTransport(api.url, { limits: { maxBytes: 100, retries: 1 } });
    for (let call = 0; call < 20; call += 1) await transport.send({ path: "/x" }).catch(() => {});
    expect(api.connections.open).toBeLessThanOrEqual(1);
    transport.close();
    await untilNoConnection();
  });
});
