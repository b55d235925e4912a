/** The connection pools of one source: direct with guarded host names, or through its proxy. */

import http from "node:http";
import https from "node:https";
import type { AxiosRequestConfig } from "axios";
import { createTlsOptions } from "./create-tls-options.js";
import { guardLookup } from "./guard-lookup.js";
import { parseProxy, proxyServerName, TunnelAgent } from "./proxy.js";
import type { TransportOptions } from "./transport.js";

/** The part of an axios request that says how it travels. */
export type Route = Pick<AxiosRequestConfig, "httpAgent" | "httpsAgent" | "proxy">;

export interface Agents {
  /**
   * Returns how a request travels. One that must not be repeated gets a connection of its own: a server may close an
   * idle connection at the moment it is used again, and then nobody knows whether the request arrived.
   */
  route(repeatable: boolean): Route;
  /** Closes every connection. */
  close(): void;
}

export type AgentsOptions = Pick<TransportOptions, "network" | "baseUrl" | "lookup" | "readHostNames">;

/**
 * Creates the pools of a source, for the scheme of its base URL. The environment's proxy variables are never read, and
 * certificates are always verified.
 *
 * @throws ApiSourceError `not_configured` for an unusable proxy URL or certificate.
 */
export function createAgents(options: AgentsOptions): Agents {
  const { network } = options;
  const isHttps = new URL(options.baseUrl).protocol === "https:";
  const proxy = network.proxy === undefined ? undefined : parseProxy(network.proxy);
  const apiTls = createTlsOptions(network);
  // The proxy is shown no client certificate.
  const proxyTls = createTlsOptions({ ca: network.ca });
  const create = (pool: http.AgentOptions): http.Agent => {
    if (proxy === undefined) {
      const guarded = {
        ...pool,
        lookup: guardLookup({ ...options, allowLocalAddresses: network.allowLocalAddresses }),
      };
      return isHttps ? new https.Agent({ ...guarded, ...apiTls }) : new http.Agent(guarded);
    }
    // The proxy's own address is the record's choice and not guarded; the API's name is resolved by the proxy.
    if (isHttps) return new TunnelAgent({ proxy, apiTls, proxyTls, pool });
    if (proxy.protocol === "http:") return new http.Agent(pool);
    return new https.Agent({ ...pool, ...proxyTls, servername: proxyServerName(proxy) });
  };
  const shared = create({ keepAlive: true, maxFreeSockets: 16 });
  const single = create({ keepAlive: false });
  return {
    route(repeatable) {
      const agent = repeatable ? shared : single;
      // axios takes the one for the first hop; Node refuses an agent of the other scheme.
      return {
        httpAgent: agent,
        httpsAgent: agent,
        proxy: isHttps || proxy === undefined ? false : { ...proxy },
      };
    },
    close() {
      for (const agent of [shared, single]) agent.destroy();
    },
  };
}
