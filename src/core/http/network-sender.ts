/** The network as axios' adapter: one request by Node's own client, and how far it came. */

import http, { type ClientRequest, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { AxiosError, type InternalAxiosRequestConfig } from "axios";
import { callSignalOption, type HttpProxy, keepAliveMs, type Route } from "./create-agents.js";
import { readParserFault } from "./parser-fault.js";
import { codeOf, Fault } from "./send-failure.js";
import { readHead, type SendAttempt, type SendProgress } from "./wire.js";

/** The way of an attempt: by which connections, and for how long. */
interface Way {
  readonly route: Route;
  readonly progress: SendProgress;
  /** Ends the request. From the head of its answer on, the reader of the body watches it. */
  readonly signal: AbortSignal;
}

/**
 * Creates what sends one attempt over the network. Not by axios' own adapter: it follows redirects and bodies, and gives no access to a request
 * that runs. Here each is followed by a room of its own.
 */
export function createNetworkSender(way: Way): SendAttempt {
  const { progress, signal } = way;
  return (config) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      progress.attempts += 1;
      progress.phase = "connect";
      progress.fault = undefined;
      const request = openRequest(config, way);
      const stop = (): void => {
        request.destroy(new AxiosError("The call ended.", AxiosError.ERR_CANCELED));
      };
      signal.addEventListener("abort", stop, { once: true });
      request.once("response", (message) => {
        signal.removeEventListener("abort", stop);
        progress.phase = "body";
        resolve(readHead(message));
      });
      // Nothing asks for another protocol: an answer that changes it is no answer (RFC 9110, section 15.2.2).
      request.once("upgrade", (message, socket) => {
        socket.destroy();
        const fault = new Fault({ kind: "no_answer", given: message.statusCode ?? 0 });
        reject(AxiosError.from(fault, undefined, config, request));
      });
      // It stays on: a request may report an error after its answer, too.
      request.on("error", (error) => {
        signal.removeEventListener("abort", stop);
        progress.fault = readParserFault(error);
        reject(AxiosError.from(nameProxy(error, way), undefined, config, request));
      });
      request.end(config.data);
    });
}

/** Before a connection is made, an error is about the host that the socket was opened to: with a proxy of plain HTTP, the proxy. */
function nameProxy(error: Error, { route, progress }: Way): Error {
  const isConnected = progress.phase === "first_byte" || progress.phase === "body";
  // The end of the call is no fault of the proxy.
  const isOurs = error instanceof AxiosError;
  if (route.proxy === undefined || isConnected || isOurs) return error;
  return new Fault({ kind: "proxy_unreachable", ...codeOf(error) });
}

function openRequest(config: InternalAxiosRequestConfig, way: Way): ClientRequest {
  const { route, progress, signal } = way;
  const { method = "GET", headers, data } = config;
  const url = new URL(config.url ?? "");
  if (data instanceof Uint8Array) headers.set("Content-Length", String(data.length), false);
  const options: RequestOptions & { readonly [callSignalOption]: AbortSignal } = {
    method: method.toUpperCase(),
    agent: route.agent,
    protocol: url.protocol,
    hostname: dropBrackets(url.hostname),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: headers.toJSON(),
    insecureHTTPParser: false,
    ...(route.proxy === undefined ? {} : addressProxy(route.proxy, url, headers)),
    [callSignalOption]: signal,
  };
  const client = options.protocol === "https:" ? https : http;
  const request = client.request(options);
  request.once("socket", (socket) => {
    socket.setKeepAlive(true, keepAliveMs);
    watchSocket(socket, options.hostname ?? "", progress);
  });
  return request;
}

/** A proxy of plain HTTP is sent the whole URL (RFC 9112, section 3.2.2). */
function addressProxy(
  { protocol, host, port, authorization }: HttpProxy,
  url: URL,
  headers: InternalAxiosRequestConfig["headers"],
): RequestOptions {
  const own = authorization === undefined ? {} : { "Proxy-Authorization": authorization };
  return {
    protocol,
    hostname: host,
    port,
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: { ...headers.toJSON(), ...own, host: url.host },
  };
}

function dropBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** Follows a connection through its phases. */
function watchSocket(socket: Socket, host: string, progress: SendProgress): void {
  // Behind an https proxy it can be another kind of stream, which has been connected already.
  if (!(socket instanceof Socket)) return;
  const connected = (): void => {
    // `authorized` turns true with the end of the handshake; an unauthorised connection is never used.
    const isHandshaking = socket instanceof TLSSocket && !socket.authorized;
    progress.phase = isHandshaking ? "tls" : "first_byte";
    if (isHandshaking) socket.once("secureConnect", connected);
  };
  progress.phase = isIP(host) === 0 ? "dns" : "connect";
  // A name that has no address may be known at once: then the socket is over already.
  if (socket.destroyed) return;
  if (!socket.connecting) {
    connected();
    return;
  }
  socket.once("lookup", (error: Error | null) => {
    if (error === null) progress.phase = "connect";
  });
  socket.once("connect", connected);
}
