/** Knows which texts name a place of their own, and makes an absolute URL of this very API a path again. */

import { quoteText } from "../text.js";
import { cutBasePath, isSameOrigin, toBasePath } from "./below-base.js";
import { decodeStages } from "./decode-stages.js";
import { encodePathOnce } from "./encode-once.js";
import { foldPath } from "./find-path-danger.js";
import { invalidInput, refusedByPolicy } from "./refuse-input.js";

const hint =
  "Send only the path below the base URL, such as /users/1; other hosts and schemes can't be reached.";

const absolute = /^https?:\/\/([^/]*)(.*)$/is;

/** Schemes that mean something without slashes. A custom method such as `messages:send` is none. */
const knownScheme =
  /^(?:about|blob|data|dict|file|filesystem|ftps?|gopher|https?|jar|javascript|ldaps?|mailto|sftp|ssh|tel|tftp|unix|vbscript|view-source|wss?):/i;

/**
 * The path below the base URL, with its leading `/`, or `""` for the base URL itself. An absolute URL passes when its
 * origin is the base URL's and it lies under its path, as an API's own `next` links do.
 *
 * @param text the path as the agent gave it, without query
 * @throws ApiSourceError `refused_by_policy` for any other origin, scheme, or place outside the base path, and for
 *   user information; `invalid_input` for an unreadable URL
 */
export function relativizePath(text: string, base: URL): string {
  if (text === "" || text.startsWith("/")) return text;
  const [, authority, rest] = absolute.exec(text) ?? [];
  if (authority !== undefined && rest !== undefined) {
    checkAuthority(text, authority, base);
    return cutBase(text, rest, toBasePath(base));
  }
  if (namesScheme(text))
    throw refusedByPolicy(`The path ${quoteText(text)} names another scheme or host.`, hint);
  return `/${text}`;
}

function checkAuthority(text: string, authority: string, base: URL): void {
  const refused = (why: string): Error => refusedByPolicy(`The URL ${quoteText(text)} ${why}.`, hint);
  if (authority.includes("@")) throw refused("holds user information");
  if (/[\\%]/.test(authority)) throw refused("has a disguised host");
  // A host outside ASCII can be meant only where the base URL has one.
  if (/[^\0-\u007f]/.test(authority) && !base.hostname.includes("xn--")) throw refused("is on another host");
  const scheme = text.slice(0, text.indexOf(":"));
  const parsed = parse(`${scheme}://${authority}/`);
  if (parsed === undefined) throw invalidInput(`The URL ${quoteText(text)} can't be read.`, hint);
  if (!isSameOrigin(parsed, base)) throw refused("is on another origin than this API");
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

function cutBase(text: string, pathname: string, basePath: string): string {
  const below = cutBasePath(encodePathOnce(pathname), basePath);
  if (below !== undefined) return below;
  throw refusedByPolicy(`The URL ${quoteText(text)} is outside the base path of this API.`, hint);
}

function namesScheme(text: string): boolean {
  const readings = decodeStages(text) ?? [text];
  return readings
    .map(foldPath)
    .some((reading) => /^[a-z][a-z0-9.-]*:\//i.test(reading) || knownScheme.test(reading));
}
