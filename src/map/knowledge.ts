/** What is known of an API besides its record: read once in a process, when it is first needed, and shared by all who ask. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ApiSourceError, type RecordProblem } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import { createDescription, type Description } from "./description.js";
import { type Guide, parseGuide } from "./guide.js";
import { loadApiDocument, readText } from "./load-document.js";
import { createRoutes, type Routes } from "./routes.js";

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
  const described =
    api.openapi === undefined ? undefined : await loadShared(documents, api.openapi, readDescription);
  const guide = api.guide === undefined ? undefined : await loadShared(guides, api.guide, readGuide);
  return {
    ...(described === undefined
      ? {}
      : { description: createDescription(described.document, described.routes, api) }),
    ...(guide === undefined ? {} : { guide: guide.guide }),
  };
}

/** What is wrong with the documents of these sources, as problems of their records. Reads what was not read yet. */
export async function findDocumentProblems(sources: readonly ApiSource[]): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = [];
  for (const source of sources) {
    for (const field of ["openapi", "guide"] as const) {
      const problem = await findProblem(source, field);
      if (problem !== undefined) problems.push(problem);
    }
  }
  return problems;
}

async function findProblem(
  { name, api }: ApiSource,
  field: "openapi" | "guide",
): Promise<RecordProblem | undefined> {
  const file = api[field];
  if (file === undefined) return undefined;
  try {
    await (field === "openapi"
      ? loadShared(documents, file, readDescription)
      : loadShared(guides, file, readGuide));
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    const { message, hint } = error;
    return {
      source: name,
      path: `api.${field}`,
      given: JSON.stringify(file),
      message: `can't be read: ${message}.`,
      fix: hint,
    };
  }
}

interface Shared {
  readonly files: readonly string[];
}

interface SharedDocument extends Shared {
  readonly document: ApiDocument;
  readonly routes: Routes;
}

interface SharedGuide extends Shared {
  readonly guide: Guide;
}

async function readDescription(file: string): Promise<SharedDocument> {
  const document = await loadApiDocument(file);
  return { document, routes: createRoutes(document), files: document.files };
}

async function readGuide(file: string): Promise<SharedGuide> {
  return { guide: parseGuide(file, await readText(file)), files: [file] };
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  /** The state of the files when they were read; what has changed since is read again. */
  readonly stamp: Promise<string>;
}

/** Toolkits of one process share them: a large description is kept once. */
const documents: Map<string, Entry<SharedDocument>> = new Map();
const guides: Map<string, Entry<SharedGuide>> = new Map();
/** No process works with more at a time; the oldest is read again when it is asked for. */
const maxKept = 100;

async function loadShared<Value extends Shared>(
  kept: Map<string, Entry<Value>>,
  path: string,
  read: (file: string) => Promise<Value>,
): Promise<Value> {
  const file = resolve(path);
  const known = kept.get(file);
  if (known !== undefined) {
    const value = await known.value;
    if ((await known.stamp) === (await stampFiles(value.files))) return value;
    // Another call may have begun to read it again already.
    if (kept.get(file) !== known) return loadShared(kept, path, read);
  }
  const value = read(file);
  const entry: Entry<Value> = { value, stamp: value.then(({ files }) => stampFiles(files)) };
  entry.stamp.catch(() => {});
  kept.set(file, entry);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  try {
    return await value;
  } catch (error) {
    // A file that is mended is read without a new process.
    if (kept.get(file) === entry) kept.delete(file);
    throw error;
  }
}

async function stampFiles(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
        () => "",
      ),
    ),
  );
  return stamps.join("\n");
}
