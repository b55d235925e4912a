/** Begins with the test files that take long, of which the size of a file tells nothing: begun last, one of them keeps one processor alone. */
import { readFileSync } from "node:fs";
import sequencer from "@jest/test-sequencer";

const TestSequencer = sequencer.default ?? sequencer;

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const ranks = new Map(tests.map((test) => [test, rankOf(test.path)]));
    return super.sort(tests).sort((one, other) => ranks.get(one) - ranks.get(other));
  }
}

/** Files of the long suite, those with properties in their full size, and the others. */
function rankOf(path) {
  if (path.endsWith(".long.test.ts")) return 0;
  return readFileSync(path, "utf8").includes("support/long-run.js") ? 1 : 2;
}
