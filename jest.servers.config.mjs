// The suite on third-party servers: the same transform as all others, its own folder, and time for a server to start.
import base from "./jest.config.mjs";

export default {
  ...base,
  testMatch: ["<rootDir>/__tests__/servers/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/"],
  // Processes are started one after the other: a busy machine needs a minute for some tests.
  testTimeout: 180_000,
  maxWorkers: 2,
};
