/** The connection pools of one source, direct with guarded host names or through its proxy, and their TLS settings. */

import { X509Certificate } from "node:crypto";
import http from "node:http";
import type { AgentOptions } from "node:https";
import https from "node:https";
import tls from "node:tls";
import type { AxiosRequestConfig } from "axios";
import { ApiSourceError } from "../base/errors.js";
import type { SourceNetwork } from "../record/api-source.js";
import type { DownloadTarget } from "../request/resolve-redirect.js";
import { guardLookup } from "./guard-lookup.js";
import { parseProxy, proxyServerName, TunnelAgent } from "./proxy.js";
import { codeOf } from "./send-failure.js";
import type { TransportOptions } from "./transport.js";

/** The part of an axios request that decides how it is sent. */
export type Route = Pick<AxiosRequestConfig, "httpAgent" | "httpsAgent" | "proxy">;

/**
 * Creates the pools of a source, for the scheme of its base URL. The environment's proxy variables are never read, and
 * certificates are always verified. A request that must not be repeated gets a connection of its own: a server may close
 * an idle connection at the moment it is used again, and then it is unknown whether the request arrived.
 *
 * @throws ApiSourceError `not_configured` for an unusable proxy URL or certificate.
 */
export function createAgents(
  options: Pick<TransportOptions, "network" | "baseUrl" | "lookup"> & {
    /** Whether a host name may only resolve to a public address. @default false */
    readonly isPublicOnly?: boolean;
  },
): { route(repeatable: boolean): Route; close(): void } {
  const { network } = options;
  const isHttps = new URL(options.baseUrl).protocol === "https:";
  const proxy = network.proxy === undefined ? undefined : parseProxy(network.proxy);
  const apiTls = createTlsOptions(network);
  // The proxy is shown no client certificate.
  const proxyTls = createTlsOptions(network.ca === undefined ? {} : { ca: network.ca });
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
  const shared = create({ keepAlive: true });
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

/**
 * Creates the way to a host for downloads: a connection of its own, without the source's client certificate. A host that the record names
 * by a wildcard must have a public address.
 */
export function createDownloadRoute(
  { network, ...options }: Pick<TransportOptions, "network" | "lookup">,
  { url, isNamed }: DownloadTarget,
): Route {
  const { cert: _cert, key: _key, ...shared } = network;
  return createAgents({ ...options, network: shared, baseUrl: url, isPublicOnly: !isNamed }).route(false);
}

/**
 * Creates the TLS options of a source once, for all of its connections: reading some 140 root certificates takes longer
 * than a handshake. Without material Node's own context is right. Verification is set explicitly:
 * `NODE_TLS_REJECT_UNAUTHORIZED` is not for an API.
 *
 * @throws ApiSourceError `not_configured` for what is not PEM text or does not fit together. It never shows the text.
 */
function createTlsOptions({ ca, cert, key }: Pick<SourceNetwork, "ca" | "cert" | "key">): AgentOptions {
  const given = Object.entries({ ca, cert, key }).filter(([, text]) => text !== undefined);
  if (given.length === 0) return { rejectUnauthorized: true };
  for (const [field, text] of given) {
    if (!text?.includes("-----BEGIN ")) throw refusePem(`network.${field} is not PEM text.`);
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw refusePem("A client certificate needs both network.cert and network.key; only one is given.");
  }
  try {
    const trusted = ca === undefined ? {} : { ca: [...trustedByDefault(), ...readCertificates(ca)] };
    const shown = cert === undefined || key === undefined ? {} : { cert, key };
    return { rejectUnauthorized: true, secureContext: tls.createSecureContext({ ...trusted, ...shown }) };
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    // OpenSSL's codes say what is wrong (`ERR_OSSL_X509_KEY_VALUES_MISMATCH`) and never hold a part of the text.
    const { code } = codeOf(error);
    const why = code === undefined ? "" : ` (${code})`;
    throw refusePem(`The certificates in network.ca, network.cert and network.key can't be used${why}.`);
  }
}

/** Giving `ca` replaces what Node trusts, so that comes first; newer versions also show what the process added. */
function trustedByDefault(): readonly string[] {
  const list: unknown = Reflect.get(tls, "getCACertificates");
  const certificates: unknown = typeof list === "function" ? list("default") : undefined;
  const isList = Array.isArray(certificates) && certificates.every((item) => typeof item === "string");
  return isList ? certificates : tls.rootCertificates;
}

/** OpenSSL drops an authority that it can't read without a word; then nothing would be trusted, and nothing would say why. */
function readCertificates(bundle: string): string[] {
  const blocks = bundle.split("-----END CERTIFICATE-----").slice(0, -1);
  if (blocks.length === 0) throw refusePem("network.ca holds no certificate.");
  return blocks.map((block) => new X509Certificate(`${block}-----END CERTIFICATE-----`).toString());
}

function refusePem(message: string): ApiSourceError {
  return new ApiSourceError({
    message,
    category: "not_configured",
    hint: "Give PEM text that starts with -----BEGIN, or the path of a PEM file, without a passphrase.",
  });
}
