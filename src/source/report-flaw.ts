/** Lets a zod schema carry a rule of this room: its message, and beside it what would fix it. */

import type { z } from "zod";
import type { Flaw } from "./flaw.js";

/** Makes a check for `.superRefine` of a rule that finds at most one flaw in a value. */
export function reportFlaw<Value>(
  findFlaw: (value: Value) => Flaw | undefined,
): (value: Value, context: z.RefinementCtx<Value>) => void {
  return (value, context) => {
    const flaw = findFlaw(value);
    if (flaw) context.addIssue({ code: "custom", message: flaw.message, params: { fix: flaw.fix } });
  };
}
