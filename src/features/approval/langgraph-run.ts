/** A LangGraph run as a tool meets it: how it stops for a person, and how a call is made once however often its node is run again. */

import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { isPlainObject } from "../../core/base/input.js";
import type { CallContext, PausableRun } from "../../core/base/runtime.js";
import { addNote } from "./ask-person.js";
import { notApproved } from "./read-decision.js";

/**
 * The `config` that LangGraph hands every node. LangGraph is not imported: an application has a copy of its own, or none.
 */
interface Run {
  readonly config: Record<string, unknown>;
  readonly configurable: Record<string, unknown>;
  readonly scratchpad: Record<string, unknown>;
}

/** Undefined outside of a run, and in a run that can't stop because it has no checkpointer. */
function findRun(config: unknown): Run | undefined {
  if (!isPlainObject(config) || !isPlainObject(config["configurable"])) return undefined;
  const { configurable } = config;
  const scratchpad = configurable["__pregel_scratchpad"];
  const hasCheckpointer = isPlainObject(configurable["__pregel_checkpointer"]);
  return isPlainObject(scratchpad) && hasCheckpointer
    ? { config, configurable, scratchpad }
    : undefined;
}

/** Finds the run that a call is made in, where it can stop for a person; an empty object outside of one. */
export function findPausableRun(config: unknown): Pick<CallContext, "run"> {
  const found = findRun(config);
  const interrupt = found?.config["interrupt"];
  if (found === undefined || !isFunction(interrupt)) return {};
  const { configurable, scratchpad } = found;
  /** The digests of the questions that this run has asked again by now. */
  const known = new Set<unknown>();
  const interruptFor: PausableRun["ask"] = async (question, isFor) => {
    const waiting = await listWaiting(configurable);
    const others = waiting.filter(({ isAnswered, value }) => !isAnswered && !isFor(value));
    // LangGraph gives an answer without an id to every question that waits: taken is only one that can't be meant for another.
    const { nullResume } = scratchpad;
    const isTaken = nullResume === undefined || others.length === 0 || isFor(nullResume);
    const own = isTaken ? scratchpad : { ...scratchpad, nullResume: undefined };
    const asking = { ...found.config, configurable: { ...configurable, __pregel_scratchpad: own } };
    const stopFor = (asked: object): unknown =>
      AsyncLocalStorageProviderSingleton.runWithConfig(asking, () => interrupt(asked));
    const place = findPlace(waiting, scratchpad, question, isFor);
    // Reading an answer is what has LangGraph note it down.
    if (place === "next") stopFor({});
    else own["interruptCounter"] = place - 1;
    const before = Number(own["interruptCounter"]) + 1;
    for (const { value } of waiting) if (isFor(value)) known.add(digestOf(value));
    const isChanged = waiting.some(
      ({ isOwn, value }) => isOwn && digestOf(value) !== undefined && !known.has(digestOf(value)),
    );
    const repeated = isTaken ? undefined : notTaken;
    const note = isChanged ? notMatched : repeated;
    const asked =
      note === undefined || digestOf(question) === undefined ? question : addNote(question, note);
    const answer = stopFor(before === 0 ? asked : { ...asked, after: before });
    // LangGraph counts the questions of a task: the next one is the next for the copy's original, too.
    scratchpad["interruptCounter"] = own["interruptCounter"];
    return { answer, wasShown: waiting.some(({ value }) => isFor(value)) };
  };
  const ask: PausableRun["ask"] = (question, isFor) =>
    interruptFor(question, isFor).catch((error: unknown) => {
      if (isInterruption(error)) throw error;
      // Such as a checkpointer that can't be read. Its words are not for the model.
      throw notApproved(
        "A person has to approve this call, and the run could not be stopped to ask.",
      );
    });
  const { interruptCounter, nullResume, resume } = scratchpad;
  const next = Number(interruptCounter) + 1;
  const hasOwnAnswer = Array.isArray(resume) && resume.length > next;
  const isAnswered = hasOwnAnswer || nullResume !== undefined;
  const place = `${String(configurable["checkpoint_ns"])}#${next}`;
  return { run: { place, isAnswered, ask } };
}

const notTaken =
  "An answer without an id arrived while several questions waited, so it was not used. Resume with the id of each interrupt, or put the digest of each request into its decision.";
const notMatched =
  "The question that was asked at this place of the run before is not known here: the request has changed, or the question is noted in a responseStore that this process does not share. A request that was approved then may have been sent.";

/** The digest of the request; a question about a consent has none. */
function digestOf(question: unknown): unknown {
  return (question as { request?: { digest?: unknown } } | undefined)?.request?.digest;
}

/**
 * LangGraph takes the answers of a task in the order of its questions, and one that was answered (a person's consent) is not asked again
 * when the node is run once more: a question that is not the first has in `after` how many came before it.
 *
 * @returns how many answers to pass over; `"next"` where the next one is there and was for another question
 */
