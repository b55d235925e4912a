/** Where a credential is kept: lines of the environment file, or entries of the system's keyring. */

import type { Credential } from "../credentials/credential.js";
import { listCredentialVariables } from "../credentials/credential-variables.js";
import type { ApiSource } from "../source/api-source.js";
import { editEnvFile, listOtherValues } from "./env-file.js";
import { createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, defaultEnvFile } from "./workspace.js";

/** The variables that hold a credential of a source, with their values. */
export function toVariables(source: ApiSource, credential: Credential): Record<string, string> {
  const [first = "", second] = listCredentialVariables(source);
  if (!("username" in credential))
    return { [first]: "token" in credential ? credential.token : credential.apiKey };
  const { username, password } = credential;
  // A record may name one variable for both.
  return second === undefined
    ? { [first]: `${username}:${password}` }
    : { [first]: username, [second]: password };
}

/** Keeps values under their variables. @returns the place, in words. */
export async function storeVariables(
  values: Readonly<Record<string, string>>,
  store: "env" | "keyring",
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

/** The variables that have another value where these are to be kept. */
export async function listOverwritten(
  values: Readonly<Record<string, string>>,
  { store, envFile = defaultEnvFile }: CommonFlags & { readonly store: "env" | "keyring" },
): Promise<string[]> {
  if (store === "env") return listOtherValues(envFile, values);
  const { readKeyring } = await import("../keyring/keyring-credentials.js");
  const found: string[] = [];
  for (const [name, value] of Object.entries(values))
    if (![undefined, "", value].includes(await readKeyring(name))) found.push(name);
  return found;
}

/** Reads the credential from standard input. @throws CommandError 2 where it would be seen there, or has no use. */
export async function readSecretInput({ api }: ApiSource, terminal: Terminal): Promise<Credential> {
  if (api.authType === undefined)
    throw createUsageError(
      "The source sends no credential, so --secret-stdin has no effect.",
      "api-sources add ... --auth bearer --secret-stdin",
    );
  if (terminal.isTyped)
    throw createUsageError(
      "Standard input is a terminal, which would show the secret.",
      "api-sources add ... (it asks for the secret, and shows nothing)",
    );
  return parseSecretText(await terminal.readInput(), api.authType === "basic");
}

/** Forgets variables in the environment file and, where there is one, in the keyring. @returns the names that were there. */
export async function dropVariables(
  names: readonly string[],
  { envFile = defaultEnvFile }: CommonFlags,
): Promise<string[]> {
  const dropped = await editEnvFile(envFile, Object.fromEntries(names.map((name) => [name, undefined])));
  const { removeFromKeyring } = await import("../keyring/keyring-credentials.js");
  for (const name of names) if (await removeFromKeyring(name).catch(() => false)) dropped.push(name);
  return [...new Set(dropped)];
}

/** A credential from text: `username:password` or two lines for basic, else one line. @throws CommandError 2 for another text. */
function parseSecretText(text: string, isBasic: boolean): Credential {
  const [first = "", second, ...more] = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const refuse = (message: string): Error => {
    const value = isBasic ? "$USERNAME:$PASSWORD" : "$TOKEN";
    return createUsageError(message, `printf '%s' "${value}" | api-sources add ... --secret-stdin`);
  };
  if (first === "") throw refuse("Standard input contains no credential.");
  if (more.length > 0 || (second !== undefined && !isBasic))
    throw refuse(`The credential has more than ${isBasic ? "two lines" : "one line"}.`);
  if (!isBasic) return { token: first };
  if (second !== undefined) return { username: first, password: second };
  const colon = first.indexOf(":");
  if (colon === -1) throw refuse("Basic authentication takes a username and a password.");
  return { username: first.slice(0, colon), password: first.slice(colon + 1) };
}
