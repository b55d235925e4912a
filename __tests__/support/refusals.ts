/** What a part of the package refuses, as a value. */

import { ApiSourceError } from "../../src/core/base/errors.js";

/** Runs the function. @returns the ApiSourceError that it throws, or undefined; whatever else it throws is thrown. */
export function findRefusal(run: () => unknown): ApiSourceError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiSourceError) return error;
    throw error;
  }
  return undefined;
}

/** The ApiSourceError of work that must be refused. */
export async function awaitRefusal(work: Promise<unknown>): Promise<ApiSourceError> {
  const error = await work.then(
    () => new Error("It was not refused."),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiSourceError) return error;
  throw error;
}
