/** Waits no longer than a signal allows, for code that knows no signals, and tells a time limit from a cancelled call. */

import { ApiSourceError } from "../errors.js";

/** The promise's result, or a rejection with the signal's reason as soon as it fires. */
export async function raceSignal<T>(work: Promise<T> | T, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const leave = (): void => signal.removeEventListener("abort", abort);
    Promise.resolve(work).then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        reject(error);
      },
    );
  });
}

/** Whether somebody wants no answer any more; a time limit wants the best one there is. */
export function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !isTimeLimit(signal.reason);
}

/** Our own deadline, or `AbortSignal.timeout()`, which LangChain's `timeout` option is made with. */
export function isTimeLimit(reason: unknown): boolean {
  if (reason instanceof ApiSourceError) return reason.category === "timeout";
  // Not `instanceof`: it is a DOMException, and may come from another realm.
  return typeof reason === "object" && reason !== null && "name" in reason && reason.name === "TimeoutError";
}
