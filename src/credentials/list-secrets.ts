/** Which values are redacted for a credential; their forms are in `secrets/secret-forms`. */

import { listBasicSecrets, listHeaderSecrets, Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";

/**
 * Every value that a credential or a secret can be recognised by. Callers in plain JavaScript give anything; what can't be sent is
 * refused when it is used, with words of its own.
 */
export function listSecrets({ api }: ApiSource, given: unknown): Secret[] {
  if (typeof given === "string") return [new Secret(given)];
  const { token, apiKey, username, password }: Partial<Record<string, unknown>> = { ...Object(given) };
  if (typeof username === "string" && typeof password === "string")
    return listBasicSecrets(username, password);
  const scheme = api.authType === "bearer" ? api.authScheme : "";
  const session = api.login?.cookie === undefined ? undefined : String(token).replace(/^[^=]*=/, "");
  const texts = [token, apiKey, password, session].filter((text) => typeof text === "string");
  return texts.flatMap((text) => listHeaderSecrets(text, scheme));
}
