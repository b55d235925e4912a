/** Why a run of code can't begin, or go on. */

/** Its message is in words for the model. */
export class RunProblem extends Error {
  /** @param code - For a program, such as `busy`. */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The code put a secret into a question that no reply contained. */
export class GuessProblem extends RunProblem {
  constructor() {
    super("the code put a credential into a question");
  }
}
