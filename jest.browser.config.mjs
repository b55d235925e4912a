// The page of the inspector in a real browser (Debian's chromium, or CHROMIUM=PATH), on the built package.
import base from "./jest.config.mjs";

export default {
  ...base,
  // The name of the package is the package itself, as it was built.
  testEnvironmentOptions: { package: "built" },
  testMatch: ["<rootDir>/__tests__/browser/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  modulePathIgnorePatterns: ["<rootDir>/.cache/"],
};
