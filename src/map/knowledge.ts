/** What is known of an API besides its record: read once in a process, when it is first needed, and shared by all who ask. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ApiSourceError, type RecordProblem } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import { createDescription, type Description } from "./description.js";
import { type Guide, parseGuide } from "./guide.js";
import { loadApiDocument, readText } from "./load-document.js";
import { listResources } from "./path-tree.js";

export interface Knowledge {
  readonly description?: Description;
  readonly guide?: Guide;
}

export function hasKnowledge({ api }: ApiSource): boolean {
  return api.openapi !== undefined || api.guide !== undefined;
}

/**
 * @returns what the record's `api.openapi` and `api.guide` hold; nothing for a record with neither.
 * @throws ApiSourceError `not_configured` that names the file, the place in it and why it can't be read.
 */
export async function loadKnowledge({ api }: ApiSource): Promise<Knowledge> {
  const document = api.openapi === undefined ? undefined : await loadDocument(api.openapi);
  const guide = api.guide === undefined ? undefined : await loadGuide(api.guide);
  return {
    ...(document === undefined ? {} : { description: createDescription(document, api) }),
    ...(guide === undefined ? {} : { guide }),
  };
}

/** Toolkits of one process share them: a large description is kept once. */
const loadDocument: (file: string) => Promise<ApiDocument> = createShelf(loadApiDocument);
const loadGuide: (file: string) => Promise<Guide> = createShelf(async (file) =>
  parseGuide(await readText(file)),
);

/** No process works with more at a time; the oldest is read again when it is asked for. */
const maxKept = 100;

/** Reads a file once, and again when it has changed. */
function createShelf<Value>(read: (file: string) => Promise<Value>): (path: string) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return async (path) => {
    const file = resolve(path);
    const state = await stat(file).catch(() => undefined);
    const key = `${file} ${state?.mtimeMs} ${state?.size}`;
    const value = kept.get(key) ?? read(file);
    kept.set(key, value);
    // A file that is mended is read without a new process.
    value.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return value;
  };
}

/** What is wrong with the documents of these sources, as problems of their records. Reads what was not read yet. */
export async function findDocumentProblems(sources: readonly ApiSource[]): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = [];
  for (const { name, api } of sources) {
    for (const [field, load] of [
      ["openapi", loadDocument],
      ["guide", loadGuide],
    ] as const) {
      const file = api[field];
      const error =
        file === undefined
          ? undefined
          : await load(file).then(
              () => undefined,
              (thrown: unknown) => thrown,
            );
      if (error === undefined) continue;
      if (!(error instanceof ApiSourceError)) throw error;
      const { message, hint } = error;
      const path = `api.${field}`;
      problems.push({
        source: name,
        path,
        given: JSON.stringify(file),
        message: `can't be read: ${message}.`,
        fix: hint,
      });
    }
  }
  return problems;
}

/** What a tool's description says of an API: how many operations it has, and on what. */
export interface Overview {
  /** Absent where only a guide is there. */
  readonly operations?: number;
  /** The main resources, the largest first. */
  readonly resources: readonly string[];
}

const maxResources = 12;

export function readOverview({ description }: Knowledge): Overview {
  if (description === undefined) return { resources: [] };
  const { listed } = description;
  return { operations: listed.length, resources: listResources(listed, maxResources) };
}
