/** Finds operations by words: over paths, summaries, parameters, and the fields of bodies and answers. */

import type { ApiDocument, Route } from "./api-document.js";
import { readOperation } from "./operation.js";
import { writeType } from "./write-type.js";

/** Finds the routes for some words, best first. */
export type Search = (words: string, most: number) => Route[];

/** The weight of a word by its place. */
const weights = { path: 4, summary: 3, parameter: 1.5, field: 1 } as const;
/** A schema as text: more of its fields would say nothing of the operation. */
const fields = { depth: 4, members: 300, direction: "answer" } as const;
/** Of more operations only the paths are looked at: reading them all would take seconds. */
const maxRead = 20_000;
/** Words that say nothing of an endpoint. */
const stopWords = new Set(
  "a an and are as at be by for from how i in is it me my of on or that the this to want what which with you".split(
    " ",
  ),
);

export function createSearch(document: ApiDocument, routes: readonly Route[]): Search {
  const isRead = routes.length <= maxRead;
  const weighed = routes.map((route) => ({ route, words: weighWords(document, route, isRead) }));
  return (given, most) => {
    const scores = new Map<Route, number>();
    for (const word of new Set(splitWords(given))) {
      const having = weighed.filter(({ words }) => words.has(word));
      const rarity = Math.log(1 + routes.length / (having.length + 0.5));
      for (const { route, words } of having)
        scores.set(route, (scores.get(route) ?? 0) + rarity * (words.get(word) ?? 0));
    }
    const ranked = [...scores].sort(([, one], [, other]) => other - one);
    return ranked.slice(0, most).map(([route]) => route);
  };
}

/** Each word by its best place. */
function weighWords(document: ApiDocument, route: Route, isRead: boolean): Map<string, number> {
  const found = new Map<string, number>();
  const add = (text: string | undefined, weight: number): void => {
    for (const word of splitWords(text ?? "")) found.set(word, Math.max(found.get(word) ?? 0, weight));
  };
  add(route.path, weights.path);
  if (!isRead) return found;
  const { summary, description, parameters, body, answers } = readOperation(document, route);
  add(summary ?? description?.slice(0, 600), weights.summary);
  for (const { name } of parameters) add(name, weights.parameter);
  const success = answers.find(({ status }) => status.startsWith("2"));
  for (const holder of [...parameters, body?.media[0], success?.media[0]])
    add(writeType(document, holder?.schema, fields), weights.field);
  return found;
}

/** Words in lower case, `camelCase` and `snake_case` taken apart, without the endings of the plural and of verbs. */
function splitWords(text: string): string[] {
  const words = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})|(\p{L})(?=\p{N})/gu, "$1$3 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,40}/gu);
  return (words ?? []).filter((word) => !stopWords.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  return word
    .replace(/(?:ies)$/, "y")
    .replace(/(?:sses)$/, "ss")
    .replace(/(?<=[^s])s$/, "")
    .replace(/(?<=\w{4})(?:ing|ed|e)$/, "");
}
