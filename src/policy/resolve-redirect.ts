/** Decides whether a redirect may be followed: only to where a path of the agent could have led as well. */

import { quoteText } from "../text.js";
import { cutBasePath, isSameOrigin, toBasePath } from "./below-base.js";
import { findPathDanger } from "./find-path-danger.js";

export type RedirectRefusal = "other_origin" | "outside_base_path" | "malformed" | "https_to_http";

/** `target` of a refusal is for messages: printable, but not redacted. */
export type RedirectDecision =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly target: string; readonly reason: RedirectRefusal };

const maxUrlLength = 8000;

/**
 * The URL that a `Location` header leads to, when it has the base URL's origin and lies under its path in
 * every reading; a fragment is dropped (RFC 9110 section 10.2.2). Query parameters stay as the server wrote them.
 *
 * @param location the header's value as Node hands it out (latin1)
 * @param currentUrl the URL that answered with it
 * @param baseUrl the source's base URL
 */
export function resolveRedirect(location: string, currentUrl: string, baseUrl: string): RedirectDecision {
  const text = readLatin1AsUtf8(location);
  const next = parse(text, currentUrl);
  if (next === undefined) {
    return { ok: false, target: quoteText(text, Number.POSITIVE_INFINITY), reason: "malformed" };
  }
  next.hash = "";
  const reason = findRefusal(text, next, new URL(baseUrl));
  return reason === undefined ? { ok: true, url: next.href } : { ok: false, target: next.href, reason };
}

function findRefusal(text: string, next: URL, base: URL): RedirectRefusal | undefined {
  if (!isSameOrigin(next, base)) {
    const isDowngrade =
      base.protocol === "https:" && next.protocol === "http:" && next.hostname === base.hostname;
    return isDowngrade ? "https_to_http" : "other_origin";
  }
  if (next.username !== "" || next.password !== "" || hasForeignCharacter(text)) return "malformed";
  if (next.href.length > maxUrlLength || /%(?![0-9a-f]{2})/i.test(next.pathname)) return "malformed";
  const below = cutBasePath(next.pathname, toBasePath(base));
  if (below === undefined) return "outside_base_path";
  const danger = findPathDanger(below);
  if (danger === undefined || danger === "leading_double_slash") return undefined;
  return danger === "dot_segment" ? "outside_base_path" : "malformed";
}

/** Characters that the URL parser would drop or turn into something else without a word. */
function hasForeignCharacter(text: string): boolean {
  return text === "" || /[\p{Cc}\p{Cs}\\]/u.test(text);
}

function parse(text: string, currentUrl: string): URL | undefined {
  try {
    return new URL(text, currentUrl);
  } catch {
    return undefined;
  }
}

/** Servers write UTF-8 into headers and Node reads them as latin1; text that isn't UTF-8 stays as it is. */
function readLatin1AsUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
