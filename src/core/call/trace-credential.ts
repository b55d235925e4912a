/** Where the credential of a call came from: the variables to name in a message or a command line, the option, or what made it. */

import type { UsableCredential } from "../credentials/credential.js";
import { listCredentialVariables } from "../credentials/credential-variables.js";
import { describeMaker } from "../failure/credential-facts.js";
import type { CredentialFacts, CredentialMaker } from "../failure/facts.js";
import type { ApiSource } from "../record/api-source.js";
import type { CredentialServices } from "./prepare-call.js";

export interface CredentialOrigin extends CredentialFacts {
  /** The variables that hold it: one for a token or a `username:password` pair, two for a username and a password; none without authType. */
  readonly used: readonly string[];
}

/**
 * Compares the credential with what the variables of the source hold. Of two variables that may hold a token the one that
 * does is named; when none does, the first.
 */
export function traceCredential(
  source: ApiSource,
  { credentials }: Pick<CredentialServices, "credentials">,
  credential: UsableCredential | undefined,
): CredentialOrigin {
  const madeBy = findMaker(source, credential);
  const variables = source.api.authType === undefined ? [] : listCredentialVariables(source);
  // The environment belongs to the credentials room; it gives a value only together with the credential, which is not a text.
  const values = variables.map((name) => {
    const value = credentials.listStaticSecrets(source, [name]).at(-1);
    return typeof value === "string" ? value : undefined;
  });
  if (credential?.kind === "signer")
    return { variables, used: [], madeBy, foundIn: describeMaker(source, "sign") };
  const isPair = source.api.authType === "basic";
  const pair = credential?.kind === "basic" ? `${credential.username}:${credential.password}` : undefined;
  const token = credential?.kind === "token" ? credential.token : undefined;
  const at = values.findIndex((value) => (token === undefined ? value !== undefined : value === token));
  const used = isPair ? variables : variables.slice(Math.max(0, at), Math.max(0, at) + 1);
  const isFromEnvironment = isPair ? values.join(":") === pair : at >= 0;
  const given = isFromEnvironment ? used.join(" and ") : `the \`credentials\` option for "${source.slug}"`;
  const foundIn = madeBy === undefined ? given : describeMaker(source, madeBy);
  return { variables, used, madeBy, foundIn: credential && foundIn };
}

/** What made the credential of a call; undefined for a value that someone gave. */
function findMaker(
  { api }: ApiSource,
  credential: UsableCredential | undefined,
): CredentialMaker | undefined {
  if (credential?.kind === "signer") return "sign";
  if (credential?.kind !== "token" || credential.identity === undefined) return undefined;
  return api.login === undefined ? "oauth2" : "login";
}
