/** Which threads may have content of confidential sources: a rule about sources, which looks at no value. */

import { ApiSourceError, notConfigured } from "../../core/base/errors.js";
import { type CallContext, findThread, type Logger } from "../../core/base/runtime.js";
import {
  type ConfidentialRule,
  listSources,
  type Mark,
  nameSources,
} from "../../core/call/slots.js";
import { isTimeLimit, within } from "../../core/http/deadline.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { findGivenStore, type ResponseStore } from "../../core/store/response-store.js";
import { type ConfidentialMemory, type FlowRule, mayHold } from "./loaded.js";
import { readMark, readMarks, unknownMark, writeMarks } from "./mark-store.js";

export interface Marks extends ConfidentialRule {
  /** Marks the thread of a call. @throws ApiSourceError `not_marked` where the store fails: then nothing may be sent, and nothing given. */
  add(marks: readonly string[], context: CallContext): Promise<void>;
  /** The marks of the thread that this process and the store know; of one source, or of all. Rejects when the store does. */
  list(context: CallContext, source?: string): Promise<string[]>;
}

interface MarksOptions {
  /** The sources of the toolkit: their records say what they share now. */
  readonly sources: readonly ApiSource[];
  readonly confidential: ConfidentialMemory;
  readonly flow?: FlowRule;
  readonly responseStore?: ResponseStore | "runtime";
  readonly logger: Logger;
  readonly onFailure: (error: unknown) => void;
}

const storeTimeoutMs = 20_000;
const withoutStore =
  "Which threads have content of a confidential source is known only in this process. Set the option responseStore to a store that all processes share.";

export function createMarks(options: MarksOptions): Marks {
  const { sources, confidential, flow, responseStore, logger, onFailure } = options;
  const warnWithoutStore = createWarning(logger);
  const findStore = (context: CallContext): ResponseStore | undefined =>
    findThread(context) === undefined ? undefined : findGivenStore(responseStore, context);
  const readStored = (context: CallContext): Promise<string[]> =>
    readFrom(findStore(context), context);
  const failed = (context: CallContext, error: unknown): void => {
    // A store that outlasts the time of the call failed; a caller who left does not.
    if (!isTimeLimit(context.signal?.reason)) context.signal?.throwIfAborted();
    onFailure(error);
  };
  const add = async (marks: readonly string[], context: CallContext): Promise<void> => {
    confidential.isLoaded = true;
    addToProcess(confidential, marks, context);
    const store = findStore(context);
    if (store === undefined) return warnWithoutStore(context);
    const write = (): Promise<void> => writeMarks(store, marks, context);
    await within(storeTimeoutMs, context, write).catch((error: unknown) => {
      failed(context, error);
      throw notMarked;
    });
  };

  return {
    add,
    mark: (source, context) => add([writeMark(source)], context),
    get isOn() {
      return confidential.isLoaded || flow !== undefined;
    },
    get mayHold() {
      return mayHold(flow, confidential);
    },
    async list(context, source) {
      const stored = await readStored(context);
      // After the store was read: another call may have marked the thread meanwhile.
      const all = new Set([...listOfProcess(confidential, context), ...stored]);
      return [...all].filter((mark) => source === undefined || readMark(mark).source === source);
    },
    async judge(target, context) {
      const stored = await readStored(context).catch((error: unknown) => {
        failed(context, error);
        return [JSON.stringify(unknownMark)];
      });
      const marks = new Set([...listOfProcess(confidential, context), ...stored]);
      const flows = [...marks]
        .map((text) => readCurrentMark(text, sources))
        .filter((mark) => isHeld(mark, target));
      if (flow === "refuse" && flows.length > 0) throw refuseFlows(flows, target);
      return flows;
    },
  };
}

async function readFrom(store: ResponseStore | undefined, context: CallContext): Promise<string[]> {
  if (store === undefined) return [];
  return within(storeTimeoutMs, context, () => readMarks(store, context));
}

function addToProcess(
  { marked }: ConfidentialMemory,
  marks: readonly string[],
  context: CallContext,
): void {
  const thread = findThread(context);
  marked.set(thread, new Set([...(marked.get(thread) ?? []), ...marks]));
}

function listOfProcess({ marked }: ConfidentialMemory, context: CallContext): string[] {
  return [...(marked.get(findThread(context)) ?? [])];
}

function writeMark({ slug: source, api: { baseUrl, sharesWith = [] } }: ApiSource): string {
  return JSON.stringify({ source, baseUrl, sharesWith });
}

/** A mark with the list of the source's record, which may have changed since the thread was marked; with its own where the toolkit has no such source. */
function readCurrentMark(text: string, sources: readonly ApiSource[]): Mark {
  const mark = readMark(text);
  const source = sources.find((each) => isOf(mark, each));
  if (source?.api.confidential !== true) return mark;
  return { ...mark, sharesWith: source.api.sharesWith ?? [] };
}

const isOf = ({ source, baseUrl }: Mark, { slug, api }: ApiSource): boolean =>
  source === slug && baseUrl === api.baseUrl;

/** Whether a request to the target waits because of this mark. */
function isHeld(mark: Mark, target: ApiSource): boolean {
  return !isOf(mark, target) && !mark.sharesWith.includes(target.slug);
}

/** One warning where a run may go on in another process. */
function createWarning(logger: Logger): (context: CallContext) => void {
  let isWarned = false;
  return ({ configurable }) => {
    if (isWarned || configurable?.["__pregel_checkpointer"] === undefined) return;
    isWarned = true;
    logger.warn(withoutStore);
  };
}

function refuseFlows(flows: readonly Mark[], { name }: ApiSource): ApiSourceError {
  return new ApiSourceError({
    message: `This conversation may have content of ${nameSources(listSources(flows))}, which must not reach ${name}. Nothing was sent.`,
    category: "refused_by_policy",
    code: "confidential_source",
    hint: "Go on without this source. The user can name it in `sharesWith` of the confidential source's record, or change the option `flow`.",
  });
}

const notMarked: ApiSourceError = notConfigured(
  "not_marked",
  "The source is confidential, and the store that notes which threads have content of it failed. Nothing was sent or read.",
  "The agent can't change this. Try it again when the application's store answers.",
);
