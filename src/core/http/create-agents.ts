/** The connection pools of one source, direct with guarded host names or through a tunnel of its proxy, and their TLS settings. */

import { X509Certificate } from "node:crypto";
import http, { type ClientRequest, type ClientRequestArgs } from "node:http";
import https, { type AgentOptions } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import { ApiSourceError } from "../base/errors.js";
import { decodePercent } from "../base/text.js";
import type { SourceNetwork } from "../record/api-source.js";
import type { DownloadTarget } from "../request/resolve-redirect.js";
import { guardLookup } from "./guard-lookup.js";
import { codeOf, Fault } from "./send-failure.js";
import type { TransportOptions } from "./transport.js";

/** The connections that a request takes. */
export interface Route {
  readonly agent: http.Agent;
  /** Set where the request itself is sent to a proxy, and not through a tunnel of the agent. */
  readonly proxy: HttpProxy | undefined;
}

/** The pools of one source. */
export interface Agents {
  /** For requests that may be sent again where their connection breaks. */
  readonly shared: Route;
  /** For all others: a connection of its own for each. */
  readonly single: Route;
  close(): void;
}

/** The member of a request's options by which the tunnel agent learns of the call's signal. */
export const callSignalOption = "callSignal";

/** How long a connection stays open unused, in milliseconds. Node's servers close theirs after 5 s; nothing else ends an idle one. */
const idleMs = 5_000;

/**
 * How often a silent connection is tested: a gateway may forget one sooner than the call does. The pool and each request name the same time:
 * Node then sets it once for a connection, and not twice for each request.
 */
export const keepAliveMs = 60_000;

/**
 * Creates the pools of a source, for the scheme of its base URL. The environment's proxy variables are never read, and
 * certificates are always verified. A request that must not be repeated gets a connection of its own: a server may close
 * an idle connection at the moment it is used again, and then it is unknown whether the request arrived (docs/decisions/0014 has
 * what was measured).
 *
 * @throws ApiSourceError `not_configured` for an unusable certificate.
 */
export function createAgents(
  options: Pick<TransportOptions, "network" | "baseUrl" | "lookup"> & {
    /** Whether a host name may only resolve to a public address. @default false */
    readonly isPublicOnly?: boolean;
  },
): Agents {
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
  const shared = create({ keepAlive: true, keepAliveMsecs: keepAliveMs, timeout: idleMs });
  const single = create({ keepAlive: false });
  const route = (agent: http.Agent): Route => ({ agent, proxy: isHttps ? undefined : proxy });
  return {
    shared: route(shared),
    single: route(single),
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
  return createAgents({ ...options, network: shared, baseUrl: url, isPublicOnly: !isNamed }).single;
}

/**
 * Creates the TLS options of a source once, for all of its connections: reading some 140 root certificates takes longer
 * than a handshake. Without material Node's own context is right. Verification is set explicitly:
 * `NODE_TLS_REJECT_UNAUTHORIZED` is not for an API.
 *
 * @throws ApiSourceError `not_configured` for what is not PEM text or does not fit together. It never shows the text.
 */
function createTlsOptions({
  ca,
  cert,
  key,
}: Pick<SourceNetwork, "ca" | "cert" | "key">): AgentOptions {
  if (ca === undefined && cert === undefined) return { rejectUnauthorized: true };
  try {
    const trusted =
      ca === undefined ? {} : { ca: [...trustedByDefault(), ...readCertificates(ca)] };
    const secureContext = tls.createSecureContext({ ...trusted, cert, key });
    return { rejectUnauthorized: true, secureContext };
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    // OpenSSL's codes say what is wrong (`ERR_OSSL_X509_KEY_VALUES_MISMATCH`) and never hold a part of the text.
    const { code } = codeOf(error);
    const why = code === undefined ? "" : ` (${code})`;
    throw refusePem(
      `The certificates in network.ca, network.cert and network.key can't be used${why}.`,
    );
  }
}

/** Giving `ca` replaces what Node trusts, so that comes first; newer versions also show what the process added. */
function trustedByDefault(): readonly string[] {
  const list: ((type: "default") => readonly string[]) | undefined = Reflect.get(
    tls,
    "getCACertificates",
  );
  return list?.("default") ?? tls.rootCertificates;
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

/** Where a proxy is, and how to sign in to it. */
export interface HttpProxy {
  readonly protocol: "http:" | "https:";
  /** An IPv6 address is without brackets. */
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
}

/** Reads `network.proxy`, an http or https URL. */
function parseProxy(value: string): HttpProxy {
  const { protocol, hostname, port, username, password } = new URL(value);
  const isHttps = protocol === "https:";
  const isAnonymous = username === "" && password === "";
  const pair = `${decodePercent(username)}:${decodePercent(password)}`;
  return {
    protocol: isHttps ? "https:" : "http:",
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isHttps ? 443 : 80),
    authorization: isAnonymous ? undefined : `Basic ${Buffer.from(pair).toString("base64")}`,
  };
}

/**
 * Returns the name that the certificate of an https proxy is for. It has to be set: Node takes it from the `Host`
 * header, which names the API. An address has none, and is checked as an address.
 */
function proxyServerName({ host }: HttpProxy): string {
  return isIP(host) === 0 ? host : "";
}

interface TunnelOptions {
  readonly proxy: HttpProxy;
  /** For the connection with the API, client certificate included. */
  readonly apiTls: AgentOptions;
  /** For the connection with an https proxy, which gets no client certificate. */
  readonly proxyTls: AgentOptions;
  /** The options of the pool. */
  readonly pool: http.AgentOptions;
}

/**
 * An agent whose connections go through the proxy: CONNECT, then TLS with the API itself, so the proxy sees no more than its
 * host. The proxy's answer is never taken for the API's.
 */
class TunnelAgent extends https.Agent {
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
        settle?.(
          null,
          super.createConnection({ ...options, socket } as ClientRequestArgs) ?? undefined,
        );
        return;
      }
      socket.destroy();
      settle?.(new Fault({ kind: "proxy_refused", given }));
    });
    connect.once("error", (error) =>
      settle?.(new Fault({ kind: "proxy_unreachable", ...codeOf(error) })),
    );
    connect.end();
  }
}

/** Sends the CONNECT request; its socket becomes the tunnel. */
function openTunnel({ proxy, proxyTls }: TunnelOptions, target: ClientRequestArgs): ClientRequest {
  const { protocol, host, port, authorization } = proxy;
  const name = target.host ?? target.hostname ?? "";
  const authority = `${name.includes(":") ? `[${name}]` : name}:${target.port ?? 443}`;
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
      ...(authorization === undefined ? {} : { "Proxy-Authorization": authorization }),
    },
    ...proxyTls,
    // A connection in the making does not learn from the pool that its request is gone.
    ...(signal instanceof AbortSignal ? { signal } : {}),
  } satisfies https.RequestOptions);
}
