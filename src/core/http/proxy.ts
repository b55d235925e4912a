/** The proxy of a source: its URL, and the tunnel through it to an https API. */

import http, { type AgentOptions, type ClientRequest, type ClientRequestArgs } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { ApiSourceError } from "../base/errors.js";
import { decodePercent } from "../base/text.js";
import { codeOf, Fault } from "./send-failure.js";
import { callSignalOption } from "./wire.js";

/** Where the proxy is and how to sign in to it, as axios takes it. */
export interface HttpProxy {
  readonly protocol: "http:" | "https:";
  /** A name or an address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly auth?: { readonly username: string; readonly password: string };
}

/**
 * Reads `network.proxy`.
 *
 * @throws ApiSourceError `not_configured` for anything but an `http://` or `https://` URL. The value is not shown: it may
 *   hold a password.
 */
export function parseProxy(value: string): HttpProxy {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const protocol = url?.protocol;
  if (url === undefined || (protocol !== "http:" && protocol !== "https:")) {
    throw new ApiSourceError({
      message: "network.proxy is not the URL of an HTTP proxy.",
      category: "not_configured",
      hint: 'Give a URL such as "http://proxy.example.com:3128"; SOCKS proxies are not supported.',
    });
  }
  const { username, password } = url;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const proxy: HttpProxy = { protocol, host, port: Number(url.port) || (protocol === "https:" ? 443 : 80) };
  if (username === "" && password === "") return proxy;
  return { ...proxy, auth: { username: decodePercent(username), password: decodePercent(password) } };
}

/**
 * Returns the name that the certificate of an https proxy is for. It has to be set: Node takes it from the `Host`
 * header, which names the API. An address has none, and is checked as an address.
 */
export function proxyServerName({ host }: HttpProxy): string {
  return isIP(host) === 0 ? host : "";
}

interface TunnelOptions {
  readonly proxy: HttpProxy;
  /** For the connection with the API, client certificate included. */
  readonly apiTls: https.AgentOptions;
  /** For the connection with an https proxy, which gets no client certificate. */
  readonly proxyTls: https.AgentOptions;
  /** The options of the pool. */
  readonly pool: AgentOptions;
}

/**
 * An agent whose connections go through the proxy: CONNECT, then TLS with the API itself, so the proxy sees no more than its
 * host. The proxy's answer is never taken for the API's.
 */
export class TunnelAgent extends https.Agent {
  readonly #tunnel: TunnelOptions;

  constructor(tunnel: TunnelOptions) {
    super({ ...tunnel.pool, ...tunnel.apiTls });
    this.#tunnel = tunnel;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const settle = callback as ((error: Error | null, stream?: Duplex) => void) | undefined;
    const connect = openTunnel(this.#tunnel, options);
    connect.once("connect", ({ statusCode: given = 0 }, socket, head) => {
      // RFC 9110 section 9.3.6: any 2xx opens the tunnel, and nothing comes through it before we speak.
      if (given >= 200 && given <= 299 && head.length === 0) {
        settle?.(null, super.createConnection({ ...options, socket } as ClientRequestArgs) ?? undefined);
        return;
      }
      socket.destroy();
      settle?.(new Fault({ kind: "proxy_refused", given }));
    });
    connect.once("error", (error) => settle?.(new Fault({ kind: "proxy_unreachable", ...codeOf(error) })));
    connect.end();
  }
}

/** Sends the CONNECT request; its socket becomes the tunnel. */
function openTunnel({ proxy, proxyTls }: TunnelOptions, target: ClientRequestArgs): ClientRequest {
  const { protocol, host, port, auth } = proxy;
  const name = target.host ?? target.hostname ?? "";
  const authority = `${name.includes(":") ? `[${name}]` : name}:${target.port ?? 443}`;
  const token = auth && Buffer.from(`${auth.username}:${auth.password}`, "utf8").toString("base64");
  const signal: unknown = Reflect.get(target, callSignalOption);
  return (protocol === "https:" ? https : http).request({
    protocol,
    hostname: host,
    port,
    method: "CONNECT",
    path: authority,
    agent: false,
    servername: proxyServerName(proxy),
    headers: {
      Host: authority,
      ...(token === undefined ? {} : { "Proxy-Authorization": `Basic ${token}` }),
    },
    ...proxyTls,
    // A connection in the making does not learn from the pool that its request is gone.
    ...(signal instanceof AbortSignal ? { signal } : {}),
  } satisfies https.RequestOptions);
}
