/** Where the compiled files of a run of Jest are: a folder for what the package's own name means to the tests. */
import { join } from "node:path";

/** @returns the folder, below the root of a project configuration of Jest */
export function findCompiledFolder({ rootDir, testEnvironmentOptions }) {
  return join(rootDir, ".cache/tests", testEnvironmentOptions.package);
}

/** @returns the same files, but for the package: what imports it from there shares its modules with all others of a process */
export function findSharingFolder(projectConfig) {
  return join(`${findCompiledFolder(projectConfig)}-sharing`, "all");
}