function findPlace(
  waiting: readonly Waiting[],
  { interruptCounter, resume }: Run["scratchpad"],
  ...[question, isFor]: Parameters<PausableRun["ask"]>
): number | "next" {
  const next = Number(interruptCounter) + 1;
  const shown: unknown = waiting.find(({ isOwn }) => isOwn)?.value;
  const { after, type } = (shown ?? {}) as { after?: unknown; type?: unknown };
  const place = typeof after === "number" ? after : 0;
  if (shown === undefined) return next;
  if (isFor(shown)) return Math.max(next, place);
  const isThere = Array.isArray(resume) && resume.length > next;
  return isThere && place === next && type !== question["type"] ? "next" : next;
}

interface Waiting {
  readonly value: unknown;
  /** Whether the running task asked it. */
  readonly isOwn: boolean;
  /** Whether the task that asked it is over. */
  readonly isAnswered: boolean;
}

/** The channels of what LangGraph notes of a task. */
const notes = /^__(?:interrupt|resume|error)__$/;

/** The questions that the run's checkpoints hold, of this graph and of those around it, each once. */
async function listWaiting({
  thread_id: threadId,
  __pregel_checkpointer: checkpointer,
  checkpoint_map: checkpoints,
  __pregel_task_id: ownTask,
}: Record<string, unknown>): Promise<Waiting[]> {
  if (
    !isPlainObject(checkpointer) ||
    !isFunction(checkpointer["getTuple"]) ||
    !isPlainObject(checkpoints)
  )
    return [];
  const found = new Map<unknown, Waiting>();
  for (const [namespace, id] of Object.entries(checkpoints)) {
    const configurable = { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id };
    const tuple: unknown = await checkpointer["getTuple"]({ configurable });
    const writes =
      isPlainObject(tuple) && Array.isArray(tuple["pendingWrites"]) ? tuple["pendingWrites"] : [];
    // A task is over when it gave something.
    const over = new Set(writes.flatMap(([task, channel]) => (notes.test(channel) ? [] : [task])));
    // One, or a list of them: LangGraph 1.0 notes them as they are.
    for (const [task, channel, interrupts] of writes)
      if (channel === "__interrupt__")
        for (const { id, value } of [interrupts].flat())
          found.set(id, { value, isOwn: task === ownTask, isAnswered: over.has(task) });
  }
  return [...found.values()];
}

/**
 * The calls of one node that may wait for a person, one after the other: LangGraph counts the questions of a node, and an answer must not
 * reach another call because it was faster this time.
 */
export type NodeTurns = WeakMap<object, Promise<void>>;

interface NodeCall {
  readonly toolName: string;
  /** Separates this call of the tool from others; a call that is another one the next time is made anew. */
  readonly callId: string;
  readonly turns: NodeTurns;
}

/**
 * Makes a call as a task of its own where the run can stop: when its node is run again, because another call of it waited for a person,
 * LangGraph gives what the first time gave (plain data), and the call is not made again.
 *
 * @param run - Gets the config of the task.
 */
export async function runOnce<Result>(
  config: unknown,
  { toolName, callId, turns }: NodeCall,
  run: (config: unknown) => Promise<Result>,
): Promise<Result> {
  const found = findRun(config);
  const startTask = found?.configurable["__pregel_call"];
  if (found === undefined || !isFunction(startTask) || isOwnTask(found, toolName))
    return run(config);
  const before = turns.get(found.scratchpad);
  const made = (async (): Promise<Result> => {
    // An earlier call that waits ends this run of the node; this one has its turn when the node is run again.
    await before;
    const work = (): Promise<Result> => {
      const task: unknown = AsyncLocalStorageProviderSingleton.getRunnableConfig();
      const { configurable, interrupt } = isPlainObject(task) ? task : found.config;
      return run({ ...found.config, configurable, interrupt });
    };
    return AsyncLocalStorageProviderSingleton.runWithConfig(found.config, () =>
      startTask(work, `${toolName} ${callId}`, [], {}),
    ) as Promise<Result>;
  })();
  const turn = made.then(
    () => {},
    (error: unknown) => {
      if (isInterruption(error)) throw error;
    },
  );
  turn.catch(() => {});
  turns.set(found.scratchpad, turn);
  return made;
}

/** Whether the running task is this one call already: `createAgent` sends each call of the model to a task of its own. */
function isOwnTask({ scratchpad }: Run, toolName: string): boolean {
  const input = scratchpad["currentTaskInput"];
  const call = isPlainObject(input) ? input["lg_tool_call"] : undefined;
  return isPlainObject(call) && call["name"] === toolName;
}

/** Whether an error is LangGraph's way out of a run: only LangGraph may catch it. */
function isInterruption(error: unknown): boolean {
  return isPlainObject(error) && error["is_bubble_up"] === true;
}

function isFunction(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === "function";
}
