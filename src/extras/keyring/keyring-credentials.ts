/** Credentials in the system's keyring: macOS Keychain, Windows Credential Manager, or the Secret Service of a Linux desktop. */

import type { AsyncEntry } from "@napi-rs/keyring";
import { ApiSourceError } from "../../core/base/errors.js";
import type { CredentialProvider } from "../../core/credentials/create-credential-resolver.js";
import {
  listCredentialVariables,
  readCredential,
} from "../../core/credentials/credential-variables.js";

/** The service under which entries are kept; the account is the variable's name. */
const service = "langchain-api-sources";
/** A locked keyring may ask a person for a password; a broken one must not hold a call forever. */
const timeoutMs = 30_000;

/**
 * A provider that reads credentials from the system's keyring, where `api-sources add --store keyring` puts them: one entry
 * for each variable that would otherwise be in the environment (`SHOP_TOKEN`). What the keyring doesn't have comes from the environment.
 * Needs the optional package `@napi-rs/keyring`.
 *
 * @example
 * const toolkit = await ApiSourceToolkit.fromDirectory("sources", { credentials: keyringCredentials(), secrets: readKeyring });
 */
export function keyringCredentials(): CredentialProvider {
  return {
    async getCredential(source) {
      const kept = new Map<string, string | undefined>();
      for (const name of listCredentialVariables(source)) kept.set(name, await readKeyring(name));
      return readCredential(source, (name) => kept.get(name));
    },
  };
}

/** The value kept for a variable; undefined when no value is kept. @throws ApiSourceError `not_configured` without a keyring. */
export async function readKeyring(name: string): Promise<string | undefined> {
  if (name === "") return undefined;
  const value = await useEntry(name, (entry, signal) => entry.getPassword(signal));
  return typeof value === "string" ? value : undefined;
}

/** Keeps a value for a variable. @throws ApiSourceError `not_configured` without a keyring. */
export async function writeKeyring(name: string, value: string): Promise<void> {
  await useEntry(name, (entry, signal) => entry.setPassword(value, signal));
}

/** Forgets a variable. @returns whether there was one. @throws ApiSourceError `not_configured` without a keyring. */
export async function removeFromKeyring(name: string): Promise<boolean> {
  if ((await readKeyring(name)) === undefined) return false;
  await useEntry(name, (entry, signal) => entry.deleteCredential(signal));
  return true;
}

async function useEntry<T>(
  name: string,
  use: (entry: AsyncEntry, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    return await use(new AsyncEntry(service, name), AbortSignal.timeout(timeoutMs));
  } catch {
    // The message of the platform is not passed on: it may quote what was to be kept.
    throw new ApiSourceError({
      message: "The system's keyring can't be used here.",
      category: "not_configured",
      hint: `Run npm install @napi-rs/keyring and unlock the desktop's keyring, or set ${name} in the environment instead.`,
    });
  }
}
