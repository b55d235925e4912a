/** Credentials of one run: random, so that finding one anywhere means that it leaked. */

import { createHmac, randomBytes } from "node:crypto";

/** Starts with a digit: httpbin strips letters of the word "Bearer" from the left of a token. */
export function makeSecret(): string {
  return `7${randomBytes(15).toString("hex")}`;
}

/** A JWT signed with HMAC-SHA-256 (RFC 7519, RFC 7515). */
export function signJwt(claims: Readonly<Record<string, unknown>>, sharedSecret: string): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", sharedSecret).update(signed).digest("base64url")}`;
}
