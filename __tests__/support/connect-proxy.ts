/** An HTTP proxy on loopback that tunnels (CONNECT) and forwards, and records what it was asked. */

import http from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import type { TLSSocket } from "node:tls";

export interface ConnectProxy {
  readonly port: number;
  /** One line for each request: `CONNECT host:port` or `GET http://…`. */
  readonly asked: readonly string[];
  /** All headers it saw, as JSON text. */
  readonly seen: readonly string[];
  /** The client certificate of each TLS connection, by its name; `undefined` for none. */
  readonly shown: readonly (string | undefined)[];
  readonly open: number;
  close(): Promise<void>;
}

/**
 * @param options.to where every tunnel and forwarded request ends, whatever host was asked for; absent for the host itself
 * @param options.status what CONNECT is answered with; `0` for never
 * @param options.tls makes it an https proxy
 */
export async function startConnectProxy(options: {
  readonly to?: number;
  readonly status?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
}): Promise<ConnectProxy> {
  const { to, status = 200 } = options;
  const asked: string[] = [];
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const shown: (string | undefined)[] = [];
  const ask = { requestCert: true, rejectUnauthorized: false };
  const server =
    options.tls === undefined ? http.createServer() : https.createServer({ ...options.tls, ...ask });
  server.on("secureConnection", (socket: TLSSocket) => {
    const name: unknown = socket.getPeerCertificate().subject?.CN;
    shown.push(typeof name === "string" ? name : undefined);
  });
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  server.on("connection", track);
  server.on("connect", (request: http.IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    seen.push(JSON.stringify(request.headers));
    socket.on("error", () => {});
    if (status === 0) {
      // A server's sockets stay half open until they are closed here too.
      socket.resume().on("end", () => socket.end());
      return;
    }
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const target = net.connect(to ?? Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    track(target);
    socket.on("close", () => target.destroy());
  });
  server.on("request", (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    seen.push(JSON.stringify(request.headers));
    response.setHeader("Content-Type", "application/json");
    response.end('{"by":"proxy"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    asked,
    seen,
    shown,
    get open() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
