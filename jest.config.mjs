// The suite that needs nothing but Node.

import { availableParallelism } from "node:os";

/** Whether the tests import the installed package: `npm run test:package` sets it. Else they import the sources. */
const isInstalled = process.env.TEST_PACKAGE === "installed";

export default {
  // Node.js imports compiled tests without the vm contexts of Jest.
  globalSetup: "<rootDir>/scripts/jest/compile.mjs",
  testEnvironment: "<rootDir>/scripts/jest/environment.mjs",
  testEnvironmentOptions: { package: isInstalled ? "installed" : "sources" },
  testRunner: "<rootDir>/scripts/jest/run-test-file.mjs",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  testMatch: ["<rootDir>/__tests__/**/*.test.ts"],
  // The tests on third-party servers need these servers (npm run test:servers).
  // The tests on frameworks need these (npm run test:frameworks).
  // The tests in a browser need one (npm run test:browser).
  // What takes minutes has a suite of its own (npm run test:long).
  testPathIgnorePatterns: [
    "/node_modules/",
    "/dist/",
    "/__tests__/servers/",
    "/__tests__/frameworks/",
    "/__tests__/browser/",
    "\\.long\\.test\\.ts$",
  ],
  modulePathIgnorePatterns: ["<rootDir>/.cache/", "<rootDir>/dist/"],
  reporters: ["default", "<rootDir>/scripts/closing-line-reporter.mjs"],
  // Tests wait for servers and processes a part of their time: there are more workers than processors. Jest reads a percentage above 100 as
  // a number of workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Modules of ended test files stay in a worker's memory.
  workerIdleMemoryLimit: "800MB",
  // Without an open handle, too, a worker may take longer to end than Jest's half second: Node.js waits for what V8 does beside the program. Jest
  // ends it by force then, and says so; it says the same of a handle that a test has left open.
  workerGracefulExitTimeout: 2_000,
  // A shared machine may be ten times as slow as a quiet one.
  testTimeout: 60000,
};
