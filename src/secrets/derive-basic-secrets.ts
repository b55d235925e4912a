/** Which secrets a username and a password make. */

import { Secret } from "./secret.js";

/**
 * The password, `username:password` and its base64 (RFC 7617). The username alone is a secret only when the password is
 * empty: some APIs take their key as the username, elsewhere it is a name that answers speak of.
 */
export function deriveBasicSecrets(username: string, password: string): Secret[] {
  const pair = `${username}:${password}`;
  const alone = password === "" ? username : password;
  return [alone, pair, Buffer.from(pair, "utf8").toString("base64")]
    .filter((value) => value !== "" && pair !== ":")
    .map((value) => new Secret(value));
}
