/** Which secrets a token makes that is sent behind a word in a header. */

import { shortestAnywhere } from "./needle.js";
import { Secret } from "./secret.js";

/**
 * The token; when it is short, also the whole value that is sent (`Splunk abc12`), which is found anywhere where the token
 * alone is not. A longer token needs no second: it is found inside of that.
 */
export function deriveHeaderSecrets(token: string, scheme: string): Secret[] {
  const trimmed = token.trim();
  if (trimmed === "") return [];
  const sent = `${scheme} ${trimmed}`;
  // A character is at most two code units: a long token is not taken apart.
  const isShort =
    scheme !== "" && trimmed.length < 2 * shortestAnywhere && [...trimmed].length < shortestAnywhere;
  return (isShort ? [token, sent] : [token]).map((value) => new Secret(value));
}
