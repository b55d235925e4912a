/** Knows where the application reads what was kept. */

import { aText, createOption } from "../core/base/option-rules.js";
import { isStore, type RuntimeStore } from "../core/base/runtime.js";

export interface ReadFileOptions {
  /** The thread that it was kept in. @default the toolkit's own scope */
  readonly threadId?: string | undefined;
  /** The agent's store, where `responseStore` is `"runtime"`: outside of a run nothing else gives it. */
  readonly store?: RuntimeStore | undefined;
}

export const readRules = { threadId: aText, store: createOption(isStore, "the agent's store") };
