/** The marks of a thread in the store that several processes share: one entry for each thread, without end. */

import { type CallContext, findThread } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import type { Mark } from "../../core/call/slots.js";
import { type ResponseStore, writeEntry } from "../../core/store/response-store.js";

const namespace = ["api-confidential"];
/** A store may have a time to live of its own for entries without one. */
const centuryMs = 100 * 365 * 24 * 3_600_000;
/** How often a mark that another process has overwritten is added again. */
const maxAttempts = 5;

/** Stands for any source: the thread may have content of it, and no one knows of which. */
export const unknownMark: Mark = { source: "*", baseUrl: "", sharesWith: [] };

export function readMark(text: string): Mark {
  return { ...unknownMark, ...Object(JSON.parse(text)) };
}

/** The marks of the thread of a call. Rejects when the store does, and for an entry that is something else. */
export async function readMarks(store: ResponseStore, context: CallContext): Promise<string[]> {
  const entry = await store.get(namespace, nameEntry(context));
  const marks: unknown = entry?.value["marks"] ?? [];
  if (Array.isArray(marks) && marks.every(isMark)) return marks;
  throw new Error("The entry is not a list of marks.");
}

/** Adds marks to the thread of a call. Rejects when the store does. */
export async function writeMarks(
  store: ResponseStore,
  marks: readonly string[],
  context: CallContext,
): Promise<void> {
  // Read again after it was written: another process may have written the list at that moment.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const known = await readMarks(store, context);
    if (marks.every((mark) => known.includes(mark))) return;
    const all = { marks: [...new Set([...known, ...marks])] };
    await writeEntry({ store, namespace }, nameEntry(context), all, centuryMs);
  }
  throw new Error("Other processes keep replacing the marks of this thread.");
}

function nameEntry(context: CallContext): string {
  return hashText(findThread(context) ?? "");
}

/** A store is outside: what comes back is checked. */
function isMark(text: unknown): text is string {
  return typeof text === "string" && Array.isArray(readMark(text).sharesWith);
}
