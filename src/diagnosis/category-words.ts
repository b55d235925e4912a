/** Words by which a body tells what kind of failure it is, where the status does not. */

import type { ErrorCategory } from "../errors.js";

/** Codes of a spent quota, without case and punctuation. */
const rateLimitCode =
  /^(?:.*ratelimit(?:ed|s|error|exceeded|reached|exceedederror|exception|ing)?|.*limitexceededforrate|throttl.*|.*throttled|.*throttling(?:exception|error)?|.*throttledexception|toomanyrequests.*|.*toomanyrequests|requestlimitexceeded|resourceexhausted|(?:daily|query|hourly|minute|monthly|concurrent|userprojectdaily|variableterm)?(?:limit|quota)exceeded(?:unreg)?|quotaexceeded.*|overquerylimit|overdailylimit|overquota|slowdown|provisionedthroughputexceededexception|bandwidthlimitexceeded|insufficientquota|usagelimit.*|usagecapexceeded|requestratetoolarge|toomanycalls|apilimitexceeded|sseusagelimit.*|activitylimitexceeded|priorrequestnotcomplete|secondaryratelimit)$/;

/** Facebook's numeric codes: application, user, page and custom limits (error handling reference). */
const facebookLimitCode = /^(?:4|17|32|613|800\d\d)$/;

const rateLimitText =
  /rate[ -]?limit|too many (?:requests|calls|attempts|queries)|throttl|abuse detection|(?:quota|request limit|call limit|api limit|usage limit|query limit)s? (?:has been |have been |was |is )?(?:exceeded|reached|exhausted)|exceeded (?:your|the|its|their)(?: current| daily| monthly| api| request| usage)* (?:quota|limit|rate)|(?:requests?|calls|queries) per (?:second|minute|hour|day)|slow down|quota exceeded|reduce your request rate/i;

const unauthorizedCode =
  /^(?:unauthenticated|unauthorized|unauthorised|notauthenticated|notauthed|invalidauth.*|authenticationfailed|authenticationfailure|authenticationrequired|authenticationerror|autherror|authfailure|authfailed|authorizationrequired|accountinactive|(?:invalid|expired|missing|bad|revoked|no)(?:access|auth|bearer|security|session|authentication)?token(?:exception|id)?|tokenexpired|tokenrevoked|tokeninvalid|accesstokenexpired|accesstokeninvalid|(?:invalid|missing|bad|no|incorrect|wrong|expired|unknown)(?:api|access|account|app|subscription)?key(?:id)?|apikey(?:invalid|missing|expired|required|disabled|notfound)|invalidaccesskeyid|signaturedoesnotmatch|unrecognizedclientexception|invalidclienttokenid|invalidsessionid|loginrequired|requestdenied|invalidcredentials?|invalidclient|missingauthenticationtoken.*|wrongpassword|notloggedin)$/;

const unauthorizedText =
  /(?:invalid|missing|expired|incorrect|bad|wrong|unknown|no|revoked)(?: or (?:invalid|missing|expired))? (?:api[ _-]?key|access[ _-]?(?:token|key)|auth(?:entication|orization)?(?: token| header| credentials)?|bearer token|credentials?|username or password)\b|(?:api[ _-]?key|access token|credentials?)(?: provided)? (?:is |was |are |has |has been |could not be )?(?:not )?(?:invalid|valid|missing|expired|incorrect|revoked|required|wrong|verified)|unauthenticated|unauthori[sz]ed|authentication (?:failed|required|error)|authorization failed|not (?:logged in|authenticated)|must (?:be logged in|authenticate|log in)|login required/i;

const credentialNoun =
  "(?:api|access|auth(?:entication|orization)?|bearer|security|session|subscription|account|app(?:lication)?|client)?[ _-]?(?:keys?|tokens?|credentials?|secret|jwt)";
const badState =
  "invalid|expired|revoked|incorrect|wrong|bad|unknown|disabled|inactive|deactivated|suspended|malformed|unrecogni[sz]ed";
