/** Reaches an https API through a proxy: CONNECT, then TLS with the API itself, so the proxy sees no more than its host. */

import http, { type AgentOptions, type ClientRequest, type ClientRequestArgs } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import { toTlsOptions } from "./create-tls-context.js";
import { type HttpProxy, proxyServerName } from "./parse-proxy.js";
import { codeOf, Fault } from "./send-failure.js";
import { callSignalOption } from "./watch-request.js";

export interface TunnelOptions {
  readonly proxy: HttpProxy;
  /** For the connection with the API, client certificate included. */
  readonly apiContext: SecureContext | undefined;
  /** For the connection with an https proxy, which gets no client certificate. */
  readonly proxyContext: SecureContext | undefined;
  /** The options of the pool. */
  readonly pool: AgentOptions;
}

/** Creates an agent whose connections go through the proxy. The proxy's answer is never taken for the API's. */
export function createTunnelAgent(options: TunnelOptions): https.Agent {
  return new TunnelAgent(options);
}

class TunnelAgent extends https.Agent {
  readonly #tunnel: TunnelOptions;

  constructor(tunnel: TunnelOptions) {
    super({
      ...tunnel.pool,
      ...toTlsOptions(tunnel.apiContext),
    });
    this.#tunnel = tunnel;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const settle = callback as ((error: Error | null, stream?: Duplex) => void) | undefined;
    const connect = openTunnel(this.#tunnel, options);
    connect.once("connect", (response, socket, head) => {
      // RFC 9110 section 9.3.6: any 2xx opens the tunnel, and nothing comes through it before we speak.
      if (isSuccess(response.statusCode) && head.length === 0) {
        settle?.(null, super.createConnection({ ...options, socket } as ClientRequestArgs) ?? undefined);
        return;
      }
      socket.destroy();
      const given = response.statusCode;
      settle?.(new Fault({ kind: "proxy_refused", ...(given === undefined ? {} : { given }) }));
    });
    connect.once("error", (error) => {
      settle?.(new Fault({ kind: "proxy_unreachable", ...codeOf(error) }));
    });
    connect.end();
  }
}

/** Sends the CONNECT request; its socket becomes the tunnel. */
function openTunnel({ proxy, proxyContext }: TunnelOptions, target: ClientRequestArgs): ClientRequest {
  const host = target.host ?? target.hostname ?? "";
  const authority = `${host.includes(":") ? `[${host}]` : host}:${target.port ?? 443}`;
  const client = proxy.protocol === "https:" ? https : http;
  const signal: unknown = Reflect.get(target, callSignalOption);
  const options: https.RequestOptions = {
    protocol: proxy.protocol,
    hostname: proxy.hostname,
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    agent: false,
    servername: proxyServerName(proxy),
    headers: { Host: authority, ...proxyAuthorization(proxy) },
    ...toTlsOptions(proxyContext),
    // The pool does not tell a connection in the making that its request is gone.
    ...(signal instanceof AbortSignal ? { signal } : {}),
  };
  return client.request(options);
}

function proxyAuthorization({ auth }: HttpProxy): Record<string, string> {
  if (auth === undefined) return {};
  const token = Buffer.from(`${auth.username}:${auth.password}`, "utf8").toString("base64");
  return { "Proxy-Authorization": `Basic ${token}` };
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status <= 299;
}
