// The suite that needs nothing but Node.
import { entryPoints } from "./scripts/entry-points.mjs";

/** Whether the tests import the installed package: `npm run test:package` sets it. Else they import the sources. */
const isInstalled = process.env.TEST_PACKAGE === "installed";
const sources = Object.entries(entryPoints).map(([subpath, { source }]) => [
  `^langchain-api-sources${subpath.slice(1)}$`,
  `<rootDir>/${source}`,
]);
/** A `.js` in an import of TypeScript is the `.ts` file beside it. */
const typeScriptFiles = { "^(\\.{1,2}/.*)\\.js$": "$1" };

export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: { ...(isInstalled ? {} : Object.fromEntries(sources)), ...typeScriptFiles },
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
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
  // By default Jest leaves one processor unused: on two, that is half of them.
  maxWorkers: "100%",
  // Modules of ended test files stay in a worker's memory: with two gigabytes it takes too long to exit, and is ended by force.
  workerIdleMemoryLimit: "800MB",
  // A shared machine may be ten times as slow as a quiet one.
  testTimeout: 60000,
};
