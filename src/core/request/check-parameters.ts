/** Keeps the agent's parameters from being read as the source's own, in any spelling. */

import { refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import { encodedSlash, listReadings } from "../record/path-readings.js";
import type { QueryPair } from "./parse-query.js";

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
        `The query parameter ${quoteText(part)} is percent-encoded too many times.`,
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
export function toFoldedName(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("+", " ")
    .replace(/^[\s?&;]+/, "")
    .trimEnd();
}

/** `fields`, `users` of `fields[users]`, `fields.users` and `[fields][users]`; what a second parse would drop is dropped. */
export function toPieces(name: string): string[] {
  const [kept = ""] = toFoldedName(name).split(/[?#=;&]/, 1);
  return kept
    .split(/[[\].]/)
    .map((piece) => piece.trim())
    .filter(Boolean);
}

function toPhpName(folded: string): string {
  return folded.replace(/[\s.[]/g, "_");
}
