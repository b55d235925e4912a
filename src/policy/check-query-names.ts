/** Keeps the agent from setting the credential's query parameter, or a constant one, in any spelling. */

import { quoteText } from "../text.js";
import { decodeFully } from "./decode-stages.js";
import type { QueryPair } from "./parse-query.js";
import { refusedByPolicy } from "./refuse-input.js";

/**
 * Refuses a name that some server could read as a reserved one: in other letter case, with blanks or invisible
 * characters, percent-encoded further, in a Unicode compatibility form, as `name[]`, `name[x]` or `name.x`, or in the
 * spellings that PHP folds into one (`api.key`, `api key` and `api[key` are `api_key` there).
 *
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkQueryNames(pairs: readonly QueryPair[], reserved: readonly string[]): void {
  if (pairs.length === 0) return;
  const taken = new Set(reserved.flatMap((name) => [fold(name), foldLikePhp(fold(name))]));
  for (const [name] of pairs) {
    const folded = fold(name);
    const readings = [folded, cutIndex(folded), foldLikePhp(folded)];
    if (!readings.some((reading) => taken.has(reading))) continue;
    throw refusedByPolicy(
      `The query parameter ${quoteText(name)} is set by this source's configuration.`,
      "Leave it out: it is added to every request.",
    );
  }
}

function fold(name: string): string {
  const decoded = decodeFully(name) ?? name;
  return decoded
    .toUpperCase() // first, as it folds letters such as "ſ" that lower case leaves alone
    .toLowerCase()
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("+", " ")
    .replace(/^[\s?&;]+/, "")
    .trimEnd();
}

/** `name` of `name[]`, `name.x`, `name;x`, and of `name=x` for those who decode before they split. */
function cutIndex(folded: string): string {
  const end = folded.search(/[[.;=&?#]/);
  return end <= 0 ? folded : folded.slice(0, end).trimEnd();
}

function foldLikePhp(folded: string): string {
  return folded.replace(/[\s.[]/g, "_");
}
