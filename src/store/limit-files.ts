/** Holds the files of one thread to a number of bytes: the oldest are deleted first. */

import { readPlainJson } from "../input.js";
import { deleteKept } from "./keep-response.js";
import { type NamespacedStore, writeEntry } from "./response-store.js";

/** The most bytes of files that one thread keeps. */
export const maxThreadBytes = 100_000_000;

/** The entry that lists the files of a thread, the oldest first: a store need not be able to list. */
const listKey = "files";

interface ListedFile {
  readonly id: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Adds a file to the list of its thread, and deletes the oldest ones until they are within the limit. Rejects when the store does. Two
 * processes that do this at the same moment may each miss the other's file: it is then not counted, and ends by its time.
 */
export async function applyFileLimit(
  namespaced: NamespacedStore,
  added: ListedFile,
  nowMs: number,
): Promise<void> {
  const value = (await namespaced.store.get(namespaced.namespace, listKey))?.value;
  const files = [...readList(value).filter(({ expiresAt }) => expiresAt > nowMs), added];
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  while (bytes > maxThreadBytes && files.length > 1) {
    const oldest = files.shift();
    if (oldest === undefined) break;
    bytes -= oldest.bytes;
    await deleteKept(namespaced, oldest.id);
  }
  const { expiresAt } = added;
  await writeEntry(namespaced, listKey, { files: JSON.stringify(files), expiresAt }, expiresAt - nowMs);
}

/** A store is outside: what comes back is checked, not trusted. */
function readList({ files }: Record<string, unknown> = {}): ListedFile[] {
  const listed = typeof files === "string" ? readPlainJson(files) : undefined;
  return Array.isArray(listed) ? listed.filter(isListed) : [];
}

function isListed(value: unknown): value is ListedFile {
  const { id, bytes, expiresAt }: Record<string, unknown> = { ...Object(value) };
  return typeof id === "string" && typeof bytes === "number" && typeof expiresAt === "number";
}
