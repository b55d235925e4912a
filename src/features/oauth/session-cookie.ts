/** The session cookie that an answer sets. */

import { type IssuedHeaders, isLiving, listSetCookies } from "../../core/secrets/issued-secrets.js";

/** A cookie as it is sent: its name and value, and when it ends. */
interface SessionCookie {
  readonly pair: string;
  readonly value: string;
  /** Absent where the answer reports no end. */
  readonly expiresAtMs?: number | undefined;
}

/**
 * Reads the last `Set-Cookie` of a name. Jenkins adds a dot and an id of its own to the name.
 *
 * @returns undefined without one, and for one that ends the session: without a value, or with an end in the past.
 */
export function readSessionCookie(
  headers: IssuedHeaders,
  name: string,
  nowMs: number,
): SessionCookie | undefined {
  const cookies = listSetCookies(headers, nowMs);
  const found = cookies.findLast((each) => each.name === name || each.name.startsWith(`${name}.`));
  if (found === undefined || !isLiving(found, nowMs)) return undefined;
  return { pair: `${found.name}=${found.value}`, value: found.value, expiresAtMs: found.endMs };
}
