/** Hints for 401 and 403: which credential was sent, what the server asked for, and who can change it. */

import { saysUnauthorized } from "./category-words.js";
import { cleanText } from "./clean-text.js";
import { describeCredential, describeCredentialEnv } from "./describe-credential.js";
import type { HintInput } from "./hint-input.js";
import { type Challenge, parseChallenges } from "./parse-challenges.js";
import { readHeader } from "./read-header.js";
import { tellChallenge } from "./tell-challenge.js";

const cannotChange = "You can't change the credential from here";

/** Names authType, header or parameter and variables; what the server announces comes after what is likelier. */
export function hintForUnauthorized(input: HintInput): string {
  const { source, status, headers } = input;
  if (status === 407) {
    return "A proxy between here and the API asks for a credential: the user should check the record's network.proxy.";
  }
  const carried = describeCredential(source);
  const advice = tellChallenge(source, headers["www-authenticate"]);
  if (carried === undefined) {
    const wanted = advice === undefined ? "" : ` ${capitalize(advice.text)}.`;
    return `This source sends no credential (its record has no authType), and the API wants one.${wanted} ${cannotChange}: tell the user to set api.authType in the record and the credential in ${describeCredentialEnv(source)}.`;
  }
  const sent = `The credential was not accepted. It is sent as ${carried} and comes from ${describeCredentialEnv(source)} or the credentials option.${gatewayNote(input)}`;
  const check = `that it is set, complete, not expired and meant for ${source.api.baseUrl}`;
  if (advice?.isSure === true) {
    return `${sent} ${advice.text}. ${cannotChange}: don't repeat the call, tell the user to set that in the record, then to check the credential: ${check}.`;
  }
  const first = advice === undefined ? "" : " first";
  const otherwise = advice === undefined ? "" : ` If that is right, ${advice.text}.`;
  return `${sent} ${cannotChange}: don't repeat the call, tell the user to check the credential${first}: ${check}.${otherwise}`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Amazon's gateway says so for a path it doesn't know, too. */
function gatewayNote({ message }: HintInput): string {
  return /missing authentication token/i.test(message)
    ? " (This text is also what an AWS gateway answers for a path or method it doesn't have.)"
    : "";
}

/** What a plan, a balance or a bill forbids, no permission allows. */
const paymentText =
  /\b(?:enough|insufficient|out of|remaining) (?:credits?|funds|balance)\b|payment required|\bunpaid\b|upgrade (?:your|to)|\b(?:current|your) (?:plan|subscription) (?:does|doesn't|has|is)|subscription (?:has )?(?:expired|ended|required)|past due/i;

/** Names the missing permission or scope where the server does. */
export function hintForForbidden(input: HintInput): string {
  const { source, status, headers, message } = input;
  if (status === 402 || paymentText.test(message)) {
    return "The account has to pay or be upgraded first (payment, plan or credit). Repeating the call doesn't help: tell the user.";
  }
  if (status === 451) return "The API withholds this for legal reasons; no change of the call helps.";
  if (input.kind === "html") {
    return `A web page refused the call: probably a firewall or bot protection in front of ${source.api.baseUrl}, not the API. Tell the user; a constant User-Agent header in the record sometimes helps.`;
  }
  const scopes = scopesMissing(headers, parseChallenges(headers["www-authenticate"]));
  const key = saysUnauthorized({ codes: input.codes, message })
    ? ` Its text may also mean that no credential was seen: it comes from ${describeCredentialEnv(source)}.`
    : "";
  return `The API understood the call but the credential may not do this.${scopes}${key}${gatewayNote(input)} ${cannotChange}: tell the user which permission is missing, or use an endpoint it may use.`;
}

function scopesMissing(headers: HintInput["headers"], challenges: readonly Challenge[]): string {
  const accepted =
    readHeader(headers, "x-accepted-oauth-scopes") ?? readHeader(headers, "x-accepted-github-permissions");
  const granted = readHeader(headers, "x-oauth-scopes");
  const challenge = challenges.find((item) => item.params.has("scope"));
  const needed = accepted ?? challenge?.params.get("scope");
  if (needed === undefined && granted === undefined) return "";
  const has = granted === undefined ? "" : ` It has the scopes: ${cleanText(granted, 200)}.`;
  return needed === undefined ? has : ` Needed: ${cleanText(needed, 200)}.${has}`;
}
