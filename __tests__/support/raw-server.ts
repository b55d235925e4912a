/** A TCP server on loopback that records the exact bytes of each request and answers with the exact bytes it is told. */

import net from "node:net";
import { endWithTests } from "./started-servers.js";

export interface RecordedRequest {
  readonly method: string;
  /** The request target byte for byte (read as latin1). */
  readonly target: string;
  /** The head as it came, request line included, without the final empty line. */
  readonly head: string;
  /** Names in lower case; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
}

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

/** Writes one complete answer; any header beyond `Content-Length` is the caller's. */
export function answerWith(
  socket: net.Socket,
  status: number,
  body: string | Buffer = "",
  headers: Readonly<Record<string, string>> = {},
): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `HTTP/1.1 ${status} X\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  );
  socket.write(body);
}

/**
 * Starts a server on a free port. `respond` is called once per request, when its body (by Content-Length or
 * chunked) is complete; by default it answers `200` and `{}`. Each test of the file begins without recorded requests, and the server
 * closes after the last.
 */
export async function startRawServer(
  respond: (request: RecordedRequest, socket: net.Socket) => void = (_request, socket) =>
    answerWith(socket, 200, "{}", { "Content-Type": "application/json" }),
) {
  /** In order of arrival; what is no request at all is in `garbage`. */
  const requests: RecordedRequest[] = [];
  const garbage: string[] = [];
  const sockets = new Set<net.Socket>();
  let opened = 0;
  const server = net.createServer((socket) => {
    const connection = opened;
    opened += 1;
    sockets.add(socket);
    // A body in a second write would wait 40 ms for the acknowledgement of the head.
    socket.setNoDelay(true);
    let pending = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (pending.length > 0) garbage.push(pending.toString("latin1"));
    });
    socket.on("data", (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const taken = takeRequest(pending, connection);
        if (taken === undefined) return;
        pending = taken.rest;
        requests.push(taken.request);
        respond(taken.request, socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return endWithTests({
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    garbage,
    /** How many connections were opened so far, and how many of them are open now. */
    connections: {
      get opened() {
        return opened;
      },
      get open() {
        return sockets.size;
      },
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
}

function takeRequest(
  bytes: Buffer,
  connection: number,
): { request: RecordedRequest; rest: Buffer<ArrayBuffer> } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = bytes.subarray(0, end).toString("latin1");
  const [requestLine = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = requestLine.split(" ");
  const headers = readHeaders(lines);
  const taken = takeBody(bytes, end + 4, headers);
  if (taken === undefined) return undefined;
  return {
    request: { method, target, head, headers, body: taken.body, connection },
    rest: Buffer.from(bytes.subarray(taken.end)),
  };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function takeBody(
  bytes: Buffer,
  start: number,
  headers: Readonly<Record<string, string>>,
): { body: Buffer; end: number } | undefined {
  if (!/chunked/i.test(headers["transfer-encoding"] ?? "")) {
    const end = start + Number(headers["content-length"] ?? 0);
    return bytes.length < end ? undefined : { body: Buffer.from(bytes.subarray(start, end)), end };
  }
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (!(size > 0)) return { body: Buffer.concat(chunks), end: next };
    chunks.push(Buffer.from(bytes.subarray(lineEnd + 2, lineEnd + 2 + size)));
    at = next;
  }
}
