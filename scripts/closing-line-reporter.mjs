/** Ends a jest run with one plain line that a person and a script read alike: `Tests: 12 passed, 0 failed`. */
export default class ClosingLineReporter {
  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numFailedTestSuites, numRuntimeErrorTestSuites },
  ) {
    // A file that does not even load has no failed test, but the run has failed.
    const failed =
      numFailedTests +
      (numFailedTests === 0 ? numFailedTestSuites || numRuntimeErrorTestSuites : 0);
    process.stdout.write(`\nTests: ${numPassedTests} passed, ${failed} failed\n`);
  }
}
