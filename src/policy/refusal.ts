/** Constructors of the two errors of the request policy. */

import { ApiSourceError } from "../errors.js";

/** What was sent is well-formed, but a rule of the request policy or of the record forbids it. */
export function refusedByPolicy(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, hint, category: "refused_by_policy" });
}

/** What was sent can't be read as what it should be. */
export function invalidInput(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, hint, category: "invalid_input" });
}
