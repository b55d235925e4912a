/** Builds the one absolute URL that is sent, from a path and query that a model wrote, or refuses. */

import { invalidInput, refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import { redactedMarker } from "../secrets/secret.js";
import { checkReservedNames, listParameters } from "./check-parameters.js";
import {
  checkPath,
  findBelowBase,
  isSameOrigin,
  resolvePath,
  toBasePath,
  toWirePath,
  toWireQuery,
} from "./check-path.js";
import { checkWellFormed, parseQueryString } from "./parse-query.js";
import type { QueryPair, WrittenPair } from "./query-style.js";
import { writeQuery } from "./write-query.js";

/** Servers commonly stop at 8,192 bytes of request line. */
export const maxUrlLength = 8000;

export interface ResolveUrlInput {
  /** Absolute http(s) URL without query and fragment. */
  readonly baseUrl: string;
  /** As the agent gave it; may carry a query string, or be an absolute URL under the base URL. */
  readonly path: string;
  /** Parameters besides those in `path`. */
  readonly query: readonly WrittenPair[];
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
  /** The base URL's own path, without slashes at its end; `""` for a base without one. */
  readonly basePath: string;
  /** The agent's own parameters, decoded: those in `path`, then those of `query`. */
  readonly query: readonly QueryPair[];
  /** The agent's own parameters in every reading a server could make of them. */
  readonly parameters: readonly QueryPair[];
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
  const base = new URL(input.baseUrl);
  const basePath = toBasePath(base);
  const [pathText, queryText] = splitPath(input.path);
  const given = resolvePath(pathText, base);
  checkPath(given);
  const path = toWirePath(given);
  const kept = queryText === "" ? [] : listKept(queryText, input);
  const added = input.query.filter((pair) => !repeatsConfiguration(pair, input));
  const own = [...kept.map(toWireQuery), writePairs(added)].filter(Boolean).join("&");
  // Before it is judged: reading a megabyte in every way takes seconds.
  if (own.length > maxUrlLength) throw tooLong(own.length);
  const parameters = listParameters(own);
  checkReservedNames(parameters, [
    ...input.reservedQueryNames,
    ...Object.keys(input.constantQuery),
  ]);
  const written = [writePairs(Object.entries(input.constantQuery)), own].filter(Boolean).join("&");
  const start = path === "" ? base.origin + base.pathname : base.origin + basePath + path;
  const url = written === "" ? start : `${start}?${written}`;
  checkConfined(url, base, basePath);
  const decoded = [...kept.flatMap(parseQueryString), ...added];
  const query = decoded.map(([name, value]): QueryPair => [name, value]);
  return { url, path, basePath, query, parameters };
}

function writePairs(pairs: readonly WrittenPair[]): string {
  return pairs.length === 0 ? "" : writeQuery(pairs);
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
  if (!text.isWellFormed()) checkWellFormed(text, "The path");
  if (/[\p{Cc}\u2028\u2029]/u.test(text))
    throw refusedByPolicy(`The path ${quoteText(text)} has a control character.`, "Remove it.");
  if (text.trim() !== text)
    throw invalidInput(`The path ${quoteText(text)} starts or ends with a space.`, "Remove it.");
  if (text.includes("#")) {
    throw invalidInput(
      `The path ${quoteText(text)} has a "#".`,
      'Leave the fragment out; a "#" that is part of a name is written %23.',
    );
  }
  const mark = text.indexOf("?");
  return mark === -1 ? [text, ""] : [text.slice(0, mark), text.slice(mark + 1)];
}

/** The parameters in a path, as they are written, without those that repeat what the source is configured with. */
function listKept(queryText: string, input: ResolveUrlInput): string[] {
  return queryText.split("&").filter((part) => {
    const [pair] = parseQueryString(part);
    return pair !== undefined && !repeatsConfiguration(pair, input);
  });
}

function repeatsConfiguration([name, value]: WrittenPair, input: ResolveUrlInput): boolean {
  if (Object.hasOwn(input.constantQuery, name)) {
    return value === input.constantQuery[name] || value === redactedMarker;
  }
  return value === redactedMarker && input.reservedQueryNames.includes(name);
}

/** The promise of the rules above, checked by the URL parser itself, so that a mistake in them can't leave. */
function checkConfined(url: string, base: URL, basePath: string): void {
  if (url.length > maxUrlLength) throw tooLong(url.length);
  const parsed = new URL(url);
  const isConfined =
    parsed.href === url &&
    isSameOrigin(parsed, base) &&
    `${parsed.username}${parsed.password}${parsed.hash}` === "" &&
    findBelowBase(parsed.pathname, basePath) !== undefined;
  if (isConfined) return;
  throw refusedByPolicy(
    "A URL with this path would change when it is sent.",
    "Send a plain path below the base URL.",
  );
}

function tooLong(length: number): Error {
  return invalidInput(
    `The URL has ${length} characters; at most ${maxUrlLength} are allowed.`,
    "Shorten the path and query, or send long values in the body.",
  );
}
