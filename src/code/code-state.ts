/** `state` of code: an object that lasts from run to run of a thread. */

import type { CallContext } from "../runtime.js";
import type { CodeReport } from "./run-code.js";
import { codeToolName, type RunningCode } from "./running-code.js";
import { sandboxLimits } from "./sandbox-messages.js";

/** The thread is part of the name: an application's `responseScope` may be a user, with many threads. */
function nameState(context: CallContext): string {
  const thread = findThread(context);
  return `${codeToolName} state${thread === undefined ? "" : ` ${thread}`}`;
}

/** The id of the conversation; undefined outside of one. */
export function findThread({ threadId, configurable }: CallContext): string | undefined {
  const thread = threadId ?? configurable?.["thread_id"];
  return typeof thread === "string" || typeof thread === "number" ? String(thread) : undefined;
}

/** Returns JSON text of an object; of an empty one where nothing was kept, or the store does not answer. */
export async function loadState({ runtime, context }: RunningCode): Promise<string> {
  try {
    const text = (await runtime.keptResponses.recall(nameState(context), context)) ?? "{}";
    // A store is outside: a part of a text ends no run.
    JSON.parse(text);
    return isObject(text) ? text : "{}";
  } catch (error) {
    const problem = { error: runtime.describeError(error) };
    runtime.logger.warn("The state of run_api_code could not be read.", problem);
    return "{}";
  }
}

/** Keeps `state` after a run that came to its end. Returns what the reader must know. */
export async function writeState(
  { runtime, context }: RunningCode,
  { state, limit }: CodeReport,
  before: string,
): Promise<string[]> {
  if (state === undefined || limit !== undefined || state === before) return [];
  if (!isObject(state))
    return [
      `\`state\` was not kept, so it is unchanged: it must be an object of JSON values with at most ${sandboxLimits.maxStateCharacters} characters.`,
    ];
  try {
    await runtime.keptResponses.note(nameState(context), state, context);
    return [];
  } catch (error) {
    const problem = { error: runtime.describeError(error) };
    runtime.logger.warn("The state of run_api_code could not be kept.", problem);
    return ["`state` was not kept: the store could not save it."];
  }
}

/** The sandbox writes an object, and nothing else, with a brace at its beginning. */
function isObject(json: string): boolean {
  return json.startsWith("{");
}
