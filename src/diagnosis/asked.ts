/** What an API asks for in its refusal: a scheme by `WWW-Authenticate`, a header, a scope. */

import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { ApiSource } from "../source/api-source.js";
import type { AnswerFacts } from "./facts.js";
import { cleanText } from "./shown-text.js";

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
  const first = [headers[name] ?? ""].flat()[0]?.trim();
  return first === "" ? undefined : first;
}

/** Error codes and texts in headers: OAuth2 in `WWW-Authenticate` (RFC 6750), AWS, Azure, and plain `x-error` forms. */
export function readErrorHeaders(headers: ResponseHeaders): {
  readonly message?: string;
  readonly code?: string;
} {
  const challenge = parseChallenges(headers["www-authenticate"]).find(({ params }) => params.has("error"));
  const aws = readHeader(headers, "x-amzn-errortype")?.split(":")[0]?.split("#").at(-1);
  const code = aws ?? readHeader(headers, "x-ms-error-code") ?? challenge?.params.get("error");
  const message =
    challenge?.params.get("error_description") ??
    readHeader(headers, "x-error-message") ??
    readHeader(headers, "x-error") ??
    readHeader(headers, "grpc-message");
  return { ...(message ? { message } : {}), ...(code ? { code } : {}) };
}

export interface Scopes {
  readonly needed?: string;
  readonly granted?: string;
}

/** The scopes or permissions that an answer names (RFC 6750, section 3; GitHub and others in headers of their own). */
export function readScopes(headers: ResponseHeaders): Scopes {
  const challenge = parseChallenges(headers["www-authenticate"]).find(({ params }) => params.has("scope"));
  const needed =
    readHeader(headers, "x-accepted-oauth-scopes") ??
    readHeader(headers, "x-accepted-github-permissions") ??
    challenge?.params.get("scope");
  const granted = readHeader(headers, "x-oauth-scopes");
  return {
    ...(needed ? { needed: cleanText(needed, 200) } : {}),
    ...(granted ? { granted: cleanText(granted, 200) } : {}),
  };
}

/** Where the API wants the credential, other than where the record puts it. */
export type Placement =
  | { readonly by: "header"; readonly name: string; readonly isSure: true }
  /**
   * `scheme`: one of `Authorization`. `signing`: it signs each request or talks back and forth; no fixed credential serves it. It names the
   * cause only when `isSure`: InfluxDB announces `Basic` on every 401, whatever is wrong.
   */
  | { readonly by: "scheme" | "signing"; readonly name: string; readonly isSure: boolean };

const signing =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual)$/i;
/** PowerDNS and others announce the header of their key where a scheme belongs. */
const headerScheme = /^x-[a-z0-9-]{2,40}$/i;

/** What the refusal says against the place or the scheme of the credential; undefined when it says nothing, or asks for what was sent. */
export function findPlacement(facts: AnswerFacts, words: string): Placement | undefined {
  const { api } = facts.source;
  const header = findAskedHeader(words);
  const own = sendsAuthorization(facts.source) ? "authorization" : (api.headerName ?? "").toLowerCase();
  if (header === undefined || !isCredentialHeader(header) || header.toLowerCase() === own)
    return findChallenge(facts, words);
  // Which scheme belongs into it only the challenge tells.
  const isOpen = api.authType === undefined && /^authorization$/i.test(header);
  return isOpen ? findChallenge(facts, words) : { by: "header", name: header, isSure: true };
}

const schemes = "(Bearer|Token|Basic|JWT|Api-?Key|SSWS|OAuth)";
/** A message that shows how `Authorization` should look, names its scheme, or misses one of the two that have a name of their own. */
const schemeForms: readonly RegExp[] = [
  new RegExp(
    `(?:["'\`(]|\\bauthorization["'\`]?\\s{0,2}[:=]\\s{0,2}["'\`]?)${schemes}\\s{1,2}(?:[<{[$(.*]|your|token\\b|key\\b)`,
    "i",
  ),
  new RegExp(`\\b${schemes} (?:auth\\w{0,20} )?(?:[Ss]cheme|[Pp]refix)\\b`),
  new RegExp(
    `\\b(?:(?:[Ss]cheme|[Pp]refix|[Tt]ype)(?: must be| should be| is|, expected|:)?|(?:start|begin)s? with) ["'\`]?${schemes}\\b`,
  ),
  /\b(?:missing|no|requires?|expected|expecting|use|provide|invalid)(?: an?| the| valid){0,2} (Bearer|Basic)(?: auth\w{0,20})?(?: tokens?| credentials?| header)?\b/i,
];

