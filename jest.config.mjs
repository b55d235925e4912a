// The suite that needs nothing but Node.
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
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
  // Servers of others are a suite of their own: they must be installed first (npm run test:servers).
  // What takes minutes has a suite of its own, too (npm run test:long).
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/__tests__/servers/", "\\.long\\.test\\.ts$"],
  modulePathIgnorePatterns: ["<rootDir>/.cache/", "<rootDir>/dist/"],
  reporters: ["default", "<rootDir>/scripts/closing-line-reporter.mjs"],
  // Jest leaves one processor out by itself: on two, half of them.
  maxWorkers: "100%",
  testTimeout: 20000,
};
