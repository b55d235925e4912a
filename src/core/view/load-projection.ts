/** The default summarizer as applications get it: importing the package loads nothing that only a large answer needs. */

import type { Summarizer } from "./summary.js";

/**
 * Makes the default summarizer: a projection of the body within the budget, without a model. Every value it shows is at the same
 * path in the body; strings may be truncated, arrays keep a prefix, rows lose fields. The same input gives the same view.
 */
export function projectionSummarizer(): Summarizer {
  return {
    async summarize(input) {
      const { project } = await import("./projection-summarizer.js");
      return project(input);
    },
  };
}
