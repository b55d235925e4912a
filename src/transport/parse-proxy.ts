/** What a proxy URL says: where the proxy is and how to sign in to it. */

import { isIP } from "node:net";
import { ApiSourceError } from "../errors.js";

export interface HttpProxy {
  readonly protocol: "http:" | "https:";
  /** A name or an address, an IPv6 address without brackets. */
  readonly hostname: string;
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
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ApiSourceError({
      message: "network.proxy is not the URL of an HTTP proxy.",
      category: "not_configured",
      hint: 'Give a URL such as "http://proxy.example.com:3128"; SOCKS proxies are not supported.',
    });
  }
  const defaultPort = url.protocol === "https:" ? 443 : 80;
  const proxy: HttpProxy = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? defaultPort : Number(url.port),
  };
  if (url.username === "" && url.password === "") return proxy;
  return { ...proxy, auth: { username: decode(url.username), password: decode(url.password) } };
}

/**
 * Returns the name that the certificate of an https proxy is for. It has to be said: Node takes it from the `Host`
 * header, which names the API. An address has none, and is checked as an address.
 */
export function proxyServerName(proxy: HttpProxy): string {
  return isIP(proxy.hostname) === 0 ? proxy.hostname : "";
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
