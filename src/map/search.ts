/** Finds operations by words: over paths, summaries, parameters, and the fields of bodies and answers. */

import type { ApiDocument } from "./api-document.js";
import { listMembers } from "./list-members.js";
import { type Operation, readOperation } from "./operation.js";
import { isObject } from "./parse-document.js";
import type { Route } from "./routes.js";

export interface SearchIndex {
  /** Places in the list of routes, best first. */
  find(words: string, most: number): number[];
}

/** What a word is worth by where it stands. */
const weights = { path: 4, summary: 3, parameter: 1.5, field: 1, description: 0.7 } as const;
/** Of more operations only the paths are looked at: reading them all would take seconds. */
const maxRead = 20_000;
const maxFieldDepth = 3;
const maxFields = 300;
/** Words that say nothing of an endpoint. */
const stopWords = new Set(
  "a an and are as at be by for from how i in is it me my of on or that the this to want what which with you".split(
    " ",
  ),
);

export function createSearchIndex(document: ApiDocument, routes: readonly Route[]): SearchIndex {
  const postings = new Map<string, Map<number, number>>();
  const lengths: number[] = [];
  for (const [index, route] of routes.entries()) {
    const isLarge = routes.length > maxRead;
    const words = isLarge ? weighPath(route) : weighWords(document, readOperation(document, route));
    lengths.push(words.size);
    for (const [word, weight] of words) {
      const posting = postings.get(word) ?? new Map<number, number>();
      posting.set(index, weight);
      postings.set(word, posting);
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return {
    find(words, most) {
      const scores = new Map<number, number>();
      for (const word of new Set(splitWords(words))) {
        const posting = postings.get(word);
        if (posting === undefined) continue;
        const rarity = Math.log(1 + (routes.length - posting.size + 0.5) / (posting.size + 0.5));
        for (const [index, weight] of posting) {
          // BM25 with the weight of the place instead of a count (Robertson and Zaragoza, 2009, 3.4).
          const length = 0.4 + (0.6 * (lengths[index] ?? 0)) / Math.max(1, average);
          scores.set(index, (scores.get(index) ?? 0) + (rarity * weight * 2.2) / (weight + 1.2 * length));
        }
      }
      const ranked = [...scores].sort(([first, one], [second, other]) => other - one || first - second);
      return ranked.slice(0, most).map(([index]) => index);
    },
  };
}

function weighPath({ template }: Route): Map<string, number> {
  return new Map(splitWords(template).map((word) => [word, weights.path]));
}

function weighWords(document: ApiDocument, operation: Operation): Map<string, number> {
  const found = new Map<string, number>();
  const add = (text: string | undefined, weight: number): void => {
    for (const word of splitWords(text ?? "")) found.set(word, Math.max(found.get(word) ?? 0, weight));
  };
  const { method, template, summary, description, parameters, body, answers } = operation;
  add(template, weights.path);
  add(verbs[method], weights.description);
  add(summary, weights.summary);
  add(description?.slice(0, 600), weights.description);
  for (const parameter of parameters) {
    add(parameter.name, weights.parameter);
    for (const name of listFields(document, parameter.schema)) add(name, weights.field);
    add(parameter.description?.slice(0, 200), weights.description);
  }
  const success = answers.find(({ status }) => status.startsWith("2"));
  const schemas = [body?.media[0]?.schema, success?.media[0]?.schema];
  for (const name of schemas.flatMap((schema) => [...listFields(document, schema)])) add(name, weights.field);
  return found;
}

/** What people say for a method. */
const verbs = {
  GET: "get list read show find",
  POST: "create add new send",
  PUT: "replace set update",
  PATCH: "update change edit",
  DELETE: "delete remove",
} as const;

function listFields(document: ApiDocument, root: unknown): Set<string> {
  const names = new Set<string>();
  const waiting = [{ schema: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && names.size < maxFields; next = waiting.pop()) {
    const { schema: given, depth } = next;
    if (!isObject(given) || depth > maxFieldDepth) continue;
    const schema = document.follow(given);
    if (schema["items"] !== undefined) waiting.push({ schema: schema["items"], depth });
    for (const [name, member] of listMembers(document, schema).names) {
      if (names.size >= maxFields) break;
      names.add(name);
      waiting.push({ schema: member, depth: depth + 1 });
    }
  }
  return names;
}

/** Words in lower case, `camelCase` and `snake_case` taken apart, without the endings of the plural and of verbs. */
export function splitWords(text: string): string[] {
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
