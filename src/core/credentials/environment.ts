/** The process environment: the only place that reads it, and only when a call or a toolkit asks. */

import { config } from "dotenv";
import { ApiSourceError } from "../base/errors.js";

/** Reads one variable by name; undefined when it is not set. */
export type ReadEnvironment = (name: string) => string | undefined;

export const readProcessEnvironment: ReadEnvironment = (name) => process.env[name];

/**
 * Loads `NAME=value` lines of a `.env` file into the process environment. A variable that is set already keeps
 * its value. The library never does this by itself: an application calls it, once, before it makes a toolkit.
 *
 * @param path - The file. Default: `.env` in the working directory, if there is one.
 * @returns The names the file defines, without their values; none when no file was named and `.env` is missing.
 * @throws ApiSourceError `not_configured` when the file can't be read, or a named one is not there.
 *
 * @example
 * loadEnvFile(); // ["GITHUB_TOKEN"]
 */
export function loadEnvFile(path?: string): string[] {
  const { parsed, error } = config({ path: path ?? ".env", quiet: true });
  if (error === undefined) return Object.keys(parsed ?? {});
  const code = "code" in error ? String(error.code) : "";
  // In production the variables often come from elsewhere.
  if (path === undefined && code === "ENOENT") return [];
  throw new ApiSourceError({
    message: `The environment file ${path ?? ".env"} could not be read${code === "" ? "" : ` (${code})`}.`,
    category: "not_configured",
    hint: "Create the file (see .env.example) or pass loadEnvFile the path of the one you have.",
  });
}
