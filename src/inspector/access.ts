/** Who may talk to the page: the browser that opened its address, from this origin and by this name. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Access {
  /** What the address of the page carries. */
  readonly token: string;
  /** The header that gives the browser its cookie. */
  readonly setCookie: string;
  /** Whether the request names this server and comes from no other origin. A `Host` of another name is a DNS rebinding. */
  isHere(request: IncomingMessage): boolean;
  hasToken(query: URLSearchParams): boolean;
  hasCookie(request: IncomingMessage): boolean;
  /** Whether a POST comes from the page itself: a browser names the origin of every POST. */
  isOwnPost(request: IncomingMessage): boolean;
}

/** @param host - Name and port of the server, as in `Host`. */
export function createAccess(host: string): Access {
  const [token, key] = [createSecret(), createSecret()];
  // Cookies are shared by the ports of a host: the name keeps two inspectors apart.
  const name = `api_sources_inspector_${host.split(":")[1] ?? ""}`;
  const origin = `http://${host}`;
  return {
    token,
    setCookie: `${name}=${key}; Path=/; HttpOnly; SameSite=Strict`,
    isHere({ headers, headersDistinct }) {
      const { origin: from = origin, "sec-fetch-site": site = "none" } = headers;
      const isOne = headersDistinct["host"]?.length === 1;
      return (
        isOne && headers.host === host && from === origin && ["same-origin", "none"].includes(String(site))
      );
    },
    hasToken: (query) => isSame(query.get("token") ?? "", token),
    hasCookie: ({ headers: { cookie = "" } }) =>
      cookie
        .split(/; */)
        .some((pair) => pair.startsWith(`${name}=`) && isSame(pair.slice(name.length + 1), key)),
    isOwnPost: ({ headers }) =>
      headers.origin === origin && headers["content-type"]?.split(";", 1)[0] === "application/json",
  };
}

/** 256 random bits. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in constant time, whatever the lengths. */
export function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
