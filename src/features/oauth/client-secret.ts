/** How a client proves who it is in a header (RFC 6749, section 2.3.1), and which texts that gives away. */

import type { OAuth2Settings } from "../../core/record/api-source.js";
import { listBasicSecrets, type Secret } from "../../core/secrets/secret.js";

/** The value of `Authorization`. Not the library's, which also escapes `-`, `_` and `.`: many servers compare the pair without reading escapes. */
export function writeClientHeader(clientId: string, clientSecret: string): string {
  const pair = `${encodeFormText(clientId)}:${encodeFormText(clientSecret)}`;
  return `Basic ${Buffer.from(pair, "utf8").toString("base64")}`;
}

/** The client secret as it is sent: its escapes hide it from a search for the secret itself once they are in base64. */
export function listClientSecrets({ clientId, clientSecret = "" }: OAuth2Settings): Secret[] {
  if (clientSecret === "") return [];
  return listBasicSecrets(encodeFormText(clientId), encodeFormText(clientSecret));
}

/** A form's escapes. */
function encodeFormText(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
