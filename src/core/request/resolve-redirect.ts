/** Decides whether a redirect may be followed: only to where a GET of the agent could have led as well, or to a host that the record names for downloads. */

import { ApiSourceError } from "../base/errors.js";
import { quoteText, readLatin1AsUtf8 } from "../base/text.js";
import type { ApiSettings } from "../record/api-source.js";
import { checkPathRules } from "../record/path-rules.js";
import { checkOverride, listParameters, type MethodSettings } from "./check-parameters.js";
import { findBelowBase, isSameOrigin, toBasePath } from "./check-path.js";
import { checkFollowed, isRead } from "./is-read.js";
import { resolveUrl } from "./resolve-url.js";

export type RedirectRefusal =
  | "other_origin"
  | "outside_base_path"
  | "malformed"
  | "https_to_http"
  | "forbidden";

/** Where a redirect leads, and why it may not. */
interface RedirectDecision {
  /** The address of the redirect, for messages: printable, but not redacted. */
  readonly target: string;
  readonly reason?: RedirectRefusal | undefined;
  /** Which rule forbids it, in words; not redacted either. */
  readonly why?: string | undefined;
}

/** Where the redirects of one call may lead. */
export interface RedirectScope {
  /** The source's base URL with every placeholder filled in. */
  readonly baseUrl: string;
  /** The record's rules; absent where they don't apply, as in the connection test. */
  readonly rules?: MethodSettings & Pick<ApiSettings, "paths">;
  /** The query parameters the agent may not set, each with the value that this package sends in it, if it does. */
  readonly ownParameters?: ReadonlyMap<string, string | undefined>;
}

/**
 * The URL that a `Location` header leads to, when it has the base URL's origin, lies under its path in every reading, is a read, and
 * the record's rules let it pass; a fragment is dropped (RFC 9110 section 10.2.2). Query parameters stay as the server wrote them.
 *
 * @param location the header's value as Node hands it out (latin1)
 * @param currentUrl the URL that answered with it
 */
export function resolveRedirect(
  location: string,
  currentUrl: string,
  scope: RedirectScope,
): RedirectDecision {
  const text = readLatin1AsUtf8(location);
  if (!URL.canParse(text, currentUrl)) {
    return { target: quoteText(text, Number.POSITIVE_INFINITY), reason: "malformed" };
  }
  const next = new URL(text, currentUrl);
  next.hash = "";
  const reason = findRefusal(text, next, new URL(scope.baseUrl));
  const why = findForbidden(next, scope, reason === undefined);
  return { target: next.href, reason: why === undefined ? reason : "forbidden", why };
}

function findRefusal(text: string, next: URL, base: URL): RedirectRefusal | undefined {
  if (!isSameOrigin(next, base)) {
    const isDowngrade =
      base.protocol === "https:" && next.protocol === "http:" && next.hostname === base.hostname;
    return isDowngrade ? "https_to_http" : "other_origin";
  }
  // The URL parser would drop these, or turn them into something else, without a word.
  if (next.username !== "" || next.password !== "" || /^$|[\p{Cc}\p{Cs}\\]/u.test(text))
    return "malformed";
  return findBelowBase(next.pathname, toBasePath(base)) === undefined
    ? "outside_base_path"
    : undefined;
}

/** @param isBelowBase - Elsewhere, at a host for downloads, only what changes something is forbidden. */
function findForbidden(
  next: URL,
  { baseUrl, rules, ownParameters = new Map() }: RedirectScope,
  isBelowBase: boolean,
): string | undefined {
  const url = new URL(next);
  // A server that only adds a slash repeats the query it received: our own values in it are ours.
  for (const [name, own] of ownParameters) {
    if (own !== undefined && url.searchParams.getAll(name).every((value) => value === own)) {
      url.searchParams.delete(name);
    }
  }
  try {
    const parameters = [...listParameters(next.search.slice(1)), ...next.searchParams];
    checkFollowed("GET", isRead({ method: "GET", path: next.pathname, parameters }, []), undefined);
    if (!isBelowBase) return undefined;
    const reservedQueryNames = [...ownParameters.keys()];
    const judged = resolveUrl({
      baseUrl,
      path: url.href,
      query: [],
      constantQuery: {},
      reservedQueryNames,
    });
    if (rules === undefined) return undefined;
    checkPathRules(judged.path, rules.paths);
    checkOverride(rules, "GET", judged.parameters);
    return undefined;
  } catch (error) {
    return error instanceof ApiSourceError ? error.message : "The tool would not send its URL.";
  }
}

/** Where a download is. */
export interface DownloadTarget {
  readonly url: string;
  /** Whether the record names the host without a wildcard: its address may then be a private one. */
  readonly isNamed: boolean;
}

/**
 * @param hosts - `network.downloadHosts` of the record.
 * @param target - The absolute URL that the redirect leads to.
 * @returns undefined for a host that is not named, and for a URL with user information; `not_encrypted` for `http`, unless the base URL
 * has that scheme too.
 */
export function findDownload(
  hosts: readonly string[],
  target: string,
  baseUrl: string,
): DownloadTarget | "not_encrypted" | undefined {
  if (!URL.canParse(target)) return undefined;
  const url = new URL(target);
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return undefined;
  const fitting = hosts.filter((host) => isHost(host.toLowerCase(), url));
  if (fitting.length === 0) return undefined;
  if (url.protocol === "http:" && new URL(baseUrl).protocol !== "http:") return "not_encrypted";
  return { url: url.href, isNamed: fitting.some((host) => !host.startsWith("*.")) };
}

function isHost(pattern: string, { hostname, port, protocol }: URL): boolean {
  const [name = "", ownPort] = pattern.split(":");
  const usedPort = port || (protocol === "https:" ? "443" : "80");
  if (ownPort !== undefined && ownPort !== usedPort) return false;
  return name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name;
}
