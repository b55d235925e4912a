/** Bounds the work of one query: nested queries grow with the square of a body, and they run on the only thread. */

import { ApiSourceError } from "../errors.js";

/** Counts work; throws when there was too much of it. */
export type CountSteps = (steps: number) => void;

/** About a second or two of work. */
const defaultMaxSteps = 5_000_000;

/** @throws ApiSourceError `invalid_input` from the counter, once the query has done more than `maxSteps`. */
export function createStepCounter(maxSteps: number = defaultMaxSteps): CountSteps {
  let count = 0;
  return (steps) => {
    count += steps;
    if (count <= maxSteps) return;
    throw new ApiSourceError({
      message: `The select was stopped after ${maxSteps} steps: it does too much work on this body.`,
      category: "invalid_input",
      code: "select_too_costly",
      hint: "Filter first and compute after that, take a slice such as items[:100], or avoid a query inside a query.",
    });
  };
}