/** A token of another kind, or a key that isn't the caller's, may be bad while the credential is good. */
const otherNoun = String.raw`(?<!\b(?:csrf|xsrf|page|sync|continuation|device|registration|object|primary|foreign|public|idempotency)[ _-]?)`;
const badCredentialText = new RegExp(
  String.raw`\b(?:${badState})(?: or (?:${badState}|missing))? (?:the |your )?${credentialNoun}\b|${otherNoun}\b${credentialNoun}(?: provided| supplied| given| used| you (?:provided|supplied|sent|used))? (?:is |was |are |has |have |been |could |does |do )*(?:${badState}|no longer valid|not (?:be )?(?:valid|found|exist|recogni[sz]ed|active|known|accepted|verified|validated|enabled))\b|\b(?:wrong|incorrect|invalid|bad) (?:username|user name|login|password)`,
  "i",
);
const badCredentialCode =
  /^(?:(?:invalid|expired|bad|revoked|incorrect|wrong|unknown|disabled)(?:access|auth|bearer|security|session|authentication|api|account|app|subscription|client)?(?:token|key|secret|credentials?)(?:id|exception)?|(?:api|access|auth|session|security)?(?:token|key|apikey)(?:expired|revoked|invalid|disabled|notfound)|invalidaccesskeyid|signaturedoesnotmatch|unrecognizedclientexception|invalidclienttokenid|invalidsessionid|expiredtokenexception|invalidauth|authfailure|authenticationfailed|wrongpassword|accountinactive)$/;

const forbiddenText =
  /forbidden|permission|access[ _]denied|not (?:allowed|permitted|authori[sz]ed)|missing[ _]scope|insufficient[ _](?:scope|permission|privilege|rights|access)|no[ _]permission|restricted|not_allowed|accessdenied|privilege/i;
const notFoundText =
  /not[ _]?found|does(?: not|n't) exist|no such|nonexistent|unknown (?:id|user|object|resource|channel|message)|no longer exists/i;
const conflictText = /conflict|already[ _]exists?|duplicate|already_|version mismatch/i;
const validationText = /validation|bad_user_input|unprocessable|invalid_fields|user_input/i;
const serverText =
  /internal[ _]?(?:server[ _]?)?error|fatal[ _]error|server[ _]error|service[ _]?unavailable|unexpected error|try again later|soap(?:-env)?:server|:receiver\b|unavailable|unknown_error|backend/i;
const timeoutText = /timed[ _-]?out|timeout|deadline[ _]exceeded/i;

export interface ErrorWords {
  readonly codes: readonly string[];
  readonly message: string;
}

/** Whether the codes alone say that a quota is spent. */
export function hasRateLimitCode({ codes, message }: ErrorWords): boolean {
  return codes.some(
    (code) =>
      rateLimitCode.test(squeeze(code)) ||
      (facebookLimitCode.test(code) && /limit|calls|throttl|too many/i.test(message)),
  );
}

/** Whether codes or text say that a quota is spent. */
export function saysRateLimited(words: ErrorWords): boolean {
  return hasRateLimitCode(words) || rateLimitText.test(words.message);
}

/** Whether codes or text say that the credential is missing or wrong. */
export function saysUnauthorized({ codes, message }: ErrorWords): boolean {
  return codes.some((code) => unauthorizedCode.test(squeeze(code))) || unauthorizedText.test(message);
}

/** Whether codes or text say that the credential itself is bad, not merely that it may not do this. */
export function saysBadCredential({ codes, message }: ErrorWords): boolean {
  return (
    codes.some((code) => badCredentialCode.test(squeeze(code))) ||
    badCredentialText.test(message.slice(0, 2_000))
  );
}

function saysForbidden(words: ErrorWords): boolean {
  return forbiddenText.test(joinWords(words));
}

export function saysValidation({ codes }: ErrorWords): boolean {
  return codes.some((code) => validationText.test(code));
}

/** The category that codes and text speak of, the surest sign first; undefined when they speak of none. */
export function categoryOfWords(words: ErrorWords): ErrorCategory | undefined {
  const text = joinWords(words);
  if (saysRateLimited(words)) return "rate_limited";
  if (saysUnauthorized(words)) return "unauthorized";
  if (saysForbidden(words)) return "forbidden";
  if (notFoundText.test(text)) return "not_found";
  if (conflictText.test(text)) return "conflict";
  if (saysValidation(words)) return "validation";
  if (timeoutText.test(text)) return "timeout";
  return serverText.test(text) ? "server_error" : undefined;
}

function joinWords({ codes, message }: ErrorWords): string {
  return `${codes.join(" ")} ${message}`.slice(0, 2_000);
}

function squeeze(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, "");
}
