/** Credentials of one run: random, so that finding one anywhere, in any encoding that servers and libraries use, means that it leaked. */

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

/** The first secret that occurs in the text; undefined when none does. */
export function findSecret(text: string, secrets: readonly string[]): string | undefined {
  const folded = text.toLowerCase();
  return secrets.find((secret) => encodings(secret).some((form) => folded.includes(form.toLowerCase())));
}

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}
