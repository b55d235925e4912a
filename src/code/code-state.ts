/** `state`: what code keeps from run to run of a thread, in the store of kept responses. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { CallContext } from "../runtime.js";

const noteName = "run_api_code state";
/** It is for findings and places to go on from; what is large is kept as a response. */
const maxCharacters = 100_000;
const empty = "{}";

/** JSON text of an object; an empty one where nothing was kept, or the store does not answer. */
export async function loadState(runtime: ClientRuntime, context: CallContext): Promise<string> {
  try {
    const text = await runtime.archive.recall(noteName, context);
    return text !== undefined && isObject(JSON.parse(text)) ? text : empty;
  } catch (error) {
    runtime.logger.warn("The state of run_api_code could not be read.", {
      error: runtime.describeError(error),
    });
    return empty;
  }
}

/**
 * Keeps what `state` holds after a run.
 *
 * @param after - Undefined where it is not JSON.
 * @returns what the reader must know, in a sentence; none when it is kept
 */
export async function writeState(
  runtime: ClientRuntime,
  context: CallContext,
  { before, after }: { readonly before: string; readonly after: string | undefined },
): Promise<string[]> {
  if (after === before) return [];
  if (after === undefined || !isObject(JSON.parse(after)))
    return ["`state` was not kept: it must be an object of JSON values. It is what it was before this run."];
  if (after.length > maxCharacters)
    return [
      `\`state\` was not kept: it has ${after.length} characters as JSON, and ${maxCharacters} is the most. It is what it was before this run.`,
    ];
  try {
    await runtime.archive.note(noteName, after, context);
    return [];
  } catch (error) {
    runtime.logger.warn("The state of run_api_code could not be kept.", {
      error: runtime.describeError(error),
    });
    return ["`state` was not kept: the store could not take it."];
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
