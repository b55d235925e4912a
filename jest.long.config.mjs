// What takes minutes: canaries over every encoding, hostile queries and bodies of full size, memory. Needs nothing but Node.
import base from "./jest.config.mjs";

export default {
  ...base,
  testMatch: ["<rootDir>/__tests__/**/*.long.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/__tests__/servers/"],
  testTimeout: 120000,
};
