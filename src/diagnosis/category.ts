/** Decides what kind of failure an answer is: from its status first, then from what its body says. */

import type { ErrorCategory } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";
import { redactedMarker } from "../secrets/secret.js";
import type { HttpMethod } from "../source/api-source.js";
import { findAskedHeader, isCredentialHeader } from "./asked.js";

export interface ErrorWords {
  readonly codes: readonly string[];
  readonly message: string;
}

/** Codes of a spent quota, without case and punctuation. */
const limitCode =
  /ratelimit|throttl|toomany(?:requests|calls)|(?:quota|requestlimit|usagelimit|querylimit|limit)exceeded|^over(?:query|daily)?(?:limit|quota)|resourceexhausted|^slowdown$|insufficientquota/;
const limitText =
  /rate[ -]?limit|too many (?:requests|calls|attempts|queries)|throttl|(?:quota|request limit|call limit|usage limit|query limit)s? (?:has been |have been |was |is )?(?:exceeded|reached|exhausted)|exceeded (?:your|the|its|their)(?: \w{1,20}){0,3} (?:quota|limit|rate)|(?:requests?|calls|queries) per (?:second|minute|hour|day)|slow down|reduce your request rate/i;
/** A spent budget, not a spent window: waiting does not bring it back. */
const spentForGood =
  /insufficient[_ ]?quota|billing|payment|upgrade your plan|out of credits?|credit balance/i;

const state =
  "invalid|expired|revoked|incorrect|wrong|bad|unknown|disabled|inactive|deactivated|suspended|malformed|unrecogni[sz]ed";
const credential =
  "(?:(?:api|access|auth(?:entication|orization)?|bearer|security|session|subscription|account|app(?:lication)?|client)[ _-]?)?(?:keys?|tokens?|credentials?|secret|jwt)";
/** A token of another kind, or a key that isn't the caller's, may be bad while the credential is good. */
const notAnother = String.raw`(?<!\b(?:csrf|xsrf|page|sync|continuation|device|registration|object|primary|foreign|public|idempotency)[ _-]?)`;
const badCredentialText = new RegExp(
  String.raw`\b(?:${state})(?: or (?:${state}|missing))? (?:the |your )?${credential}\b` +
    String.raw`|\b(?:invalid|wrong) (?:\w{1,20} ){1,3}secret\b|\berror validating (?:access )?(?:token|key|credentials?)\b` +
    String.raw`|${notAnother}\b${credential}(?: provided| supplied| given| used| you (?:provided|supplied|sent|used))? (?:is |was |are |has |have |been |could |does |do )*(?:${state}|no longer valid|not (?:be )?(?:valid|found|exist|recogni[sz]ed|active|known|accepted|verified|validated|enabled))\b` +
    String.raw`|\b(?:wrong|incorrect|invalid|bad) (?:username|user name|login|password)`,
  "i",
);
const badCredentialCode =
  /^(?:(?:invalid|expired|bad|revoked|incorrect|wrong|unknown|disabled)(?:access|auth|bearer|security|session|api|account|client)?(?:token|key|secret|credentials?)|(?:access|auth|bearer|security|session|api|account|client)?(?:token|key|secret|credentials?)(?:invalid|expired|revoked|disabled|notfound))(?:id|exception)?$|^(?:signaturedoesnotmatch|unrecognizedclientexception|invalidclienttokenid|invalidsessionid|invalidclient|invalidauth|authfailure|authenticationfailed|wrongpassword|accountinactive)$/;
const noCredentialCode =
  /^(?:un|not)auth(?:enticated|ori[sz]ed|ed)$|^auth(?:entication|orization)?(?:error|required|failed|failure)|^(?:missing|no)(?:access|auth|api)?(?:token|key|authenticationtoken.*)|apikey(?:missing|required)|loginrequired|requestdenied|notloggedin/;
const noCredentialText =
  /(?:missing|no|required)(?: or (?:invalid|expired))? (?:api[ _-]?key|access[ _-]?(?:token|key)|auth(?:entication|orization)?(?: token| header| credentials)?|bearer token|credentials?)\b|(?:api[ _-]?key|access token|credentials?)(?: provided)? (?:is |was |are )?(?:missing|required|not provided)|credentials were not provided|unauthenticated|unauthori[sz]ed|authentication (?:failed|required|error)|authorization failed|not (?:logged in|authenticated)|must (?:be logged in|authenticate|log in)|login required|system:anonymous/i;
/** What a 403 says to somebody whom the API does not know. */
const noIdentity =
  /not authenticated|unauthenticated|missing authentication token|system:anonymous|credentials were not provided/i;

