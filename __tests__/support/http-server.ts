/** A real HTTP server on a free port that records what it got and answers by a function. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { endWithTests } from "./started-servers.js";

export interface ReceivedRequest {
  readonly method: string;
  /** As on the wire, with the query string. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The body as it was received. */
  readonly bytes: Buffer;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

export type Respond = (request: ReceivedRequest, response: ServerResponse) => void;

/**
 * Starts the server on 127.0.0.1, for the tests of the file: each begins without recorded requests, and the server closes after the last.
 * The default answer is `{"ok":true}`.
 */
export async function startHttpServer(respond: Respond = respondOk): Promise<HttpServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const request: ReceivedRequest = {
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: incoming.headers,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(chunks).toString("utf8"),
        bytes: Buffer.concat(chunks),
      };
      requests.push(request);
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return endWithTests({
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

/** Answers with a JSON body. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function respondOk(_request: ReceivedRequest, response: ServerResponse): void {
  sendJson(response, { ok: true });
}
