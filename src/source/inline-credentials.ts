/** Where a credential must not be: in a record, which is shared, committed and shown. */

import { foldKey } from "./find-nearest-key.js";
import { findSecretNames } from "./find-placeholders.js";
import type { Flaw } from "./flaw.js";

/** Folded as `foldKey` does. */
const credentialKeys: ReadonlySet<string> = new Set([
  ...["token", "apitoken", "accesstoken", "authtoken", "bearertoken", "bearer", "refreshtoken", "jwt"],
  ...["key", "apikey", "accesskey", "authkey", "privatekey", "secretkey"],
  ...["secret", "apisecret", "clientsecret", "sharedsecret"],
  ...["password", "passwd", "pass", "pwd", "passphrase", "username", "user", "credential", "credentials"],
]);

/** Names of constant headers and parameters that hold nothing but a credential. */
const credentialNames: ReadonlySet<string> = new Set([
  ...[
    "authorization",
    "token",
    "authtoken",
    "accesstoken",
    "apitoken",
    "xtoken",
    "xauthtoken",
    "xaccesstoken",
  ],
  ...["apikey", "xapikey", "secret", "apisecret", "xapisecret", "clientsecret", "xclientsecret", "secretkey"],
  ...["password", "passwd", "pwd"],
]);

/** Whether an unknown key announces a credential. */
export function isCredentialKey(key: string): boolean {
  return credentialKeys.has(foldKey(key));
}

export const inlineCredentialFlaw: Flaw = {
  message: "holds a credential, or a part of one, which is never in a record",
  fix: "Remove it; put it into the environment variable named after the tool (or the one in `credentialEnv`), or into the `credentials` option.",
};

/** Judges a constant of `headers`, `query` or `variables` by its name; the value isn't looked at but for `${NAME}`. */
export function findInlineSecretFlaw(name: string, value: string): Flaw | undefined {
  if (!credentialNames.has(foldKey(name)) || value === "" || findSecretNames(value).length > 0)
    return undefined;
  return {
    message: "holds a credential in plain text, which is never in a record",
    fix: 'Write "${NAME}" in its place and put the value into the environment variable NAME.',
  };
}
