/** Sends one attempt over Node's own client, notes how far it came, and ends what axios would wait on for ever. */

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Fault, type TransportPhase } from "./send-failure.js";

/** What the transport keeps about a call while it runs. */
export interface CallProgress {
  phase: TransportPhase;
  attempts: number;
  retries: number;
  /** Each wait before a request, in milliseconds, and what it was for. */
  readonly waits: { readonly ms: number; readonly why: string }[];
}

/** How many `1xx` heads may precede an answer; a server that sends more is not going to answer. */
const maxInformational = 20;

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
 * axios gives no access to the request while it runs, and neither it nor Node ends a request that is answered by
 * `101 Switching Protocols` or by `1xx` heads without end.
 */
export function createWatchedTransport(
  progress: CallProgress,
  signal: AbortSignal,
): { request(options: RequestOptions, onResponse: (answer: WatchedAnswer) => void): ClientRequest } {
  return {
    request(options, onResponse) {
      const client = options.protocol === "https:" ? https : http;
      progress.attempts += 1;
      progress.phase = "connect";
      const request = client.request(Object.assign(options, { [callSignalOption]: signal }), (message) => {
        progress.phase = "body";
        onResponse({ statusCode: message.statusCode, headers: {}, message });
      });
      request.once("socket", (socket) => watchSocket(socket, options.hostname ?? "", progress));
      endUnanswered(request);
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

function endUnanswered(request: ClientRequest): void {
  let informational = 0;
  request.on("information", () => {
    informational += 1;
    if (informational === maxInformational + 1)
      request.destroy(new Fault({ kind: "no_answer", what: "interim_only" }));
  });
  // Without a listener Node destroys the socket and the request neither fails nor ends.
  request.once("upgrade", (_response: IncomingMessage, socket: Socket) => {
    socket.destroy();
    request.emit("error", new Fault({ kind: "no_answer", what: "switched_protocol" }));
  });
}
