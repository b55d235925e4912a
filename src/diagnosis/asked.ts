/** What an API asks for in its refusal: a scheme by `WWW-Authenticate`, a header, a query parameter, a scope. */

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
  | { readonly by: "header" | "query"; readonly name: string; readonly isSure: true }
  /** A scheme of `Authorization`. It names the cause only when `isSure`: InfluxDB announces `Basic` on every 401, whatever is wrong. */
  | {
      readonly by: "scheme";
      readonly name: string;
      readonly isSure: boolean;
      /** Whether the words name it, and not only `WWW-Authenticate`. @default false */
      readonly isNamed?: boolean;
    }
  /** The scheme that was sent is not taken, and none is named. */
  | { readonly by: "other_scheme"; readonly isSure: true }
  /** It signs each request or talks back and forth; no fixed credential serves it. */
  | { readonly by: "signing"; readonly name: string; readonly isSure: boolean };

const signing =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual|vapid|gnap)$/i;
/** PowerDNS and others announce the header of their key where a scheme belongs. */
const headerScheme = /^x-[a-z0-9-]{2,40}$/i;
/** Names such as `ApiKey`: some are the first word of Authorization, some only say that there is a key. */
const keyScheme = /^api[-_]?key$/i;

const schemeIsWrong =
  /\b(?:invalid|bad|wrong|unknown|incorrect|unsupported|unexpected|unrecogni[sz]ed) auth(?:ori[sz]ation|entication)?[ _-](?:scheme|type|method|prefix)\b/i;
