/** What every command works on: the directory of sources, the environment, and where credentials are found. */

import { existsSync } from "node:fs";
import type { CredentialsOption, SecretsOption } from "../credentials/create-credential-resolver.js";
import { isIssued, readCredential } from "../credentials/credential-variables.js";
import { loadEnvFile, readProcessEnvironment } from "../credentials/environment.js";
import type { RecordProblem } from "../errors.js";
import { fileTokenStore } from "../oauth/file-token-store.js";
import type { TokenStore } from "../oauth/token-store.js";
import { SourceDirectory, type SourceEntry } from "../registry/source-directory.js";
import { plural } from "../text.js";
import { CommandError, createUsageError } from "./terminal.js";

/** The flags that every command takes. */
export interface CommonFlags {
  readonly dir?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly envFile?: string;
}

export const defaultEnvFile = ".env";

/** Opens the directory of `--dir`, else `API_SOURCES_DIR`, else `./sources`. */
export async function openDirectory({ dir }: CommonFlags): Promise<SourceDirectory> {
  return SourceDirectory.open(dir ?? (readProcessEnvironment("API_SOURCES_DIR") || "sources"));
}

/** Loads the environment file. The default one may be missing; one that was named may not. */
export function loadEnvironment({ envFile }: CommonFlags): void {
  const path = envFile ?? defaultEnvFile;
  if (existsSync(path)) loadEnvFile(path);
  else if (envFile !== undefined) {
    throw createUsageError(`There is no environment file ${path}.`, `api-sources env > ${path}`);
  }
}

/** The entry of a name. @param writeRight - The line that would be right with another name. @throws CommandError 2 for a name that isn't there, with the nearest one. */
export async function findEntry(
  directory: SourceDirectory,
  slug: string,
  writeRight: (nearest: string) => string,
): Promise<SourceEntry> {
  const entries = await directory.list();
  const entry = entries.find((each) => each.slug === slug);
  if (entry !== undefined) return entry;
  const names = entries.map((each) => each.slug);
  const { findNearest } = await import("../query/witness.js");
  const nearest = findNearest(slug, names) ?? names.find((name) => name.includes(slug));
  if (nearest !== undefined) {
    throw createUsageError(`There is no source "${slug}" in ${directory.path}.`, writeRight(nearest));
  }
  const known = names.length === 0 ? "It has none yet." : `It has: ${names.slice(0, 20).join(", ")}.`;
  throw createUsageError(
    `There is no source "${slug}" in ${directory.path}. ${known}`,
    names.length === 0 ? "api-sources add" : "api-sources list",
  );
}

/** A wrong record, as an error of exit code 2 that lists every problem. */
export function createRecordError(slug: string, problems: readonly RecordProblem[]): CommandError {
  const lines = problems.map(writeProblem).join("\n");
  return new CommandError(2, `The record of "${slug}" has ${plural(problems.length, "problem")}:\n${lines}`);
}

/** One problem of a record as a line. A value that may be a secret is never part of a problem. */
export function writeProblem({ file, path, given, message, fix }: RecordProblem): string {
  const where = path === "" ? (file ?? "the record") : path;
  return `  ${where} ${message}${given === undefined ? "" : ` (given: ${given})`}. ${fix}`;
}

/** Where `login` keeps tokens: `API_SOURCES_TOKEN_DIR`, else a folder of the project that keeps itself out of its repository. */
export function findTokenDirectory(): string {
  return readProcessEnvironment("API_SOURCES_TOKEN_DIR") || ".api-sources/tokens";
}

/**
 * Credentials and secrets for the library: the environment first, then the system's keyring where one is installed; and the tokens that
 * `login` kept.
 */
export function createCredentialOptions(): {
  readonly credentials: CredentialsOption;
  readonly secrets: SecretsOption;
  readonly tokenStore: TokenStore;
} {
  return {
    tokenStore: fileTokenStore(findTokenDirectory()),
    credentials: async (source, context) => {
      if (isIssued(source) || readCredential(source, readProcessEnvironment) !== undefined) return undefined;
      const { keyringCredentials } = await import("../keyring/keyring-credentials.js");
      return await keyringCredentials()
        .getCredential(source, context)
        .catch(() => undefined);
    },
    secrets: async (name) => {
      const value = readProcessEnvironment(name);
      if (value !== undefined && value !== "") return value;
      const { readKeyring } = await import("../keyring/keyring-credentials.js");
      return await readKeyring(name).catch(() => undefined);
    },
  };
}