function findAskedScheme(words: string): string | undefined {
  return schemeForms.map((form) => form.exec(words)?.[1]).find((scheme) => scheme !== undefined);
}

/** The schemes that the challenge announces, else the one that the message speaks of. */
function findChallenge(facts: AnswerFacts, words: string): Placement | undefined {
  const { source, headers, credential } = facts;
  const announced = parseChallenges(headers["www-authenticate"])
    .map(({ scheme }) => scheme)
    .filter((scheme) => /^[A-Za-z][A-Za-z0-9_-]{1,39}$/.test(scheme));
  const told = findAskedScheme(words);
  const asked = announced.length === 0 && told !== undefined ? [told] : announced;
  if (asked.some((scheme) => isSent(facts, scheme))) return undefined;
  const name =
    asked.find((scheme) => headerScheme.test(scheme)) ??
    asked.find((scheme) => !signing.test(scheme)) ??
    asked[0];
  if (name === undefined) return undefined;
  if (headerScheme.test(name)) return { by: "header", name, isSure: true };
  const isSure = sendsAuthorization(source) || announced.length === 0;
  if (signing.test(name)) return { by: "signing", name, isSure };
  const mayBeBasic = !/^basic$/i.test(name) || credential.looksLikePair === true;
  return { by: "scheme", name, isSure: isSure && mayBeBasic };
}

/** For a key in a header or the query, APIs make up scheme names such as `ApiKey`: these ask for what was sent. */
function isSent({ source: { api }, request, credential }: AnswerFacts, scheme: string): boolean {
  const asked = scheme.toLowerCase();
  if (request.headerNames?.includes(asked) || asked === api.headerName?.toLowerCase()) return true;
  if (api.authType === "header" || api.authType === "query") {
    if (/^api[-_]?key$/.test(asked)) return true;
  }
  const own = api.authType === "bearer" && api.authScheme !== "" ? api.authScheme : credential.ownScheme;
  return asked === (api.authType === "basic" ? "basic" : own?.trim().toLowerCase());
}

/** Whether the credential goes into `Authorization`. */
function sendsAuthorization({ api }: ApiSource): boolean {
  return (
    api.authType === "bearer" || api.authType === "basic" || api.headerName?.toLowerCase() === "authorization"
  );
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

/** A name as programs write it, or several of them. */
const name = String.raw`[A-Za-z_][\w.[\]-]{0,60}`;
const names = String.raw`["'\`]?(${name}["'\`]?(?:(?:,| and|, and) ["'\`]?${name}["'\`]?){0,5})`;
const thing = "(?:param(?:eter)?s?|arguments?|fields?)";
const isMissing =
  "(?:(?:is|was|are|were) (?:missing|required|mandatory|not (?:present|provided|specified|set|given))|must be (?:present|provided|specified|set|given|supplied))";
const missingForms: readonly RegExp[] = [
  `\\b(?:missing|required|requires|must (?:provide|specify|include|supply)|no)(?: (?:a|an|the|value for|required|mandatory|query|request|url|input)){0,3} ${thing}(?: named| called)?[ :]{1,3}${names}`,
  `["'\`](${name})["'\`](?: (?:query|request))?(?: ${thing})?(?: for method parameter type \\w{1,60})? ${isMissing}`,
  `\\b${thing} ${names} ${isMissing}`,
  `\\b(${name})(?: (?:query|request))? ${thing} ${isMissing}`,
  `\\bmust (?:provide|specify|include|supply|set)(?: an?| the)? ["'\`](${name})["'\`]`,
].map((form) => new RegExp(form, "i"));
/** A whole message about one word that is none of a sentence. */
const missingWord = /^([a-z]\w{0,40}) (?:is|was) (?:required|missing)\b/m;
/** A field with its message, as `listWords` writes them. */
const missingField = new RegExp(
  `^#?/?(?:query(?:string)?[./])?(${name}): .{0,40}(?:\\bmissing|\\brequired|can(?:'t|not) be (?:blank|empty|null))`,
  "im",
);
const noName =
  /^(?:is|are|was|were|in|for|of|not|the|a|an|one|value|header|body|query|request|missing|required|mandatory|provided|it|this|that|auth\w*|log_?in|permission|payment|subscription)$/i;

/** The parameters or fields that an answer calls missing; none when it names none. */
export function findMissingParameters(words: string): string[] {
  const found = [...missingForms, missingField, missingWord]
    .map((form) => form.exec(words)?.[1])
    .find((text) => text !== undefined && !noName.test(text));
  const all = found?.split(/["'`]?(?:, and|,| and) ["'`]?/) ?? [];
  return all.map((each) => each.replace(/["'`.\]-]+$/, "")).filter((each) => !noName.test(each));
}
