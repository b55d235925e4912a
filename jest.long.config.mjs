// What takes minutes: canaries over every encoding, processes that are killed, a terminal, memory, and each property in its full size.
import { readdirSync, readFileSync } from "node:fs";
import base from "./jest.config.mjs";

const files = readdirSync("__tests__", { recursive: true }).filter((name) =>
  name.endsWith(".test.ts"),
);
const hasLongRun = (name) =>
  readFileSync(`__tests__/${name}`, "utf8").includes("support/long-run.js");

/** Needs Node, and Python for the pseudo-terminal. */
export default {
  ...base,
  testMatch: files
    .filter((name) => name.endsWith(".long.test.ts") || hasLongRun(name))
    .map((name) => `<rootDir>/__tests__/${name}`),
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/__tests__/servers/"],
  globals: { isLongRun: true },
  testSequencer: "<rootDir>/scripts/jest/longest-first.mjs",
  testTimeout: 120000,
};
