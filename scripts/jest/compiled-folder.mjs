/** Where the compiled files of a run of Jest are: a folder for what the package's own name means to the tests. */
import { join } from "node:path";

/** @returns the folder, below the root of a project configuration of Jest */
export function findCompiledFolder({ rootDir, testEnvironmentOptions }) {
  return join(rootDir, ".cache/tests", testEnvironmentOptions.package);
}

/** @returns the folder with the same files but those of the package: tests that are imported from it share the modules of the package */
export function findSharingFolder(projectConfig) {
  return join(`${findCompiledFolder(projectConfig)}-sharing`, "all");
}
