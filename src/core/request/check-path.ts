/** Where a path may lead: below the base path in every reading. A path is refused, never repaired. */

import { invalidInput, refusedByPolicy } from "../base/errors.js";
import {
  hasOverlongEscape,
  hasPlainDotSegment,
  listReadings,
  toDecoded,
  toFolded,
} from "../base/path-readings.js";
import { decodeStrictly, dropEnd, quoteText } from "../base/text.js";

const maxPathLength = 4000;

/** A path of plain names reads the same on every server: no rule below has anything to say about it. */
const plainPath = /^(?:\/[\w-]+)*\/?$/;

/** `GET /orders`, as `describe_api` names an operation. */
const methodBefore = /^\/?(GET|POST|PUT|DELETE|PATCH)(?: |%20)+\//i;

/**
 * Accepts a path below the base URL, or throws the reason why not.
 *
 * @param path with its leading `/`, without query
 * @throws ApiSourceError `refused_by_policy` for what some server could read as a way out of the base path;
 *   `invalid_input` for malformed escapes, an unfilled `{placeholder}`, and more than 4,000 characters
 */
export function checkPath(path: string): void {
  if (path.length > maxPathLength) {
    throw invalidInput(
      `The path has ${path.length} characters; at most ${maxPathLength} are allowed.`,
      "Shorten it, or move long values into the query or body.",
    );
  }
  if (plainPath.test(path)) return;
  const [, method] = methodBefore.exec(path) ?? [];
  if (method !== undefined) {
    throw invalidInput(
      `The path ${quoteText(path)} begins with a method.`,
      `Write ${method} as \`method\`, and what follows it as \`path\`.`,
    );
  }
  const danger = findDanger(path);
  if (danger !== undefined)
    throw refusedByPolicy(
      `The path ${quoteText(path)} ${danger}.`,
      'Write the whole path below the base URL plainly, each character encoded at most once, without "." and ".." segments, "//" and backslashes.',
    );
  if (decodeStrictly(path) === undefined) {
    throw invalidInput(
      `The path ${quoteText(path)} has a malformed percent escape.`,
      'Write a literal "%" as %25, and other characters as percent-encoded UTF-8.',
    );
  }
  const placeholder = findPlaceholder(path);
  if (placeholder !== undefined) {
    throw invalidInput(
      `The path ${quoteText(path)} has an unfilled placeholder ${quoteText(placeholder)}.`,
      `Put the actual value in place of ${quoteText(placeholder)}.`,
    );
  }
}

/** The first danger in any reading of a path that starts with `/`; `undefined` when all are harmless. */
function findDanger(path: string): string | undefined {
  const readings = listReadings(path);
  if (readings === undefined) return "is percent-encoded too many times";
  for (const reading of readings) {
    if (hasOverlongEscape(reading)) return "has percent escapes that are overlong UTF-8";
    if (hasPlainDotSegment(reading)) return 'has a "." or ".." segment, plain or in disguise';
    if (reading.includes("\\")) return "has a backslash, plain or encoded";
    if (/[\p{Cc}\u2028\u2029]/u.test(reading)) return "has a control character, plain or encoded";
    if (/^[/\ue02f]{2}/.test(reading)) return 'starts with "//", which would name another host';
  }
  return undefined;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The first unfilled `{placeholder}`, braces included. These are not placeholders: a UUID in braces (Bitbucket and SharePoint
 * write ids so), JSON, which contains quotes, and the date math of Elasticsearch and OpenSearch (`<logs-{now/d}>`).
 */
function findPlaceholder(path: string): string | undefined {
  const withoutDates = path
    .split("/")
    .map((segment) =>
      toDecoded(segment).replace(/<[^<>]*>/g, (name) => (name.includes("{now") ? "" : name)),
    )
    .join("/");
  for (const reading of listReadings(withoutDates) ?? []) {
    for (const [braces, content = ""] of reading.matchAll(/\{([^{}]{0,80})\}/g)) {
      if (!uuid.test(content) && !/["']/.test(content)) return braces;
    }
  }
  return undefined;
}

/** The base URL's path without its trailing slashes: `""` for a base without a path. */
export function toBasePath(base: URL): string {
  return base.pathname === "/" ? "" : dropEnd(base.pathname, "/");
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

/** Schemes that mean something without slashes. A custom method such as `messages:send` is not a scheme. */
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
      throw refusedByPolicy(
        `The URL ${quoteText(text)} is not plainly on the origin of this API.`,
        hint,
      );
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
