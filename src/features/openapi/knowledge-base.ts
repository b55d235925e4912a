/** What the calls of one toolkit know of their APIs: descriptions and guides, and the next pages that the APIs named. */

import { isPlainObject } from "../../core/base/input.js";
import type { Logger } from "../../core/base/runtime.js";
import type { DocumentFacts } from "../../core/call/slots.js";
import { type ApiSource, hasDocuments } from "../../core/record/api-source.js";
import type { Knowledge } from "./knowledge.js";

/** How many names of an API are remembered. */
const maxLinked = 1_000;

/** @param logger - Receives a warning about each document that can't be read. */
export function createKnowledgeBase(logger: Logger) {
  const loaded = new Map<string, Promise<Knowledge>>();
  const linked = new Map<string, Set<string>>();
  const open = (source: ApiSource): Promise<Knowledge> => {
    const known = loaded.get(source.slug) ?? load(source, logger);
    loaded.set(source.slug, known);
    return known;
  };
  const facts: DocumentFacts = {
    async findOperation(source, method, path) {
      const { description } = await open(source);
      const found = description?.find(method, path);
      if (description === undefined || found === undefined) return undefined;
      const { parameters, body } = description.readOperation(found.route);
      const media = body?.media ?? [];
      const query = parameters.filter(({ place }) => place === "query");
      return {
        query: query.map(({ name }) => name),
        queryStyles: new Map(
          query.flatMap(({ name, style }) => (style === undefined ? [] : [[name, style]])),
        ),
        takesMultipart:
          media.length > 0 && media.every(({ type }) => /^multipart\/form-data\b/.test(type)),
      };
    },
    async listValues(source, { method, path, status }, at) {
      const { description } = await open(source);
      const found = description?.find(method, path);
      if (description === undefined || found === undefined) return undefined;
      return description.listValues(found.route, status, at);
    },
    addNext({ slug }, { path, body }) {
      const names = linked.get(slug) ?? new Set();
      linked.set(slug, names);
      const [way = "", query = ""] = path.split("?", 2);
      const members = isPlainObject(body) ? Object.keys(body) : [];
      for (const name of [way, ...new URLSearchParams(query).keys(), ...members])
        if (names.size < maxLinked) names.add(name);
    },
  };
  return {
    ...facts,
    /** A description that can no longer be read is reported to the log; calls go on. */
    load: open,
    /** The path of the operation that a call means, with its parameters in braces; undefined where the description has none. */
    async findTemplate(
      source: ApiSource,
      method: string,
      path: string,
    ): Promise<string | undefined> {
      if (source.api.openapi === undefined) return undefined;
      const { description } = await open(source);
      const [nearest, ...others] = description?.match(path).map(({ route }) => route) ?? [];
      // Another template that the path fits has this method, perhaps, and is not what the path plainly is.
      return [nearest, ...others].find(
        (each) => each?.method === method && each.path === nearest?.path,
      )?.path;
    },
    /** The names that `addNext` remembers. */
    listLinked: ({ slug }: ApiSource): ReadonlySet<string> => linked.get(slug) ?? new Set(),
  };
}

export type KnowledgeBase = ReturnType<typeof createKnowledgeBase>;

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
