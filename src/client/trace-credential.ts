/** Where the credential of a call came from: the variables to name in a message or a command line. */

import type { UsableCredential } from "../credentials/credential.js";
import { listCredentialVariables } from "../credentials/credential-variables.js";
import type { ApiSource } from "../source/api-source.js";
import type { ClientRuntime } from "./create-client-runtime.js";

export interface CredentialOrigin {
  /** One variable for a token or a `username:password` pair, two for a username and a password; none without authType. */
  readonly variables: readonly string[];
  /** Every variable that is looked at, in order. */
  readonly candidates: readonly string[];
  /** Whether the credential stands in those variables; else the application gave it, or there is none. */
  readonly isFromEnvironment: boolean;
}

/**
 * Compares the credential with what the variables of the source hold. Of two variables that may hold a token the one that
 * does is named; when none does, the first.
 */
export function traceCredential(
  source: ApiSource,
  runtime: ClientRuntime,
  credential: UsableCredential | undefined,
): CredentialOrigin {
  if (source.api.authType === undefined) return { variables: [], candidates: [], isFromEnvironment: false };
  const candidates = listCredentialVariables(source);
  const read = (name: string): string | undefined => readVariable(source, runtime, name);
  if (source.api.authType !== "basic") {
    const token = credential?.kind === "token" ? credential.token : undefined;
    const holder = candidates.find((name) =>
      token === undefined ? read(name) !== undefined : read(name) === token,
    );
    return {
      variables: holder === undefined ? candidates.slice(0, 1) : [holder],
      candidates,
      isFromEnvironment: holder !== undefined,
    };
  }
  const pair = credential?.kind === "basic" ? `${credential.username}:${credential.password}` : undefined;
  const held = candidates.map((name) => read(name) ?? "").join(":");
  return { variables: candidates, candidates, isFromEnvironment: pair !== undefined && held === pair };
}

/** The environment belongs to the credentials room; it tells a value only beside the credential, which is no text. */
function readVariable(source: ApiSource, runtime: ClientRuntime, name: string): string | undefined {
  const value = runtime.credentials.listStaticSecrets(source, [name]).at(-1);
  return typeof value === "string" ? value : undefined;
}