const byWords: readonly (readonly [ErrorCategory, RegExp])[] = [
  [
    "forbidden",
    /forbidden|permission|access[ _]?denied|not[ _](?:allowed|permitted|authori[sz]ed)|(?:missing|insufficient)[ _](?:scope|right|access)|restricted|privilege/i,
  ],
  ["not_found", /not[ _]?found|does(?: not|n't) exist|no such|nonexistent|no longer exists/i],
  ["conflict", /conflict|already[ _]|duplicate|version mismatch/i],
  ["validation", /validation|bad_user_input|unprocessable|invalid_fields|user_input/i],
  ["timeout", /timed[ _-]?out|timeout|deadline[ _]exceeded/i],
  [
    "server_error",
    /internal[ _]?(?:server[ _]?)?error|fatal[ _]error|server[ _]error|unavailable|unexpected error|try again later|soap(?:-env)?:server|:receiver\b|unknown_error/i,
  ],
];

/** 419, 440, 498, 499: expired or missing tokens of frameworks and ArcGIS; 420: an old 429; 511: a network's login (RFC 6585). */
const byStatus: readonly (readonly [ErrorCategory, readonly number[]])[] = [
  ["unauthorized", [401, 407, 419, 440, 498, 499]],
  ["forbidden", [402, 403, 451]],
  ["not_found", [404, 410]],
  ["method_not_allowed", [405, 501]],
  ["timeout", [408]],
  ["conflict", [409, 412, 423, 424, 425, 428]],
  ["too_large", [413, 414, 431]],
  ["validation", [422]],
  ["rate_limited", [420, 429]],
  ["unexpected_content", [511]],
];

export interface CategoryInput extends ErrorWords {
  readonly status: number;
  readonly hasFields: boolean;
  /** The HTTP status the body claims. */
  readonly bodyStatus?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

/**
 * The category. Under 2xx the body's own status decides, then its words, then `bad_request`: such APIs report a wrong call that way.
 * A 400, 403, 418 or 5xx that speaks of a spent quota is `rate_limited`; a 403 that calls the credential bad is `unauthorized`; a 400
 * is `unauthorized`, `forbidden` or `validation` by its words and fields.
 */
export function findCategory(input: CategoryInput): ErrorCategory {
  const { bodyStatus, codes, message, hasFields } = input;
  const status = input.status < 300 ? (bodyStatus ?? input.status) : input.status;
  const says = readWords(input);
  if (status < 300) {
    const text = `${codes.join(" ")} ${message}`.slice(0, 2_000);
    if (says.isLimited) return "rate_limited";
    if (says.hasNoCredential || says.hasBadCredential) return "unauthorized";
    const byText = byWords.find(([, pattern]) => pattern.test(text))?.[0];
    return byText ?? (hasFields ? "validation" : "bad_request");
  }
  if (status < 400) return "unexpected_content";
  if (isHiddenLimit(status, input, says)) return "rate_limited";
  if (status === 400) {
    if (hasFields || says.isInvalid) return "validation";
    if (says.hasNoCredential || says.hasBadCredential) return "unauthorized";
    return says.isForbidden ? "forbidden" : "bad_request";
  }
  // Many APIs answer 403 to a key they don't know, or to nobody; what to do about it is what a 401 asks for.
  if (status === 403 && (says.hasBadCredential || noIdentity.test(message))) return "unauthorized";
  const known = byStatus.find(([, statuses]) => statuses.includes(status))?.[0];
  return known ?? (status >= 500 ? "server_error" : "bad_request");
}

type Said = ReturnType<typeof readWords>;

/** What codes and text say. */
function readWords({ codes, message }: ErrorWords) {
  const squeezed = codes.map((code) => code.toLowerCase().replace(/[^a-z0-9]/g, ""));
  const has = (pattern: RegExp): boolean => squeezed.some((code) => pattern.test(code));
  const hasLimitCode = has(limitCode);
  const asksForCredential = isCredentialHeader(findAskedHeader(message) ?? "");
  const isQuoted = message.includes(redactedMarker);
  return {
    hasLimitCode,
    isLimited: hasLimitCode || limitText.test(message),
    // Too, where the caller is nobody.
    hasNoCredential: has(noCredentialCode) || noCredentialText.test(message) || asksForCredential,
    // Bad itself, or quoted (it was redacted); not merely that it may not do this.
    hasBadCredential: has(badCredentialCode) || isQuoted || badCredentialText.test(message.slice(0, 2_000)),
    isInvalid: has(/validation|baduserinput|unprocessable/),
    isForbidden: has(/^(?:accessdenied|forbidden|permissiondenied|insufficient(?:permissions?|scope))/),
  };
}

function isHiddenLimit(
  status: number,
  { rateLimit, message, hasFields }: CategoryInput,
  { hasLimitCode, isLimited }: Said,
): boolean {
  if (status === 400) return hasLimitCode || (!hasFields && isLimited);
  if (status !== 403 && status !== 418) return status >= 500 && hasLimitCode;
  const isSilent = status === 403 && message === "" && rateLimit?.remaining === 0;
  return isSilent || rateLimit?.retryAfterSeconds !== undefined || isLimited;
}

/** 52x and 530 are Cloudflare's (origin unreachable or slow); 529 and 598 say overloaded or timed out. */
const passing: readonly number[] = [
  408, 425, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 598,
];

/**
 * Whether the same call may succeed later without being changed. A rate limit may, unless the body speaks of billing; a 500 (or a broken
 * answer) may for GET only, since the same write would most likely fail again or have been done; an overloaded or unreachable server may
 * for every method, and the hint of a write says to check first.
 */
export function isRetryable(
  failure: ErrorWords & { status: number; category: ErrorCategory; method: HttpMethod },
): boolean {
  const { status, category, method, codes, message } = failure;
  if (category === "rate_limited") return !spentForGood.test(`${codes.join(" ")} ${message}`);
  if (passing.includes(status)) return true;
  const isTheirs = category === "server_error" || category === "timeout";
  return isTheirs && method === "GET" && status !== 505 && status < 506;
}
