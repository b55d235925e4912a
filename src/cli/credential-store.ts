/** Where a credential is kept: lines of the environment file, or entries of the system's keyring. */

import type { Credential } from "../credentials/credential.js";
import { listCredentialVariables } from "../credentials/credential-variables.js";
import type { ApiSource } from "../source/api-source.js";
import { editEnvFile } from "./env-file.js";
import { createUsageError } from "./terminal.js";
import { type CommonFlags, defaultEnvFile } from "./workspace.js";

export type StoreName = "env" | "keyring";

/** The variables that hold a credential of a source, with their values. */
export function toVariables(source: ApiSource, credential: Credential): Record<string, string> {
  const [first = "", second] = listCredentialVariables(source);
  if (!("username" in credential)) {
    return { [first]: "token" in credential ? credential.token : credential.apiKey };
  }
  // A record may name one variable for both.
  if (second === undefined) return { [first]: `${credential.username}:${credential.password}` };
  return { [first]: credential.username, [second]: credential.password };
}

/** Keeps values under their variables. @returns the place, in words. */
export async function storeVariables(
  values: Readonly<Record<string, string>>,
  store: StoreName,
  { envFile = defaultEnvFile }: CommonFlags,
): Promise<string> {
  if (store === "env") {
    await editEnvFile(envFile, values);
    return envFile;
  }
  const { writeKeyring } = await import("../keyring/keyring-credentials.js");
  for (const [name, value] of Object.entries(values)) await writeKeyring(name, value);
  return "the system's keyring";
}

/** Whether the system's keyring works here. @throws ApiSourceError `not_configured` that names the way out. */
export async function checkKeyring(variable: string): Promise<void> {
  const { readKeyring } = await import("../keyring/keyring-credentials.js");
  await readKeyring(variable);
}

/** Forgets variables in the environment file and, where there is one, in the keyring. @returns the names that were there. */
export async function dropVariables(
  names: readonly string[],
  { envFile = defaultEnvFile }: CommonFlags,
): Promise<string[]> {
  const dropped = await editEnvFile(envFile, Object.fromEntries(names.map((name) => [name, undefined])));
  const { removeFromKeyring } = await import("../keyring/keyring-credentials.js");
  for (const name of names) {
    if (await removeFromKeyring(name).catch(() => false)) dropped.push(name);
  }
  return [...new Set(dropped)];
}

/** A credential from text: `username:password` or two lines for basic, else one line. */
export function parseSecretText(text: string, isBasic: boolean): Credential {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const [first = "", second] = lines;
  if (first === "") throw createUsageError("Standard input held no credential.", secretExample(isBasic));
  if (!isBasic) {
    if (lines.length > 1)
      throw createUsageError("The credential has more than one line.", secretExample(false));
    return { token: first };
  }
  if (second !== undefined && lines.length === 2) return { username: first, password: second };
  const colon = first.indexOf(":");
  if (colon === -1 || lines.length > 2) {
    throw createUsageError("Basic authentication takes a username and a password.", secretExample(true));
  }
  return { username: first.slice(0, colon), password: first.slice(colon + 1) };
}

function secretExample(isBasic: boolean): string {
  return `printf '%s' "${isBasic ? "$USERNAME:$PASSWORD" : "$TOKEN"}" | api-sources add ... --secret-stdin`;
}
