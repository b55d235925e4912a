/** The limits of every sandbox that are not options. */

import type { SandboxLimits } from "./sandbox-messages.js";

/**
 * What a run may send out. The host works on all of it in its event loop (parsing, redaction, the view), so that each bound is as large as
 * fits into half a second of that work: `bench/code-attacks.mjs` measures it.
 */
export const sandboxLimits: Omit<SandboxLimits, "cpuMs" | "memoryBytes" | "maxQuestions"> = {
  maxQuestionCharacters: 1_000_000,
  maxOpenCharacters: 20_000_000,
  maxLogLines: 200,
  maxLogCharacters: 20_000,
  maxResultCharacters: 5_000_000,
  maxResultMembers: 20_000,
  maxStateCharacters: 100_000,
  largeReplyCharacters: 65_536,
};
