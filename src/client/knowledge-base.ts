/** What the calls of one toolkit know of their APIs: descriptions and guides, and what the APIs themselves have shown. */

import type { Knowledge } from "../map/knowledge.js";
import type { Shown } from "../map/shown.js";
import type { Logger } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import type { NextCall } from "./answer.js";

export interface KnowledgeBase {
  /** A description that can't be read any more is told to the log, and stops no call. */
  load(source: ApiSource): Promise<Knowledge>;
  /** Remembers what an API named as its next page: whatever its description says, that is right. */
  addNext(source: ApiSource, next: NextCall): void;
  /** What the API named itself: `GET /items` with whatever it holds, and the query parameters of any path. */
  findNamed(source: ApiSource): Named;
  /** Remembers what a call that worked has shown, for whoever's call it was. */
  addShown(source: ApiSource, scope: string, shown: Shown): void;
  listShown(source: ApiSource, scope: string): Shown[];
  /** The first time that it is asked of this source: the log is told once of what stays the same. */
  isFirst(source: ApiSource): boolean;
}

export interface Named {
  readonly paths: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
}

/** How many paths and parameters of an API are remembered. */
const maxNamed = 500;

/** How many threads, and how many kinds of calls of each: the oldest go. */
const maxScopes = 200;
const maxShown = 60;

export function createKnowledgeBase({ logger }: { readonly logger: Logger }): KnowledgeBase {
  const loaded = new Map<string, Promise<Knowledge>>();
  const named = new Map<string, { readonly paths: Set<string>; readonly query: Set<string> }>();
  const told = new Set<string>();
  const shownTo = new Map<string, Map<string, Shown>>();
  return {
    load(source) {
      const known = loaded.get(source.slug) ?? open(source, logger);
      loaded.set(source.slug, known);
      return known;
    },
    addNext({ slug }, { method, path }) {
      const { paths, query } = named.get(slug) ?? { paths: new Set(), query: new Set() };
      named.set(slug, { paths, query });
      const [way = "", text = ""] = path.split("?", 2);
      if (paths.size < maxNamed) paths.add(`${method} ${way}`);
      for (const name of new URLSearchParams(text).keys()) if (query.size < maxNamed) query.add(name);
    },
    findNamed: ({ slug }) => named.get(slug) ?? { paths: new Set(), query: new Set() },
    addShown({ slug }, scope, shown) {
      const place = `${slug} ${scope}`;
      const known = shownTo.get(place) ?? new Map<string, Shown>();
      shownTo.delete(place);
      shownTo.set(place, known);
      known.delete(shown.key);
      known.set(shown.key, shown);
      dropOldest(known, maxShown);
      dropOldest(shownTo, maxScopes);
    },
    listShown: ({ slug }, scope) => [...(shownTo.get(`${slug} ${scope}`)?.values() ?? [])],
    isFirst({ slug }) {
      const isFirst = !told.has(slug);
      told.add(slug);
      return isFirst;
    },
  };
}

async function open(source: ApiSource, logger: Logger): Promise<Knowledge> {
  try {
    const { loadKnowledge } = await import("../map/knowledge.js");
    return await loadKnowledge(source);
  } catch (error) {
    logger.warn("The documents of a source can't be read; its calls are made without them.", {
      source: source.slug,
      error: error instanceof Error ? error.message : typeof error,
    });
    return {};
  }
}

function dropOldest(kept: Map<string, unknown>, most: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}
