/** A job that the API calls failed, as an error for a model: the API's own reason, and what to do. */

import type { CallError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { isObject } from "../json/shape.js";
import { applyErrorBounds } from "./call-error.js";
import { readErrorBody } from "./error-body.js";

/** Members that describe the job rather than its failure. */
const stateMembers = new Set(["status", "state", "id", "name", "done", "metadata"]);

/**
 * Describes a failed job.
 *
 * @param document - The last response of the job.
 * @param word - The state as the API writes it.
 */
export function explainFailedJob(document: JsonValue | undefined, word: string | undefined): CallError {
  const members = isObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => !stateMembers.has(name)))
    : null;
  const { message, codes } = readErrorBody(members);
  const state = word === undefined ? "failed" : `"${word}"`;
  return applyErrorBounds({
    message: `The job ended as ${state}${message === undefined ? "." : `: ${message}`}`,
    category: "job_failed",
    retryable: false,
    ...(codes[0] === undefined ? {} : { code: codes[0] }),
    hint: "The request that started the job was accepted; the job itself failed. Correct what the reason names before you start another job.",
  });
}
