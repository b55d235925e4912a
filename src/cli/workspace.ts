/** The workspace of every command: the directory of sources, the environment, and where credentials are found. */

import { existsSync } from "node:fs";
import { quoteWord } from "../core/base/shell-word.js";
import { suggest } from "../core/base/suggest.js";
import {
  isIssued,
  loadEnvFile,
  type ReadEnvironment,
  readCredential,
  readProcessEnvironment,
} from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { fileTokenStore } from "../features/oauth/file-token-store.js";
import type { ClientOptions } from "../toolkit/client/client-options.js";
import { SourceDirectory, type SourceEntry } from "../toolkit/directory/source-directory.js";
import { cleanLine, createRecordError, createUsageError } from "./terminal.js";

/** The flags that every command takes. */
export interface CommonFlags {
  readonly dir?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly envFile?: string;
}

/** The flags of what writes a source. */
export interface SaveFlags extends CommonFlags {
  /** Where the credential is kept. */
  readonly store: "env" | "keyring";
  readonly secretStdin?: boolean;
}

export const defaultEnvFile = ".env";

/**
 * Opens the directory of `--dir`, else `API_SOURCES_DIR`, else `./sources`. The default one may be missing.
 *
 * @param mayBeMade - Whether a directory that is missing is made later, by this command or another one.
 * @throws CommandError 2 for one that was named and is missing.
 */
export async function openDirectory(
  { dir }: CommonFlags,
  mayBeMade: boolean = false,
): Promise<SourceDirectory> {
  const named = dir ?? (readProcessEnvironment("API_SOURCES_DIR") || undefined);
  if (named !== undefined && !mayBeMade && !existsSync(named))
    throw createUsageError(
      `The directory ${cleanLine(named)} does not exist.`,
      `api-sources add https://api.example.com --dir ${quoteWord(named)}, which makes it`,
    );
  return SourceDirectory.open(named ?? "sources");
}

/** Loads the environment file. The default one may be missing; one that was named may not, unless the command makes it. */
export function loadEnvironment({ envFile }: CommonFlags, mayBeMade: boolean = false): void {
  const path = envFile ?? defaultEnvFile;
  if (existsSync(path)) loadEnvFile(path);
  else if (envFile !== undefined && !mayBeMade) {
    throw createUsageError(
      `The environment file ${path} does not exist.`,
      `api-sources env > ${path}`,
    );
  }
}

/** The entry of a name. @throws CommandError 2 for a name that isn't there, with the nearest one. */
export async function findEntry(directory: SourceDirectory, slug: string): Promise<SourceEntry> {
  const entries = await directory.list();
  const entry = entries.find((each) => each.slug === slug);
  if (entry !== undefined) return entry;
  const names = entries.map((each) => each.slug);
  const nearest = suggest(slug, names)?.name;
  throw createUsageError(
    `There is no source "${slug}" in ${directory.path}. It has ${names.slice(0, 20).join(", ") || "none yet"}.`,
    nearest === undefined ? "api-sources list" : `the same with ${nearest}`,
  );
}

/** The source of a name, its credentials loaded. @throws CommandError 2 as `findEntry`, and for a record that is wrong. */
export async function findSource(slug: string, flags: CommonFlags): Promise<ApiSource> {
  const { source, problems } = await findEntry(await openDirectory(flags), slug);
  if (source === undefined) throw createRecordError(slug, problems);
  loadEnvironment(flags);
  return source;
}

/** Whether the environment holds something under a name. */
export function isSet(name: string): boolean {
  return (readProcessEnvironment(name) ?? "") !== "";
}

/** Where `login` keeps tokens: `API_SOURCES_TOKEN_DIR`, else a folder of the project that keeps itself out of its repository. */
export function findTokenDirectory(): string {
  return readProcessEnvironment("API_SOURCES_TOKEN_DIR") || ".api-sources/tokens";
}

/** The value of a variable: of the environment, else of the system's keyring where one is installed. */
export async function readVariable(name: string): Promise<string | undefined> {
  if (isSet(name)) return readProcessEnvironment(name);
  const { readKeyring } = await import("../extras/keyring/keyring-credentials.js");
  return await readKeyring(name).catch(() => undefined);
}

/** Credentials and secrets for the library: of the environment and the keyring; and the tokens that `login` kept. */
export function createCredentialOptions(
  readEnvironment: ReadEnvironment = readProcessEnvironment,
): Pick<ClientOptions, "credentials" | "secrets" | "tokenStore"> {
  return {
    tokenStore: fileTokenStore(findTokenDirectory()),
    // The keyring is asked for a source that has no credential in the environment.
    async credentials(source) {
      if (isIssued(source) || readCredential(source, readEnvironment) !== undefined)
        return undefined;
      const { keyringCredentials } = await import("../extras/keyring/keyring-credentials.js");
      return await keyringCredentials()
        .getCredential(source, {})
        .catch(() => undefined);
    },
    secrets: (name) => readEnvironment(name) || readVariable(name),
  };
}
