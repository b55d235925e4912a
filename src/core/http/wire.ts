/** One attempt on the wire: the headers that it carries by itself, how far it came, and the headers of its answer as plain data. */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import { type ParserFault, readParserFault } from "./parser-fault.js";
import type { TransportPhase } from "./send-failure.js";

/** What the transport keeps about a call while it runs. */
export interface CallProgress {
  phase: TransportPhase;
  attempts: number;
  retries: number;
  /** Each wait before a request, in milliseconds, and what it was for. */
  readonly waits: { readonly ms: number; readonly why: string }[];
  /** What the parser refused of the last answer: Node tells the request alone, and the answer that it was cut off. */
  fault?: ParserFault | undefined;
}

/** The member of the request's options by which the tunnel agent learns of the call's signal. */
export const callSignalOption = "callSignal";

/**
 * What axios is shown of an answer. Of a stream it would follow the end, and the headers it would copy: the body is read and
 * watched by `readBody`, and the headers by `readResponseHeaders`.
 */
export interface WatchedAnswer {
  readonly statusCode: number | undefined;
  readonly headers: Readonly<Record<string, never>>;
  /** The answer itself, its body unread. */
  readonly message: IncomingMessage;
}

/**
 * Creates axios' `transport` of one call: what it calls in place of `http.request`.
 *
 * axios gives no access to the request while it runs.
 */
export function createWatchedTransport(
  progress: CallProgress,
  signal: AbortSignal,
): {
  request(options: RequestOptions, onResponse: (answer: WatchedAnswer) => void): ClientRequest;
} {
  return {
    request(options, onResponse) {
      const client = options.protocol === "https:" ? https : http;
      progress.attempts += 1;
      progress.phase = "connect";
      progress.fault = undefined;
      const request = client.request(
        Object.assign(options, { [callSignalOption]: signal }),
        (message) => {
          progress.phase = "body";
          onResponse({ statusCode: message.statusCode, headers: {}, message });
        },
      );
      request.once("error", (error) => {
        progress.fault = readParserFault(error);
      });
      request.once("socket", (socket) => watchSocket(socket, options.hostname ?? "", progress));
      return request;
    },
  };
}

/** Follows a connection through its phases. */
function watchSocket(socket: Socket, host: string, progress: CallProgress): void {
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

/** This package's version, as in package.json (a test holds them together). */
export const packageVersion = "0.1.0";

const defaultHeaders: Readonly<Record<string, string | false>> = {
  Accept: "application/json, */*;q=0.5",
  // What readBody can decode, and nothing else.
  "Accept-Encoding": "gzip, deflate, br",
  "User-Agent": `langchain-api-sources/${packageVersion}`,
  "Content-Type": false,
};

/** What a host for downloads is sent: `Accept`, and nothing of the source, of the model or of the client. `false` keeps axios from adding its own. */
export const downloadHeaders: Readonly<Record<string, string | false>> = {
  Accept: "*/*",
  "Accept-Encoding": false,
  "User-Agent": false,
  "Content-Type": false,
};

/**
 * Returns the headers with the missing defaults added; names are compared without regard to case.
 *
 * `Content-Type: false` keeps axios from adding its own (`application/x-www-form-urlencoded`) to a write without one.
 */
export function applyDefaultHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string | false> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const missing = Object.entries(defaultHeaders).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(missing), ...headers };
}

/**
 * Returns an answer's headers: names in lower case, a repeated header as an array. Of those that may occur only once
 * (`Content-Type`, `Retry-After`), Node keeps the first.
 */
export function readResponseHeaders(message: IncomingMessage): ResponseHeaders {
  const entries = Object.entries(message.headersDistinct).map(([name, values = []]) => {
    const [first = ""] = values;
    const isSingle = values.length === 1 || message.headers[name] === first;
    return [name, isSingle ? first : values] as const;
  });
  return Object.fromEntries(entries);
}
