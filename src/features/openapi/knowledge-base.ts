/** Knows the APIs of one toolkit: descriptions and guides, and the next pages that the APIs named. */

import type { NextCall } from "../../core/answer/answer.js";
import { isPlainObject } from "../../core/base/input.js";
import type { Logger } from "../../core/base/runtime.js";
import type { DocumentFacts } from "../../core/call/slots.js";
import { type ApiSource, hasDocuments } from "../../core/record/api-source.js";
import type { Knowledge } from "./knowledge.js";
import type { RouteMatch } from "./paths.js";

/** How many names of an API are remembered. */
const maxLinked = 1_000;

export interface KnowledgeBase extends DocumentFacts {
  /** Reads the documents of a source, once. A document that can't be read is reported to the log; calls go on. */
  load(source: ApiSource): Promise<Knowledge>;
  /** The path of the operation that a call means, with its parameters in braces; undefined where the description has none. */
  findTemplate(source: ApiSource, method: string, path: string): Promise<string | undefined>;
  /** The names that `addNext` remembers. */
  listLinked(source: ApiSource): ReadonlySet<string>;
}

/** @param logger - Receives a warning about each document that can't be read. */
export function createKnowledgeBase(logger: Logger): KnowledgeBase {
  const loaded = new Map<string, Promise<Knowledge>>();
  const linked = createLinkedNames();
  const open = (source: ApiSource): Promise<Knowledge> => {
    const known = loaded.get(source.slug) ?? load(source, logger);
    loaded.set(source.slug, known);
    return known;
  };
  return {
    load: open,
    async findOperation(source, method, path, query) {
      const { description } = await open(source);
      return description?.findForm(method, path, query);
    },
    async listParameters(source, method, path) {
      const { description } = await open(source);
      return description?.listParameters(method, path);
    },
    async listValues(source, response, at) {
      const { description } = await open(source);
      return description?.listValues(response, at);
    },
    async listTypes(source, response) {
      const { description } = await open(source);
      return description?.listTypes(response) ?? [];
    },
    async findTemplate(source, method, path) {
      if (source.api.openapi === undefined) return undefined;
      const { description } = await open(source);
      return findTemplate(description?.match(path) ?? [], method);
    },
    addNext: ({ slug }, next) => linked.add(slug, next),
    listLinked: ({ slug }) => linked.list(slug),
  };
}

/** @param matches - Those that the path fits, the nearest first. */
function findTemplate(matches: readonly RouteMatch[], method: string): string | undefined {
  // The path that is sent has no fragment, and is not the one by which the document names an operation at a server of its own.
  const routes = matches
    .map(({ route }) => route)
    .filter(({ prefix, elsewhere }) => prefix === undefined && elsewhere === undefined)
    .map((route) => ({ method: route.method, path: `/${route.segments.join("/")}` }));
  const [nearest] = routes;
  // Another template that the path fits has this method, perhaps, and is not what the path plainly is.
  const found = routes.find((each) => each.method === method && each.path === nearest?.path);
  return found?.path;
}

/** Names of paths, parameters and members in the next pages of each API: they are right, described or not. */
interface LinkedNames {
  add(slug: string, next: NextCall): void;
  list(slug: string): ReadonlySet<string>;
}

function createLinkedNames(): LinkedNames {
  const linked = new Map<string, Set<string>>();
  return {
    add(slug, { path, body }) {
      const names = linked.get(slug) ?? new Set();
      linked.set(slug, names);
      const [way = "", query = ""] = path.split("?", 2);
      const members = isPlainObject(body) ? Object.keys(body) : [];
      for (const name of [way, ...new URLSearchParams(query).keys(), ...members])
        if (names.size < maxLinked) names.add(name);
    },
    list: (slug) => linked.get(slug) ?? new Set(),
  };
}

/** No document keeps a call from being made. */
async function load(source: ApiSource, logger: Logger): Promise<Knowledge> {
  if (!hasDocuments(source)) return { problems: [] };
  const { loadKnowledge } = await import("./knowledge.js");
  const knowledge = await loadKnowledge(source).catch(
    (error: unknown): Knowledge => ({
      problems: [],
      unread: `Its documents can't be read: ${error instanceof Error ? error.message : typeof error}.`,
    }),
  );
  const { unread } = knowledge;
  if (unread !== undefined)
    logger.warn("Documents of a source can't be read; its calls are made without them.", {
      source: source.slug,
      error: unread,
    });
  return knowledge;
}
