/** What a JSON Web Token says of its own validity (RFC 7519, sections 4.1.4 and 4.1.5); no signature is checked. */

import { writeDuration } from "../text.js";

/** Why the token is not valid now, such as "is a JWT that expired at 2024-05-01T12:00:00Z"; undefined when it is, or is no JWT. */
export function readTokenExpiry(token: string, nowMs: number): string | undefined {
  const [head = "", body = "", ...rest] = token.trim().split(".");
  const claims =
    rest.length === 1 && token.length < 20_000 && parseObject(head) !== undefined
      ? parseObject(body)
      : undefined;
  const expiresMs = toMs(claims?.["exp"]);
  if (expiresMs !== undefined && expiresMs <= nowMs) {
    return `is a JWT that expired at ${writeInstant(expiresMs)}, ${writeDuration((nowMs - expiresMs) / 1_000)} ago`;
  }
  const startsMs = toMs(claims?.["nbf"]);
  return startsMs !== undefined && startsMs > nowMs
    ? `is a JWT that is not valid before ${writeInstant(startsMs)}`
    : undefined;
}

function parseObject(base64url: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(base64url)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds since the epoch, as the standard has it; undefined for what JavaScript has no date for. */
function toMs(claim: unknown): number | undefined {
  const ms = typeof claim === "number" && claim > 0 ? claim * 1_000 : Number.NaN;
  return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

function writeInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}
