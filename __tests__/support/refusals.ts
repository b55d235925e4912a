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
