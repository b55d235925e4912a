// The tests on frameworks, where scripts/test-frameworks.mjs has installed them: the package is the packed one.
import { createRequire } from "node:module";
import base from "./jest.config.mjs";

const { resolve } = createRequire(import.meta.url);

export default {
  ...base,
  rootDir: process.env.FRAMEWORKS_FOLDER,
  globalSetup: resolve("./scripts/jest/compile.mjs"),
  testEnvironment: resolve("./scripts/jest/environment.mjs"),
  testEnvironmentOptions: { package: "installed" },
  testRunner: resolve("./scripts/jest/run-test-file.mjs"),
  testMatch: ["<rootDir>/src/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  modulePathIgnorePatterns: [],
  reporters: ["default", resolve("./scripts/closing-line-reporter.mjs")],
  // A bundler takes half a minute on a quiet machine.
  testTimeout: 240_000,
};
