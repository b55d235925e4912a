// What a test imports as `@jest/globals`, of the test file that imports it: scripts/jest/run-test-file.mjs keeps it.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for("jest-globals")];
