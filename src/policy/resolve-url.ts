/** Builds the one absolute URL that is sent, from a path and query that a model wrote, or refuses. */

import { redactedMarker } from "../secrets/secret.js";
import { quoteText } from "../text.js";
import { cutBasePath, isSameOrigin, toBasePath } from "./below-base.js";
import { checkPath } from "./check-path.js";
import { checkQueryNames } from "./check-query-names.js";
import { decodeFully } from "./decode-stages.js";
import { encodePathOnce, encodeQueryOnce } from "./encode-once.js";
import { encodeQuery } from "./encode-query.js";
import { isPlainPath } from "./is-plain-path.js";
import { parseQueryString, type QueryPair } from "./parse-query.js";
import { checkWellFormed } from "./read-text.js";
import { invalidInput, refusedByPolicy } from "./refuse-input.js";
import { relativizePath } from "./relativize-path.js";
import { toDecodedPath } from "./to-decoded-path.js";

/** Servers commonly stop at 8,192 bytes of request line. */
const maxUrlLength = 8000;

export interface ResolveUrlInput {
  /** Absolute http(s) URL without query and fragment; parsed where the caller has it so. It is not changed. */
  readonly baseUrl: string | URL;
  /** As the agent gave it; may carry a query string, or be an absolute URL under the base URL. */
  readonly path: string;
  /** Parameters besides those in `path`. */
  readonly query: readonly QueryPair[];
  /** Parameters that every request of the source carries. */
  readonly constantQuery: Readonly<Record<string, string>>;
  /** Names the agent may not set: the credential's. Those of `constantQuery` are reserved without being named. */
  readonly reservedQueryNames: readonly string[];
}

export interface ResolvedUrl {
  /** Absolute, byte for byte as it is sent; without the credential. */
  readonly url: string;
  /** The part below the base path, with its leading `/`, encoded as it is sent, without query; `""` for the base URL itself. */
  readonly path: string;
  /** `path` decoded to the fixed point and NFKC-normalised, for rules; an encoded `/` stands as `%2F`. */
  readonly decodedPath: string;
  /** The agent's own parameters, decoded: those in `path`, then those of `query`. */
  readonly query: QueryPair[];
}

interface SplitQuery {
  /** As they were written, percent-encoded where needed. */
  readonly parts: readonly string[];
  readonly pairs: readonly QueryPair[];
}

/**
 * One absolute URL under the base URL in every reading a server could make of it. Legitimate paths and the query string
 * within the path pass byte for byte; a space and characters outside ASCII are percent-encoded once.
 *
 * A parameter that repeats a constant one with the same value, or the credential's as this package shows it
 * (`[REDACTED]`), is dropped: an API's own `next` link carries them.
 *
 * @throws ApiSourceError `refused_by_policy` when a rule forbids it, `invalid_input` when it is malformed
 */
export function resolveUrl(input: ResolveUrlInput): ResolvedUrl {
  const base = typeof input.baseUrl === "string" ? new URL(input.baseUrl) : input.baseUrl;
  const [pathText, queryText] = splitPath(input.path);
  const given = relativizePath(pathText, base);
  checkPath(given);
  const path = encodePathOnce(given);
  const own = readOwnQuery(queryText, input);
  const added = input.query.filter((pair) => !repeatsConfiguration(pair, input));
  checkQueryNames(
    [...own.pairs, ...added],
    [...input.reservedQueryNames, ...Object.keys(input.constantQuery)],
  );
  const query = [encodeQuery(Object.entries(input.constantQuery)), ...own.parts, encodeQuery(added)]
    .filter((part) => part !== "")
    .join("&");
  const start = path === "" ? base.origin + base.pathname : base.origin + toBasePath(base) + path;
  const url = query === "" ? start : `${start}?${query}`;
  assertConfined(url, base);
  return { url, path, decodedPath: toDecodedPath(path), query: [...own.pairs, ...added] };
}

/** The path and the query string within it; what has no place in either is refused here. */
function splitPath(text: unknown): [path: string, query: string] {
  if (typeof text !== "string") {
    throw invalidInput(
      `The path is ${text === null ? "null" : `a ${typeof text}`}.`,
      "Send a string such as /users/1.",
    );
  }
  if (text.length > maxUrlLength) throw tooLong(text.length);
  if (isPlainPath(text)) return [text, ""];
  checkWellFormed(text, "The path");
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) {
    throw refusedByPolicy(
      `The path ${quoteText(text)} has a control character.`,
      "Remove line breaks, tabs and other control characters.",
    );
  }
  if (text.includes("#")) {
    throw invalidInput(
      `The path ${quoteText(text)} has a "#".`,
      'Leave the fragment out; a "#" that is part of a name is written %23.',
    );
  }
  if (text.trim() !== text) {
    throw invalidInput(`The path ${quoteText(text)} starts or ends with a blank.`, "Remove it.");
  }
  const mark = text.indexOf("?");
  return mark === -1 ? [text, ""] : [text.slice(0, mark), text.slice(mark + 1)];
}

function readOwnQuery(text: string, input: ResolveUrlInput): SplitQuery {
  if (text === "") return { parts: [], pairs: [] };
  const kept = text.split("&").filter((part) => {
    const [pair] = parseQueryString(part);
    return pair !== undefined && !repeatsConfiguration(pair, input);
  });
  // Some servers separate parameters by ";" as well, so a reserved name must not hide behind one.
  const hidden = kept.flatMap((part) => part.split(";").slice(1));
  const hiddenPairs = hidden.map((part) => [decodeFully(part.split("=", 1)[0] ?? "") ?? part, ""] as const);
  checkQueryNames(hiddenPairs, [...input.reservedQueryNames, ...Object.keys(input.constantQuery)]);
  return { parts: kept.map(encodeQueryOnce), pairs: kept.flatMap(parseQueryString) };
}

function repeatsConfiguration([name, value]: QueryPair, input: ResolveUrlInput): boolean {
  if (Object.hasOwn(input.constantQuery, name)) {
    return value === input.constantQuery[name] || value === redactedMarker;
  }
  return value === redactedMarker && input.reservedQueryNames.includes(name);
}

/** What the rules above promise, asked of the URL parser itself, so that a mistake in them can't leave. */
function assertConfined(url: string, base: URL): void {
  if (url.length > maxUrlLength) throw tooLong(url.length);
  const parsed = new URL(url);
  const isConfined =
    parsed.href === url &&
    isSameOrigin(parsed, base) &&
    `${parsed.username}${parsed.password}${parsed.hash}` === "" &&
    cutBasePath(parsed.pathname, toBasePath(base)) !== undefined;
  if (isConfined) return;
  throw refusedByPolicy(
    "The URL made of this path would not be sent as it is written.",
    "Send a plain path below the base URL.",
  );
}

function tooLong(length: number): Error {
  return invalidInput(
    `The URL has ${length} characters; at most ${maxUrlLength} are allowed.`,
    "Shorten the path and query, or send long values in the body.",
  );
}
