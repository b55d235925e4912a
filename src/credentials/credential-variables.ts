/** Which environment variables hold a source's credential. */

import type { ApiSource } from "../source/api-source.js";

/** A token is the first of `token` that is set; basic needs both others, or one variable that holds `username:password`. */
export interface CredentialVariables {
  readonly token: readonly string[];
  readonly username?: string;
  readonly password?: string;
  readonly pair?: string;
}

/**
 * Names the variables of a source: `credentialEnv` of the record, else NAME_TOKEN and NAME_API_KEY, or
 * NAME_USERNAME and NAME_PASSWORD for basic, where NAME is the tool's name in capitals (a hyphen as `_`, because
 * shells allow no hyphen in a variable's name).
 */
export function listCredentialVariables(source: ApiSource): CredentialVariables {
  const { authType, credentialEnv } = source.api;
  const prefix = source.slug.toUpperCase().replaceAll("-", "_");
  if (authType !== "basic") {
    return { token: listTokenVariables(credentialEnv) ?? [`${prefix}_TOKEN`, `${prefix}_API_KEY`] };
  }
  if (typeof credentialEnv === "string") return { token: [], pair: credentialEnv };
  const [first, second] = Array.isArray(credentialEnv) ? credentialEnv : [];
  const named = isNamedPair(credentialEnv) ? credentialEnv : {};
  return {
    token: [],
    username: named.username ?? first ?? `${prefix}_USERNAME`,
    password: named.password ?? second ?? `${prefix}_PASSWORD`,
  };
}

/** Every variable, in the order a person would set them: for messages. */
export function nameCredentialVariables(source: ApiSource): string[] {
  const { token, username, password, pair } = listCredentialVariables(source);
  return [...token, username, password, pair].filter((name) => name !== undefined);
}

type CredentialEnv = ApiSource["api"]["credentialEnv"];

function listTokenVariables(credentialEnv: CredentialEnv): readonly string[] | undefined {
  if (typeof credentialEnv === "string") return [credentialEnv];
  return Array.isArray(credentialEnv) ? credentialEnv : undefined;
}

function isNamedPair(value: CredentialEnv): value is { username?: string; password?: string } {
  return typeof value === "object" && !Array.isArray(value);
}
