/** Credentials of one run: random, so that finding one anywhere, in any encoding that servers and libraries use, means that it leaked. */

import { randomBytes } from "node:crypto";

export function makeSecret(): string {
  return `7${randomBytes(15).toString("hex")}`;
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
