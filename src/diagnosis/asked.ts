/** What an API asks for in its refusal: a scheme by `WWW-Authenticate`, a header, a scope, a parameter. */

import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { ApiSource } from "../source/api-source.js";
import type { FailedAnswer } from "./facts.js";

export interface Challenge {
  /** As written, such as `Bearer`. */
  readonly scheme: string;
  /** Parameter names in lower case. */
  readonly params: ReadonlyMap<string, string>;
}

/** One word, and what may stand behind its `=`; nothing that backtracks. */
const piece = /([^\s,="]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?|,/g;

/**
 * Reads `WWW-Authenticate` (RFC 9110, section 11.6.1). What can't be read is skipped. Never throws.
 *
 * @returns The schemes in the order given, each with its parameters.
 */
export function parseChallenges(header: string | readonly string[] | undefined): Challenge[] {
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  let isAfterScheme = false;
  for (const [whole, word = "", quoted, plain] of [header ?? ""]
    .flat()
    .join(", ")
    .slice(0, 4_000)
    .matchAll(piece)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (whole === ",") isAfterScheme = false;
    else if (value !== undefined) challenges.at(-1)?.params.set(word.toLowerCase(), value);
    // What follows a scheme without a comma is the token68 of a handshake: `Negotiate oYG2`.
    else if (!isAfterScheme) challenges.push({ scheme: word, params: new Map() });
    isAfterScheme = whole !== "," && value === undefined && !isAfterScheme;
  }
  return challenges;
}

/** The header's first value; undefined when absent or blank. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  return [headers[name] ?? ""].flat()[0]?.trim() || undefined;
}

/** Error codes and texts in headers: OAuth2 in `WWW-Authenticate` (RFC 6750), AWS and Azure. */
export function readErrorHeaders(headers: ResponseHeaders): { message?: string; code?: string } {
  const challenge = parseChallenges(headers["www-authenticate"]).find(({ params }) => params.has("error"));
  const aws = readHeader(headers, "x-amzn-errortype")?.split(":")[0]?.split("#").at(-1);
  const code = aws ?? readHeader(headers, "x-ms-error-code") ?? challenge?.params.get("error");
  const message = challenge?.params.get("error_description");
  return { ...(message ? { message } : {}), ...(code ? { code } : {}) };
}

/**
 * Where the API wants the credential, other than where the record puts it: a header, or a scheme of `Authorization`. `signing`: a scheme
 * that signs each request or talks back and forth; no fixed credential serves it.
 */
export interface Placement {
  readonly by: "header" | "scheme" | "signing";
  readonly name: string;
}

const signing =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual)$/i;
/** PowerDNS and others announce the header of their key where a scheme belongs. */
const headerScheme = /^x-[a-z0-9-]{2,40}$/i;

/** What the refusal says against the place or the scheme of the credential; undefined when it says nothing, or asks for what was sent. */
export function findPlacement(answer: FailedAnswer): Placement | undefined {
  const { api } = answer.source;
  const header = findAskedHeader(answer.words) ?? "";
  if (/^authorization$/i.test(header)) {
    const isWanted = api.authType !== undefined && readSentScheme(answer.source) === undefined;
    return findChallenge(answer) ?? (isWanted ? { by: "scheme", name: "Bearer" } : undefined);
  }
  const isOther = header.toLowerCase() !== api.headerName?.toLowerCase();
  return isOther && isCredentialHeader(header) ? { by: "header", name: header } : findChallenge(answer);
}

/** What the challenge announces. */
function findChallenge({ source, headers }: FailedAnswer): Placement | undefined {
  const { api } = source;
  const sent = readSentScheme(source);
  // For a key in a header or the query APIs make up scheme names such as `ApiKey`.
  const made = api.authType === undefined ? [] : ["apikey", "api-key", "api_key"];
  const keys = [...made, api.headerName ?? "", ...Object.keys(api.headers)].map((name) => name.toLowerCase());
  const own = sent === undefined ? keys : [sent];
  const asked = parseChallenges(headers["www-authenticate"])
    .map(({ scheme }) => scheme)
    .filter((scheme) => /^[A-Za-z][A-Za-z0-9_-]{1,39}$/.test(scheme));
  if (sent === "" || asked.some((scheme) => own.includes(scheme.toLowerCase()))) return undefined;
  const header = asked.find((scheme) => headerScheme.test(scheme));
  if (header !== undefined) return { by: "header", name: header };
  const name = asked.find((scheme) => !signing.test(scheme)) ?? asked[0];
  return name === undefined ? undefined : { by: signing.test(name) ? "signing" : "scheme", name };
}

/** The scheme in `Authorization`, in lower case; `""` when the credential is the whole of it, undefined when it goes elsewhere. */
function readSentScheme({ api }: ApiSource): string | undefined {
  if (api.authType === "bearer") return api.authScheme.trim().toLowerCase();
  if (api.authType === "basic") return "basic";
  return api.authType === "header" && /^authorization$/i.test(api.headerName ?? "") ? "" : undefined;
}

/** A field name that can be told from an ordinary word: it has a hyphen, or is one of the few that have none. */
const fieldName =
  "([A-Za-z][A-Za-z0-9]{0,40}(?:-[A-Za-z0-9]{1,40}){1,6}|accept|authorization|origin|referer|apikey)";
/** The word "header" before a name (also as Pydantic writes it: `"loc":["header","x-token"]`), or behind one. */
const headerForms: readonly RegExp[] = [
  new RegExp(`\\bheaders?[^A-Za-z0-9]{1,4}${fieldName}`, "i"),
  new RegExp(`${fieldName}[^A-Za-z0-9]{0,3} (?:http |request )?header`, "i"),
];
const complaint =
  /missing|requir|must|need|includ|provid|should|without|absent|invalid|expect|make sure|unsupported|not (?:set|present|found|sent)|\bno\b|\bset\b|\bsend\b|\buse\b/i;
/** Headers that only answers have, or that no record may set. */
const noHeader =
  /^(?:content-length|retry-after|www-authenticate|set-cookie|(?:x-)?request-id|.*-headers?)$/i;
const asksForAgent =
  /\b(?:missing|requires?|valid|provide|specify|set|send|include)(?: [a-z]{1,15}){0,3} user-agent\b/i;

/** The header an API complains of, as it spells it; undefined when it asks for none. */
export function findAskedHeader(words: string): string | undefined {
  if (asksForAgent.test(words)) return "User-Agent";
  if (!complaint.test(words)) return undefined;
  return headerForms
    .map((form) => form.exec(words)?.[1])
    .find((name) => name !== undefined && !noHeader.test(name));
}

/** Whether a header by its name carries a credential. */
export function isCredentialHeader(header: string): boolean {
  if (/csrf|xsrf|idempoten/i.test(header)) return false;
  return /^(?:proxy-)?authorization$|api[-_]?key|auth[-_]token|(?:^|[-_])(?:token|auth|secret|key)$/i.test(
    header,
  );
}

/** A name as programs write it, or several of them, in quotation marks or not. */
const name = String.raw`[A-Za-z_][\w.[\]-]{0,60}`;
const thing = "(?:param(?:eter)?s?|arguments?|fields?)";
const isMissing = String.raw`(?:\b(?:missing|require[sd]?\b|mandatory|must (?:be )?(?:provided?|specif|includ|suppl|set|give|present)|not (?:present|provided|specified|set|given)\b)|can(?:'t|not) be (?:blank|empty|null))`;
/** The name begins the message or is a field's own, stands in quotation marks, behind the word, or before it. */
const missingForms: readonly RegExp[] = [
  `^#?/?(?:query[./])?(${name})(?:: .{0,40}| is | was | )${isMissing}`,
  `["'\`](${name})["'\`][^.;"'\`\n]{0,60}${isMissing}`,
  `${isMissing}[^.;"'\`\n]{0,60}["'\`](${name})["'\`]`,
  `\\b${thing}[ :]{1,3}["'\`]?(${name})`,
  `\\b(${name}) (?:(?:query|request) )?${thing}\\b`,
].map((form) => new RegExp(form, "im"));
const saysMissing = new RegExp(isMissing, "i");
const noName =
  /^(?:is|are|was|were|in|for|of|not|the|a|an|one|value|header|body|query|request|missing|required|mandatory|provided|it|this|that|auth\w*|log_?in|permission|payment|subscription|param\w*|field|argument|error|validation|you|may|must|should|can|cannot)$/i;

/** The parameter or field that an answer calls missing; undefined when it names none. */
export function findMissingParameter(words: string): string | undefined {
  const found = saysMissing.test(words) ? missingForms.map((form) => form.exec(words)?.[1]) : [];
  return found.find((text) => text !== undefined && !noName.test(text))?.replace(/[.\]-]+$/, "");
}
