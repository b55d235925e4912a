/** Bounds the time that an operation of a store may take. */

import { type CallContext, systemClock } from "../base/runtime.js";
import { createDeadline } from "../http/deadline.js";

/** Rejects when the store takes longer than `timeoutMs`, or when the call is cancelled before. */
export async function within<Value>(
  timeoutMs: number,
  { signal }: CallContext,
  work: () => Promise<Value>,
): Promise<Value> {
  const deadline = createDeadline({ timeoutMs, clock: systemClock, signal });
  try {
    return await deadline.race(work());
  } catch (error) {
    if (deadline.stoppedBy() !== "deadline") throw error;
    throw new Error(`The store did not answer within ${timeoutMs} ms.`);
  } finally {
    deadline.close();
  }
}
