/** What is wrong with a value, before it is known in which file and record the value stands. */

import type { z } from "zod";

export interface Flaw {
  readonly message: string;
  /** What would fix it. */
  readonly fix: string;
}

/** A flaw and its place, counted from the record's root. */
export interface PlacedFlaw extends Flaw {
  readonly path: readonly PropertyKey[];
  /** What was given, ready to be shown; by default it is looked up at `path`. */
  readonly given?: string;
}

/** Lets a zod schema carry a rule that finds at most one flaw in a value, for `.superRefine`: its message and its fix. */
export function createRule<Value>(
  findFlaw: (value: Value) => Flaw | undefined,
): (value: Value, context: z.RefinementCtx<Value>) => void {
  return (value, context) => {
    const flaw = findFlaw(value);
    if (flaw) context.addIssue({ code: "custom", message: flaw.message, params: { fix: flaw.fix } });
  };
}