const schemeIsNamed =
  /\b(?:starts?|begins?|prefix(?:ed)?|use|using|must be|should be|expect(?:ed|s|ing)?|format(?: is)?)(?: with| in| of)?(?: the)?[ :"'`(]{1,3}(?:authorization: ?)?["'`]?(bearer|basic|token|apikey|api-key|jwt|oauth|ssws)\b/i;

/** Whether the words refuse the scheme that was sent, such as "Unsupported authorization type". */
export function saysWrongScheme(words: string): boolean {
  return schemeIsWrong.test(words);
}

/** What the refusal says against the place or the scheme of the credential; undefined when it says nothing, or asks for what was sent. */
export function findPlacement(facts: AnswerFacts, words: string): Placement | undefined {
  const { api } = facts.source;
  const header = findAskedHeader(words);
  const own = sendsAuthorization(facts.source) ? "authorization" : (api.headerName ?? "").toLowerCase();
  if (header !== undefined && isCredentialHeader(header) && header.toLowerCase() !== own) {
    return api.authType === undefined && /^authorization$/i.test(header)
      ? findChallenge(facts)
      : { by: "header", name: header, isSure: true };
  }
  const parameter = findAskedParameter(words);
  if (parameter !== undefined && parameter !== api.queryParam)
    return { by: "query", name: parameter, isSure: true };
  const named = /auth|scheme|prefix/i.test(words) ? schemeIsNamed.exec(words)?.[1] : undefined;
  if (named !== undefined && sendsAuthorization(facts.source) && named.toLowerCase() !== sentScheme(facts)) {
    return { by: "scheme", name: /^bearer$/i.test(named) ? "Bearer" : named, isSure: true, isNamed: true };
  }
  return schemeIsWrong.test(words) ? { by: "other_scheme", isSure: true } : findChallenge(facts);
}

function findChallenge(facts: AnswerFacts): Placement | undefined {
  const { source, headers, credential } = facts;
  const asked = parseChallenges(headers["www-authenticate"])
    // Servers write `xBasic` so that no browser opens its own dialogue.
    .map(({ scheme }) => /^x-?(basic|bearer)$/i.exec(scheme)?.[1] ?? scheme)
    .filter((scheme) => /^[A-Za-z][A-Za-z0-9_-]{1,39}$/.test(scheme));
  if (asked.some((scheme) => isSent(facts, scheme))) return undefined;
  const name =
    asked.find((scheme) => headerScheme.test(scheme)) ??
    asked.find((scheme) => !signing.test(scheme)) ??
    asked[0];
  if (name === undefined) return undefined;
  if (headerScheme.test(name)) return { by: "header", name, isSure: true };
  const isSure = sendsAuthorization(source);
  if (signing.test(name)) return { by: "signing", name, isSure };
  return {
    by: "scheme",
    name,
    isSure: isSure && (!/^basic$/i.test(name) || credential.looksLikePair === true),
  };
}

/** For a key in a header or the query, APIs make up scheme names such as `ApiKey`: these ask for what was sent. */
function isSent(facts: AnswerFacts, scheme: string): boolean {
  const { api } = facts.source;
  const asked = scheme.toLowerCase();
  if (facts.request.headerNames?.includes(asked) || asked === api.headerName?.toLowerCase()) return true;
  if (asked === sentScheme(facts)) return true;
  return (api.authType === "header" || api.authType === "query") && keyScheme.test(scheme);
}

/** The word before the credential in `Authorization`, in lower case; empty when there is none. */
function sentScheme({ source: { api }, credential }: AnswerFacts): string {
  if (api.authType === "basic") return "basic";
  const scheme = api.authType === "bearer" && api.authScheme !== "" ? api.authScheme : credential.ownScheme;
  return scheme?.trim().toLowerCase() ?? "";
}

/** Whether the credential goes into `Authorization`. */
export function sendsAuthorization({ api }: ApiSource): boolean {
  return (
    api.authType === "bearer" || api.authType === "basic" || api.headerName?.toLowerCase() === "authorization"
  );
}

const keyNames = "(api[-_]?key|app_?id|access_?key|access_?token|key|token)";
const askedParameters: readonly RegExp[] = [
  new RegExp(`(?:parameter|param|query string)s?:? ["'\`(]?${keyNames}\\b`, "i"),
  new RegExp(`\\b${keyNames}["'\`)]? (?:query |url |request |get )?param`, "i"),
  new RegExp(`[?&]${keyNames}=`, "i"),
];

/** The query parameter that the answer names as the place of the key. */
function findAskedParameter(words: string): string | undefined {
  if (/header/i.test(words)) return undefined;
  return askedParameters.map((pattern) => pattern.exec(words)?.[1]).find((name) => name !== undefined);
}

/** A field name that can be told from an ordinary word: it has a hyphen, or is one of the few that have none. */
const hyphenated = "[A-Za-z][A-Za-z0-9]{0,40}(?:-[A-Za-z0-9]{1,40}){1,6}";
const fieldName = `(${hyphenated}|accept|authorization|origin|referer|apikey|prefer|cookie)`;
const complaint =
  /missing|requir|must|need|includ|provid|should|without|specif|absent|invalid|expect|validation|make sure|undefined|unsupported|not (?:set|present|found|sent|supplied|given|acceptable)|\bno\b|empty|\bset\b|\bsend\b|\buse\b|format/i;
/** From the most telling form to the least; each takes a name as its first group. */
const headerForms: readonly RegExp[] = [
  // Pydantic and kin: {"loc":["header","x-token"]}, and the same as a joined field name.
  new RegExp(`"headers?" ?, ?"${fieldName}"|\\bheaders?\\.${fieldName}`, "i"),
  new RegExp(`\\bheaders?(?: field)?(?: named| called| name| is)?[:=]? ?["'\`(\\[]?${fieldName}`, "i"),
  new RegExp(`["'\`(\\[]?${fieldName}["'\`)\\]]?:?(?: http)?(?: request)? header`, "i"),
  /(?:missing|requires?|required|must (?:send|include|provide|have|set)|provide|without|no)(?: [a-z]{1,20}){0,3}:? ["'`([]?(x(?:-[A-Za-z0-9]{1,40}){1,6})/i,
  /\b(x(?:-[A-Za-z0-9]{1,40}){1,6})["'`)\]]?:? (?:is|was|must be|should be) (?:a )?(?:required|missing|set|present|provided|empty)/i,
];
/** Words with a hyphen that are no header, and headers that only answers have. */
const noHeader =
  /^(?:content-length|retry-after|www-authenticate|set-cookie|(?:x-)?request-id|read-only|e-mail|.*-headers?|utf-8)$/i;
const asksForAgent =
  /\bno user[ -]?agent\b|\buser[ -]agent (?:is |was )?(?:missing|required|not)|(?:missing|require[sd]?|valid|provide|specify|set|send|use|include|with|descriptive|has a)(?: [a-z]{1,15}){0,3} user[ -]agent\b/i;

/** The header an API complains of, as it spells it; undefined when it asks for none. */
export function findAskedHeader(words: string): string | undefined {
  if (asksForAgent.test(words)) return "User-Agent";
  if (!complaint.test(words) || !/header|x-/i.test(words)) return undefined;
  for (const form of headerForms) {
    const [, ...names] = form.exec(words) ?? [];
    const found = names.find((name) => name !== undefined);
    if (found !== undefined && !noHeader.test(found)) return found;
  }
  return undefined;
}

/** Whether a header by its name carries a credential. */
export function isCredentialHeader(header: string): boolean {
  if (/csrf|xsrf|idempoten/i.test(header)) return false;
  return /^(?:proxy-)?authorization$|api[-_]?key|auth[-_]token|(?:^|[-_])(?:token|auth|secret|key)$/i.test(
    header,
  );
}

const parameter = "[\"'`\u2018\u201c[(]?([A-Za-z_][A-Za-z0-9_.-]{0,40})";
const missingParameter = new RegExp(
  `(?:missing|required|mandatory)(?: [a-z]{1,12}){0,3} (?:param(?:eter)?|query param(?:eter)?|argument)s?(?: named| called| is| are)?:? ${parameter}` +
    `|${parameter}["'\`\u2019\u201d\\])]? (?:query )?(?:param(?:eter)?|argument)(?: \\([^()]{0,40}\\))? (?:is |was )?(?:required|missing|mandatory)` +
    `|"query" ?, ?"([A-Za-z_][A-Za-z0-9_.-]{0,40})"`,
  "i",
);

/** The query parameter that an API says is missing. */
export function findMissingParameter(words: string): string | undefined {
  const [, ...names] = missingParameter.exec(words) ?? [];
  const found = names.find((name) => name !== undefined);
  return found === undefined || /^(?:is|are|was|not|the|a|for|in|of|missing|required|query)$/i.test(found)
    ? undefined
    : found;
}
