/** Where the compiled files of a run of Jest are: a folder for what the package's own name means to the tests. */
import { join } from "node:path";

/** @returns the folder, below the root of a project configuration of Jest */
export function findCompiledFolder({ rootDir, testEnvironmentOptions }) {
  return join(rootDir, ".cache/tests", testEnvironmentOptions.package);
}
