/** Which URL an endpoint of an authorization server may have: secrets go there, so it is https, or this machine. */

import { findBaseUrlFlaw, readBaseUrlParts } from "./base-url.js";
import type { Flaw } from "./flaw.js";

/** The address and the query of an endpoint; the query begins with `?`, or is `""`. */
export function readEndpointParts(text: string): { readonly address: string; readonly query: string } {
  const at = text.indexOf("?");
  return at < 0 ? { address: text, query: "" } : { address: text.slice(0, at), query: text.slice(at) };
}

/** As a base URL, but for the query that RFC 6749 section 3.2 allows; http only to this machine (RFC 8252, section 7.3). */
export function findEndpointUrlFlaw(text: string): Flaw | undefined {
  const { address, query } = readEndpointParts(text);
  const flaw = findBaseUrlFlaw(address);
  if (flaw !== undefined) return flaw;
  if (/[#\s\\{}\p{Cc}]/u.test(query)) {
    return {
      message: "has a query that holds a space, a fragment, a brace or a backslash",
      fix: "Escape it, or move the parameter to `tokenParameters`.",
    };
  }
  const { scheme = "", host = "" } = readBaseUrlParts(address) ?? {};
  if (scheme.toLowerCase() === "https" || isLoopbackHost(host)) return undefined;
  return { message: "is not https", fix: "Write https://; http is only for this machine (127.0.0.1)." };
}

/** Whether a host is this machine by its very name. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}
