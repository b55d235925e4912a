/** Finds operations by words: over paths, summaries, parameters, and the fields of bodies and answers. */

import type { ApiDocument } from "./api-document.js";
import { EnumerationIndex } from "./find-values.js";
import { type Operation, readOperation } from "./operation.js";
import type { PlacedRoute } from "./paths.js";
import { writeType } from "./schema.js";
import { readSearchWords } from "./search-words.js";

/** The weight of a word by its place. */
const weights = { path: 4, summary: 3, parameter: 1.5, field: 1 } as const;
/** A schema as text: more of its fields would say nothing of the operation. */
const fields = { depth: 4, members: 300, direction: "answer" } as const;
/** The bounds of reading one operation, and all of them, in steps of a reader. Only the paths of operations beyond that are read. */
const maxSteps = { operation: 20_000, all: 2_000_000 } as const;
const operationsAtOnce = 4;
/** The rest of a longer text is not searched. */
const maxTextLength = 600;
/** The operations, and the values of enumerations, that some words name. */
export interface Found {
  /** Operations, best first. */
  readonly routes: readonly PlacedRoute[];
  /** Values of long enumerations, as `EnumerationIndex.find` gives them. */
  readonly values: Readonly<Record<string, string>> | undefined;
}

export function createSearch(document: ApiDocument, routes: readonly PlacedRoute[]) {
  let index: Promise<Index> | undefined;
  return async (given: string, most: number): Promise<Found> => {
    index ??= createIndex(document, routes);
    const { weighed, enumerations } = await index;
    const scores = new Map<PlacedRoute, number>();
    for (const word of new Set(readSearchWords(given))) {
      const having = weighed.filter(({ words }) => words.has(word));
      const rarity = Math.log(1 + routes.length / (having.length + 0.5));
      for (const { route, words } of having)
        scores.set(route, (scores.get(route) ?? 0) + rarity * (words.get(word) ?? 0));
    }
    const ranked = [...scores].sort(([, one], [, other]) => other - one);
    return {
      routes: ranked.slice(0, most).map(([route]) => route),
      values: enumerations.find(given),
    };
  };
}

interface Index {
  readonly weighed: readonly Weighed[];
  readonly enumerations: EnumerationIndex;
}

interface Weighed {
  readonly route: PlacedRoute;
  /** Each word by the best place where it appears. */
  readonly words: ReadonlyMap<string, number>;
}

async function createIndex(document: ApiDocument, routes: readonly PlacedRoute[]): Promise<Index> {
  const limited = document.limitSteps(maxSteps.all);
  const limitedValues = document.limitSteps(maxSteps.all);
  const weighed: Weighed[] = [];
  const enumerations = new EnumerationIndex();
  for (const route of routes) {
    const reading = limited.limitSteps(maxSteps.operation);
    const operation = readOperation(reading, route);
    weighed.push({ route, words: weighWords(reading, operation) });
    enumerations.add(limitedValues.limitSteps(maxSteps.operation), operation);
    // Other work of the process runs between two operations, which take milliseconds.
    if (weighed.length % operationsAtOnce === 0)
      await new Promise((resolve) => setImmediate(resolve));
  }
  return { weighed, enumerations };
}

function weighWords(document: ApiDocument, operation: Operation): Weighed["words"] {
  const found = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of readSearchWords(text))
      found.set(word, Math.max(found.get(word) ?? 0, weight));
  };
  const { path, summary, description = "", parameters, body, answers } = operation;
  add(path.slice(0, maxTextLength), weights.path);
  add((summary ?? description).slice(0, maxTextLength), weights.summary);
  for (const { name } of parameters) add(name.slice(0, maxTextLength), weights.parameter);
  const success = answers.find(({ status }) => status.startsWith("2"));
  for (const holder of [...parameters, body?.media[0], success?.media[0]])
    add(writeType(document, holder?.schema, fields), weights.field);
  return found;
}
