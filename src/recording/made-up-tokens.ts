/** The response of a token call without its tokens: values are made up, so that a replayed login or refresh works. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import { writeJson } from "../json/write-json.js";

/** Members of RFC 6749 (tokens, errors), RFC 8628 (devices) and RFC 8414 (metadata) that are not credentials. */
const publicMember =
  /^(?:token_type|issued_token_type|scope|error|error_description|issuer|interval|verification_uri)$|(?:_endpoint|_supported|_uri)$|expire|lifetime|_in$/i;
/** It is signed: a made-up one would be refused, and no call needs it. */
const signedMember = "id_token";

/**
 * @param text - The redacted body: JSON, a form as some servers send it, or the token alone.
 * @param mark - Makes the made-up values different from those of any other response: a renewed token is another token.
 */
export function replaceTokens(text: string, mark: string): string {
  // Long enough for the redactor: a replayed answer hides it where the recorded one hid the real token.
  const name = (member: string): string => `recorded-${member === "" ? "token" : member}-${mark}`;
  try {
    return writeJson(replaceLeaves(parseJson(text), "", name));
  } catch {
    return /^[\w.-]+=/.test(text) ? replacePairs(text, name) : name("");
  }
}

type NameToken = (member: string) => string;

function replaceLeaves(value: JsonValue, name: string, nameToken: NameToken): JsonValue {
  if (Array.isArray(value)) return value.map((each) => replaceLeaves(each, name, nameToken));
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([member]) => member !== signedMember);
    const replaced: JsonObject = Object.create(null);
    for (const [member, given] of members) replaced[member] = replaceLeaves(given, member, nameToken);
    return replaced;
  }
  const isValue = typeof value === "string" || isJsonNumber(value);
  return isValue && !publicMember.test(name) ? nameToken(name) : value;
}

function replacePairs(text: string, nameToken: NameToken): string {
  const pairs = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
    name,
    publicMember.test(name) ? value : nameToken(name),
  ]);
  return new URLSearchParams(pairs).toString();
}
