/** The recorded form of what a token or login call answers: every value is made up but those that anyone may know. */

import { randomUUID } from "node:crypto";
import { dropUndefined } from "../../core/base/drop-undefined.js";
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../../core/base/exact-number.js";
import { parseJson } from "../../core/base/parse-json.js";
import { writeJson } from "../../core/base/write-json.js";
import type { ObservedAttempt } from "../../core/http/observed-attempt.js";
import { isCredentialLike, isPublicMember } from "../../core/secrets/issued-secrets.js";
import { Secret } from "../../core/secrets/secret.js";
import type { RecordedResponse } from "./recording-format.js";

type Headers = RecordedResponse["headers"];

/**
 * A replayed login or refresh works with it. What is kept may repeat what was made up: there it is redacted.
 *
 * @param headers - As they are recorded of any other call.
 */
export function toTokenAnswer(
  { request: { redactor }, body = new Uint8Array() }: ObservedAttempt,
  headers: Headers,
): Pick<RecordedResponse, "headers" | "body"> {
  const replaced: string[] = [];
  // As the call itself reads it, whatever its charset: of bytes that are not UTF-8 the tokens are made up, too.
  const text = replaceTokens(Buffer.from(body).toString("utf8"), replaced);
  const local = redactor.with(replaced.filter(isCredentialLike).map((value) => new Secret(value)));
  const kept = local.redactValue(keepHeaders(headers));
  return { headers: kept, ...dropUndefined({ body: body.length === 0 ? undefined : local.redact(text) }) };
}

function keepHeaders({ location, ...headers }: Headers): Headers {
  const { "content-type": type, "retry-after": wait, "set-cookie": cookies } = headers;
  const place = [location ?? []].flat()[0]?.replace(/[?#].*$|;[^/?#]*|(?<=\/\/)[^/?#]*@/gs, "");
  const media = [type ?? []].flat()[0]?.split(";", 1)[0];
  return dropUndefined({
    "content-type": media,
    location: place,
    "retry-after": wait,
    "set-cookie": cookies,
  });
}

/** It is signed: a made-up one would be refused, and no call needs it. */
const signedMember = "id_token";
/** A member that is called so is listed by a token or an id. */
const nameWithId = /^(?=(?:.*\d){3}).{16}/s;

/**
 * Makes up the values: of JSON, of a form as some servers send it, or of the token alone.
 *
 * @param replaced - Receives what was there.
 */
function replaceTokens(text: string, replaced: string[]): string {
  // A renewed token is another token.
  const mark = randomUUID().slice(0, 8);
  // Long enough for the redactor: a replayed answer hides it where the recorded one hid the real token.
  const replace: Replace = (member, value) => {
    if (isPublicMember(member)) return undefined;
    replaced.push(value);
    return `recorded-${member === "" ? "token" : member}-${mark}`;
  };
  try {
    return writeJson(replaceLeaves(parseJson(text), "", replace));
  } catch {
    return /^[\w.-]+=/.test(text) ? replacePairs(text, replace) : (replace("", text.trim()) ?? "");
  }
}

/** A made-up value; undefined where the value is kept. */
type Replace = (member: string, value: string) => string | undefined;

function replaceLeaves(value: JsonValue, name: string, replace: Replace): JsonValue {
  if (Array.isArray(value)) return value.map((each) => replaceLeaves(each, name, replace));
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([member]) => member !== signedMember);
    const made: JsonObject = Object.create(null);
    for (const [member, given] of members) {
      const key = nameWithId.test(member) ? (replace("", member) ?? member) : member;
      made[key] = replaceLeaves(given, key, replace);
    }
    return made;
  }
  const isValue = typeof value === "string" || isJsonNumber(value);
  return isValue ? (replace(name, String(value)) ?? value) : value;
}

function replacePairs(text: string, replace: Replace): string {
  const pairs = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
    name,
    replace(name, value) ?? value,
  ]);
  return new URLSearchParams(pairs).toString();
}
