/** The secrets of a source that are known before any call: they are redacted from every source's answers. */

import type { CredentialResolver } from "../credentials/create-credential-resolver.js";
import type { UsableCredential } from "../credentials/credential.js";
import { listBasicSecrets, listHeaderSecrets, Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import { listSecretNames } from "../source/read-values.js";

export function listStaticSecrets(source: ApiSource, credentials: CredentialResolver): Secret[] {
  return credentials.listStaticSecrets(source, listSecretNames(source)).flatMap((value) => {
    if (typeof value === "string") return [new Secret(value)];
    // Callers in plain JavaScript give anything; what can't be sent is refused when it is used, with words of its own.
    const { token, apiKey, username, password }: Partial<Record<string, unknown>> = { ...value };
    const texts = [token, apiKey, password].filter((text) => typeof text === "string");
    return typeof username === "string" && typeof password === "string"
      ? listBasicSecrets(username, password)
      : texts.flatMap((text) => listHeaderSecrets(text, schemeOf(source)));
  });
}

/** Every value that the credential of one call can be recognised by. */
export function listCredentialSecrets(source: ApiSource, credential: UsableCredential | undefined): Secret[] {
  if (credential === undefined) return [];
  return credential.kind === "token"
    ? listHeaderSecrets(credential.token, schemeOf(source))
    : listBasicSecrets(credential.username, credential.password);
}

/** The word that a bearer token is sent behind; `""` for every other way. */
function schemeOf({ api }: ApiSource): string {
  return api.authType === "bearer" ? api.authScheme : "";
}
