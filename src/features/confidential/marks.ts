/** Which threads may have content of confidential sources: a rule about sources, which looks at no value. */

import { ApiSourceError, notConfigured } from "../../core/base/errors.js";
import { type CallContext, findThread, type Logger } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import {
  type ConfidentialRule,
  listSources,
  type Mark,
  nameSources,
} from "../../core/call/slots.js";
import { isTimeLimit, within } from "../../core/http/deadline.js";
import { findGivenStore, type ResponseStore, writeEntry } from "../../core/store/response-store.js";
import { confidential, type FlowRule, mayHold } from "./loaded.js";

export interface Marks extends ConfidentialRule {
  /** Marks the thread of a call. @throws ApiSourceError `not_marked` where the store fails: then nothing may be sent, and nothing given. */
  add(marks: readonly string[], context: CallContext): Promise<void>;
  /** The marks of the thread that this process knows; of one source, or of all. */
  list(context: CallContext, source?: string): string[];
}

interface MarksOptions {
  readonly flow?: FlowRule;
  readonly responseStore?: ResponseStore | "runtime";
  readonly logger: Logger;
  readonly onFailure: (error: unknown) => void;
}

/** The marks of this process by thread (never the scope: holding too much is safe), without end. Calls without a thread are one thread. */
const marked = new Map<string | undefined, Set<string>>();

const namespace = ["api-confidential"];
const storeTimeoutMs = 20_000;
/** A store may have a time to live of its own for entries without one. */
const centuryMs = 100 * 365 * 24 * 3_600_000;
/** How often a mark that another process has overwritten is added again. */
const maxAttempts = 5;
const unknownMark: Mark = { source: "*", baseUrl: "", sharesWith: [] };
const withoutStore =
  "Which threads have content of a confidential source is known only in this process. Set the option responseStore to a store that all processes share.";

export function createMarks({ flow, responseStore, logger, onFailure }: MarksOptions): Marks {
  let isWarned = false;
  const findStore = (context: CallContext): ResponseStore | undefined =>
    findThread(context) === undefined ? undefined : findGivenStore(responseStore, context);
  const warnOnce = ({ configurable }: CallContext): void => {
    if (isWarned || configurable?.["__pregel_checkpointer"] === undefined) return;
    isWarned = true;
    logger.warn(withoutStore);
  };
  const read = async (store: ResponseStore, context: CallContext): Promise<string[]> => {
    const entry = await store.get(namespace, nameEntry(context));
    const marks: unknown = entry?.value["marks"] ?? [];
    if (Array.isArray(marks) && marks.every(isMark)) return marks;
    throw new Error("The entry is not a list of marks.");
  };
  const failed = (context: CallContext, error: unknown): void => {
    // A store that outlasts the time of the call failed; a caller who left does not.
    if (!isTimeLimit(context.signal?.reason)) context.signal?.throwIfAborted();
    onFailure(error);
  };

  const rule: Marks = {
    mark: ({ slug: source, api: { baseUrl, sharesWith = [] } }, context) =>
      rule.add([JSON.stringify({ source, baseUrl, sharesWith })], context),
    get isOn() {
      return confidential.isLoaded || flow !== undefined;
    },
    get mayHold() {
      return mayHold(flow);
    },
    async add(marks, context) {
      confidential.isLoaded = true;
      const thread = findThread(context);
      marked.set(thread, new Set([...(marked.get(thread) ?? []), ...marks]));
      const store = findStore(context);
      if (store === undefined) return warnOnce(context);
      const write = async (): Promise<void> => {
        // Read again after it was written: another process may have written the list at that moment.
        for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
          const known = await read(store, context);
          if (marks.every((mark) => known.includes(mark))) return;
          const all = { marks: [...new Set([...known, ...marks])] };
          await writeEntry({ store, namespace }, nameEntry(context), all, centuryMs);
        }
        throw new Error("Other processes keep replacing the marks of this thread.");
      };
      await within(storeTimeoutMs, context, write).catch((error: unknown) => {
        failed(context, error);
        throw notMarked;
      });
    },
    list: (context, source) =>
      [...(marked.get(findThread(context)) ?? [])].filter(
        (mark) => source === undefined || readMark(mark).source === source,
      ),
    async judge({ name, slug, api: { baseUrl } }, context) {
      const store = findStore(context);
      const own = marked.get(findThread(context)) ?? [];
      const found = await (
        store && within(storeTimeoutMs, context, () => read(store, context))
      )?.catch((error: unknown) => {
        failed(context, error);
        return [JSON.stringify(unknownMark)];
      });
      const ways = [...new Set([...own, ...(found ?? [])])]
        .map(readMark)
        .filter((mark) => !(mark.source === slug && mark.baseUrl === baseUrl))
        .filter(({ sharesWith }) => !sharesWith.includes(slug));
      if (flow !== "refuse" || ways.length === 0) return ways;
      throw new ApiSourceError({
        message: `This conversation may have content of ${nameSources(listSources(ways))}, which must not reach ${name}. Nothing was sent.`,
        category: "refused_by_policy",
        code: "confidential_source",
        hint: "Go on without this source. The user can name it in `sharesWith` of the confidential source's record, or change the option `flow`.",
      });
    },
  };
  return rule;
}

function nameEntry(context: CallContext): string {
  return hashText(findThread(context) ?? "");
}

function readMark(text: string): Mark {
  return { ...unknownMark, ...Object(JSON.parse(text)) };
}

/** A store is outside: what comes back is checked. */
function isMark(text: unknown): text is string {
  return typeof text === "string" && Array.isArray(readMark(text).sharesWith);
}

const notMarked: ApiSourceError = notConfigured(
  "not_marked",
  "The source is confidential, and the store that notes which threads have content of it failed. Nothing was sent or read.",
  "The agent can't change this. Try it again when the application's store answers.",
);
