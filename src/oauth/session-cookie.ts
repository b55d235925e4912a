/** The session cookie that an answer sets. */

/** A cookie as it is sent: its name and value, and when it ends. */
export interface SessionCookie {
  readonly pair: string;
  readonly value: string;
  /** Absent where the answer reports no end. */
  readonly expiresAtMs?: number | undefined;
}

export type CookieHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the last `Set-Cookie` of a name (RFC 6265, section 5.2). Jenkins adds a dot and an id of its own to the name.
 *
 * @returns undefined without one, and for one that ends the session: without a value, or with an end in the past.
 */
export function readSessionCookie(
  headers: CookieHeaders,
  name: string,
  nowMs: number,
): SessionCookie | undefined {
  const line = listSetCookies(headers).findLast(([own]) => own === name || own?.startsWith(`${name}.`));
  if (line === undefined) return undefined;
  const [own = "", value = "", attributes = ""] = line;
  const [, seconds] = /;\s*max-age\s*=\s*"?(-?\d{1,12})/i.exec(attributes) ?? [];
  const [, date = ""] = /;\s*expires\s*=\s*([^;]*)/i.exec(attributes) ?? [];
  // Max-Age has precedence (section 5.3).
  const endMs = seconds === undefined ? Date.parse(date) : nowMs + Number(seconds) * 1_000;
  if (value === "" || endMs <= nowMs) return undefined;
  return { pair: `${own}=${value}`, value, expiresAtMs: Number.isNaN(endMs) ? undefined : endMs };
}

/** The names of the cookies that an answer sets. */
export function listCookieNames(headers: CookieHeaders): string[] {
  return listSetCookies(headers).map(([name = ""]) => name);
}

function listSetCookies(headers: CookieHeaders): string[][] {
  return [headers["set-cookie"] ?? []].flat().flatMap((line) => {
    const [, name = "", value = "", attributes = ""] =
      /^\s*([^=;]*?)\s*=\s*([^;]*?)\s*(;.*)?$/s.exec(line) ?? [];
    return name === "" ? [] : [[name, value, attributes]];
  });
}
