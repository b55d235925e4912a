/** Knows where the application reads what was kept. */

import { notConfigured } from "../core/base/errors.js";
import { aText, createOption } from "../core/base/option-rules.js";
import { isStore, type RuntimeStore } from "../core/base/runtime.js";

export interface ReadFileOptions {
  /** The thread that it was kept in. @default the toolkit's own scope */
  readonly threadId?: string | undefined;
  /** The agent's store, where `responseStore` is `"runtime"`: outside of a run nothing else gives it. */
  readonly store?: RuntimeStore | undefined;
}

export const readRules = { threadId: aText, store: createOption(isStore, "the agent's store") };

/** @throws ApiSourceError `not_configured` where what was not found may be in a store that was not given. */
export function checkStoreGiven(
  responseStore: unknown,
  { store }: Pick<ReadFileOptions, "store">,
): void {
  if (responseStore !== "runtime" || store !== undefined) return;
  throw notConfigured(
    "store_required",
    'Nothing is kept under this id in this process, and the option `responseStore` is "runtime": the store of the running agent is not known here.',
    "Give the agent's store: `{ threadId, store }`.",
  );
}
