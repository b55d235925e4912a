/** Has the process forget its confidential sources after the tests of a file: the test files of a process share the modules of `src`. */

import { afterAll } from "@jest/globals";
import { processState } from "../../src/toolkit/client/process-state.js";

export function forgetConfidential(): void {
  const { confidential } = processState;
  afterAll(() => {
    confidential.isLoaded = false;
    confidential.marked.clear();
  });
}
