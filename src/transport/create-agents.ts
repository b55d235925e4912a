/** The connection pools of one source: direct with guarded host names, or through its proxy. */

import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import type { AxiosRequestConfig } from "axios";
import type { SourceNetwork } from "../source/api-source.js";
import { createTlsContext, toTlsOptions } from "./create-tls-context.js";
import { createTunnelAgent } from "./create-tunnel-agent.js";
import { guardLookup } from "./guard-lookup.js";
import { type HttpProxy, parseProxy, proxyServerName } from "./parse-proxy.js";
import type { ReadHostNames } from "./transport.js";

/** The part of an axios request that says how it travels. */
export type Route = Pick<AxiosRequestConfig, "httpAgent" | "httpsAgent" | "proxy">;

export interface Agents {
  /**
   * Returns how a request travels. One that must not be repeated gets a connection of its own: a server may close an
   * idle connection at the moment it is used again, and then nobody knows whether the request arrived.
   */
  route(request: { readonly url: string; readonly repeatable: boolean }): Route;
  /** Closes every connection. */
  close(): void;
}

export interface AgentsOptions {
  readonly network: SourceNetwork;
  readonly lookup?: LookupFunction | undefined;
  readonly readHostNames?: ReadHostNames | undefined;
}

interface PoolParts extends AgentsOptions {
  readonly proxy: HttpProxy | undefined;
  readonly apiContext: SecureContext | undefined;
  readonly proxyContext: SecureContext | undefined;
}

interface Pool {
  readonly http: http.Agent;
  /** Also reaches an https proxy for an http API. */
  readonly https: https.Agent;
  /** Reaches an https API. */
  readonly api: https.Agent;
}

const keepAlive = { keepAlive: true, maxFreeSockets: 16 };
const oneRequest = { keepAlive: false };

/**
 * Creates the pools of a source. The environment's proxy variables are never read, and certificates are always verified.
 *
 * @throws ApiSourceError `not_configured` for an unusable proxy URL or certificate.
 */
export function createAgents(options: AgentsOptions): Agents {
  const { network } = options;
  const proxy = network.proxy === undefined ? undefined : parseProxy(network.proxy);
  const parts: PoolParts = {
    ...options,
    proxy,
    apiContext: createTlsContext(network),
    // The proxy is shown no client certificate.
    proxyContext: createTlsContext(network.ca === undefined ? {} : { ca: network.ca }),
  };
  const [shared, single] = [createPool(parts, keepAlive), createPool(parts, oneRequest)];
  return {
    route({ url, repeatable }) {
      const pool = repeatable ? shared : single;
      const isHttps = url.startsWith("https:");
      if (proxy === undefined || isHttps) return { httpAgent: pool.http, httpsAgent: pool.api, proxy: false };
      return { httpAgent: pool.http, httpsAgent: pool.https, proxy: toAxiosProxy(proxy) };
    },
    close() {
      for (const pool of [shared, single]) for (const agent of Object.values(pool)) agent.destroy();
    },
  };
}

function createPool(parts: PoolParts, pool: http.AgentOptions): Pool {
  const { network, proxy, apiContext, proxyContext, lookup, readHostNames } = parts;
  if (proxy === undefined) {
    const guard = { allowLocalAddresses: network.allowLocalAddresses, lookup, readHostNames };
    const guarded = { ...pool, lookup: guardLookup(guard) };
    const agent = new https.Agent({ ...guarded, ...toTlsOptions(apiContext) });
    return { http: new http.Agent(guarded), https: agent, api: agent };
  }
  // The proxy's own address is the record's choice and not guarded; the API's name is resolved by the proxy.
  return {
    http: new http.Agent(pool),
    https: new https.Agent({ ...pool, ...toTlsOptions(proxyContext), servername: proxyServerName(proxy) }),
    api: createTunnelAgent({ proxy, apiContext, proxyContext, pool }),
  };
}

function toAxiosProxy(proxy: HttpProxy): Exclude<Route["proxy"], false | undefined> {
  const { hostname, port, protocol, auth } = proxy;
  return { host: hostname, port, protocol, ...(auth === undefined ? {} : { auth: { ...auth } }) };
}
