/** Knows where the base URL ends and the agent's part begins, and makes an absolute URL of this very API a path again. */

import { listReadings, toFolded } from "../source/path-readings.js";
import { quoteText } from "../text.js";
import { refusedByPolicy } from "./refusal.js";

/** The base URL's path without its trailing slashes: `""` for a base without a path. */
export function toBasePath(base: URL): string {
  return dropEndSlashes(base.pathname);
}

/** In linear time, which no expression that looks for the end has. */
export function dropEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** Same scheme, host and port. Not by `origin`, which a `blob:` URL borrows from the URL inside it. */
export function isSameOrigin(one: URL, other: URL): boolean {
  return one.protocol === other.protocol && one.host === other.host;
}

/**
 * The part of a path below the base, with its leading slash, or `""` for the base itself. Compared by whole
 * segments: `/v1evil` isn't below `/v1`.
 *
 * @returns `undefined` when the path isn't below the base
 */
export function findBelowBase(pathname: string, basePath: string): string | undefined {
  if (!pathname.startsWith(basePath)) return undefined;
  const rest = pathname.slice(basePath.length);
  return rest === "" || rest.startsWith("/") ? rest : undefined;
}

/** A path for the wire: what RFC 3986 has no place for is percent-encoded, once; every other byte stays. */
export function toWirePath(path: string): string {
  // Lone surrogates are refused before; `[` and `]` stay, as the URL standard leaves them.
  return path.replace(/[ "<>^`{}|\\]|[^\0-\u007f]+/g, encodeURIComponent);
}

/** A query string for the wire; `'` is encoded because the URL standard would do so. */
export function toWireQuery(query: string): string {
  return toWirePath(query).replaceAll("'", "%27");
}

const hint =
  "Send only the path below the base URL, such as /users/1; other hosts and schemes can't be reached.";

const absolute = /^(https?:\/\/[^/]*)(.*)$/is;

/** Schemes that mean something without slashes. A custom method such as `messages:send` is none. */
const knownScheme =
  /^(?:about|blob|data|dict|file|filesystem|ftps?|gopher|https?|jar|javascript|ldaps?|mailto|sftp|ssh|tel|tftp|unix|vbscript|view-source|wss?):/i;

/**
 * The path below the base URL, with its leading `/`, or `""` for the base URL itself. An absolute URL passes when its
 * origin is the base URL's and it lies under its path, as an API's own `next` links do.
 *
 * @param text the path as the agent gave it, without query
 * @throws ApiSourceError `refused_by_policy` for any other origin, scheme, or place outside the base path, and for
 *   user information
 */
export function resolvePath(text: string, base: URL): string {
  if (text === "" || text.startsWith("/")) return text;
  const [, origin, rest] = absolute.exec(text) ?? [];
  if (origin !== undefined && rest !== undefined) {
    if (!isPlainlyOrigin(origin, base)) {
      throw refusedByPolicy(`The URL ${quoteText(text)} is not plainly on the origin of this API.`, hint);
    }
    const below = findBelowBase(toWirePath(rest), toBasePath(base));
    if (below !== undefined) return below;
    throw refusedByPolicy(`The URL ${quoteText(text)} is outside the base path of this API.`, hint);
  }
  if (namesScheme(text))
    throw refusedByPolicy(`The path ${quoteText(text)} names another scheme or host.`, hint);
  return `/${text}`;
}

/** "@" means user information, and "\\" and "%" disguise a host; one outside ASCII is meant only where the base URL has one. */
function isPlainlyOrigin(origin: string, base: URL): boolean {
  if (/[@\\%]/.test(origin) || !URL.canParse(origin)) return false;
  const isNamed = /^[\0-\u007f]*$/.test(origin) || base.hostname.includes("xn--");
  return isNamed && isSameOrigin(new URL(origin), base);
}

function namesScheme(text: string): boolean {
  return (listReadings(text) ?? [text])
    .map((reading) => toFolded(reading).replaceAll("\ue02f", "/"))
    .some((reading) => /^[a-z][a-z0-9.-]*:\//i.test(reading) || knownScheme.test(reading));
}
