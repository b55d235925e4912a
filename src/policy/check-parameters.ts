/** Keeps the agent's parameters from being read as the source's own, or as another method, in any spelling. */

import { encodedSlash, listReadings, toFolded } from "../source/path-readings.js";
import { quoteText } from "../text.js";
import type { QueryPair } from "./parse-query.js";
import { refusedByPolicy } from "./refusal.js";

/**
 * Every parameter that some server could read in a query: its parts at `&`, `;` and NUL, also those that appear only when a value
 * is decoded before the query is split (`a=1%26key%3D2`).
 *
 * @param query as it is sent, without `?`
 * @throws ApiSourceError `refused_by_policy` for more layers of escapes than anybody means
 */
export function listParameters(query: string): QueryPair[] {
  return query.split("&").flatMap((part) => {
    const readings = listReadings(part);
    if (readings === undefined) {
      throw refusedByPolicy(
        `The query parameter ${quoteText(part)} is percent-encoded too many times over.`,
        "Encode it at most once; pairs in query are encoded for you.",
      );
    }
    return readings.flatMap((reading, index) => {
      const [first = "", ...others] = reading.replaceAll(encodedSlash, "/").split(/[&;\0]/);
      // What only decoding separates, and has no "=", is more likely a value's own "&".
      const named = index === 0 ? others : others.filter((text) => text.includes("="));
      return [first, ...named].filter(Boolean).map((text): QueryPair => {
        const equals = text.indexOf("=");
        return equals === -1 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
      });
    });
  });
}

/**
 * Refuses a name that some server could read as a reserved one: in other letter case, with spaces or invisible
 * characters, in a Unicode compatibility form, with brackets anywhere a parser forgives them (`name[]`, `[name]`, `name]`),
 * as `name.x`, or in the spellings that PHP folds into one (`api.key`, `api key` and `api[key` are `api_key` there).
 *
 * @param parameters of `listParameters`
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkReservedNames(parameters: readonly QueryPair[], reserved: readonly string[]): void {
  if (reserved.length === 0) return;
  const taken = new Set(
    reserved.flatMap((name) => [toPieces(name).join("\0"), toPhpName(toFoldedName(name))]),
  );
  const depth = Math.max(...reserved.map((name) => toPieces(name).length));
  for (const [name] of parameters) {
    const folded = toFoldedName(name);
    const pieces = toPieces(name);
    const prefixes = pieces.slice(0, depth).map((_, index) => pieces.slice(0, index + 1).join("\0"));
    const bare = folded.replace(/^[[\]]+/, "");
    const phpNames = [bare, bare.replaceAll("]", ""), bare.split("[", 1)[0] ?? ""].map(toPhpName);
    if (![...prefixes, ...phpNames].some((reading) => taken.has(reading))) continue;
    throw refusedByPolicy(
      `The query parameter ${quoteText(name)} is set by this source's configuration.`,
      "Leave it out: it is added to every request.",
    );
  }
}

/** Upper case first, as it folds letters such as "ſ" that lower case leaves alone. */
function toFoldedName(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("+", " ")
    .replace(/^[\s?&;]+/, "")
    .trimEnd();
}

/** `fields`, `users` of `fields[users]`, `fields.users` and `[fields][users]`; what a second parse would cut off goes. */
function toPieces(name: string): string[] {
  const [kept = ""] = toFoldedName(name).split(/[?#=;&]/, 1);
  return kept
    .split(/[[\].]/)
    .map((piece) => piece.trim())
    .filter(Boolean);
}

function toPhpName(folded: string): string {
  return folded.replace(/[\s.[]/g, "_");
}

/** Names that mean another method wherever they are read, by a sign or the word "override"; and those that may mean it. */
const sureName = /^(?:[_$].*|.*override.*|x.*)$/;
const methodName = /^(?:x|http|request|original|real|form|override)*(?:method|verb)(?:override)?$/;
const knownMethods = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY MERGE PURGE COPY MOVE LOCK UNLOCK MKCOL PROPPATCH".split(
    " ",
  ),
);

export interface OverrideRules {
  /** The method that is sent. */
  readonly method: string;
  /** The record's `methods`. */
  readonly methods: readonly string[];
  /** Names that the record says mean something else. */
  readonly exempt: readonly string[];
}

/**
 * Refuses a parameter, member or header that makes some frameworks carry out another method than the one that was sent and
 * judged: `_method`, `$method`, `x-http-method-override` whatever they say, `method` and `verb` when they hold a method's name.
 * It may name a method that this request could have been sent with: for a GET only GET and HEAD, so that whoever approves
 * or retries a read can rely on it.
 *
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkMethodOverride(parameters: readonly QueryPair[], rules: OverrideRules): void {
  const { method, methods } = rules;
  const possible = new Set(method === "GET" ? ["GET", "HEAD"] : methods);
  const exempt = new Set(rules.exempt.map(toFoldedName));
  for (const [name, value] of parameters) {
    const [piece = ""] = toPieces(toFolded(name));
    if (!methodName.test(piece.replace(/[^a-z]/g, "")) || exempt.has(toFoldedName(name))) continue;
    const named = toFolded(value)
      .toUpperCase()
      .replace(/[^A-Z]/g, "");
    const isMeant = sureName.test(piece) ? value !== "" : knownMethods.has(named);
    if (!isMeant || possible.has(value)) continue;
    throw refusedByPolicy(
      `The parameter ${quoteText(name)} would make some APIs carry out another method than ${method}.`,
      `Send the method itself, and leave the parameter out. If it means something else in this API, whoever set up the source can write "methodParameter": "allow" into its record.`,
    );
  }
}

/** The members of an object in JSON text with their values (`…` for what is no string), a name given twice included. */
export function listMembers(json: string): QueryPair[] {
  if (!/^\s*\{/.test(json)) return [];
  const members: QueryPair[] = [];
  const token = /["{}[\]]/g;
  let depth = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [mark] = found;
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (mark !== '"') continue;
    const end = findStringEnd(json, found.index + 1);
    token.lastIndex = end;
    const colon = skipSpace(json, end);
    if (depth !== 1 || json[colon] !== ":") continue;
    const start = skipSpace(json, colon + 1);
    const isString = json[start] === '"';
    const value = isString ? json.slice(start, findStringEnd(json, start + 1)) : '"…"';
    members.push([String(JSON.parse(json.slice(found.index, end))), String(JSON.parse(value))]);
  }
  return members;
}

/** The index behind the closing quote of a string whose text starts at `from`. */
function findStringEnd(json: string, from: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(json); found !== null; found = stop.exec(json)) {
    if (found[0] === '"') return stop.lastIndex;
    stop.lastIndex += 1;
  }
  return json.length;
}

function skipSpace(json: string, from: number): number {
  let index = from;
  while (index < json.length && /\s/.test(json[index] ?? "")) index += 1;
  return index;
}
