/** Decides the category of a failure from its status, its quota headers and its machine-readable codes; words of a message never decide. */

import type { ErrorCategory } from "../base/errors.js";
import type { RateLimit } from "../http/limits/rate-limit.js";
import type { ErrorBody } from "./error-body.js";
import type { AnswerFacts } from "./facts.js";

const kind = "(?:access|auth|bearer|security|session|api|account|client)?";
const secret = `${kind}(?:token|key|secret|credentials?)`;
const state = "(?:invalid|expired|bad|revoked|incorrect|wrong|unknown|disabled|missing|no)";
/** Codes, lower case and without punctuation, whole but for the suffixes of exception classes. */
const byCode: readonly (readonly [ErrorCategory, RegExp])[] = [
  [
    "rate_limited",
    /ratelimit|throttl|toomany(?:requests|calls)|(?:quota|limit)exceeded|^over(?:query|daily)?(?:limit|quota)|resourceexhausted|^slowdown$|insufficientquota/,
  ],
  [
    "unauthorized",
    new RegExp(
      `^(?:(?:un|not)auth(?:enticated|ori[sz]ed|ed)|auth(?:entication|orization)?(?:required|failed|failure)|${state}${secret}(?:id)?|` +
        `${secret}(?:invalid|expired|revoked|disabled|missing|required)|missingauthenticationtoken|signaturedoesnotmatch|` +
        "unrecognizedclient|invalidclient(?:tokenid)?|invalidsessionid|invalidauth|wrongpassword|accountinactive)(?:exception|error)?$",
    ),
  ],
  [
    "forbidden",
    /^(?:(?:access|permission|request)denied|forbidden|not(?:allowed|permitted)|insufficient(?:permissions?|scope|rights|access|privileges)|missing(?:scope|permissions?))(?:exception|error)?$/,
  ],
  ["not_found", /notfound(?:exception|error)?$|^nosuch[a-z]+$|doesnotexist$/],
  ["conflict", /^conflict|already(?:exists|inuse|registered|taken)|^duplicate/],
  [
    "validation",
    /^validation|^baduserinput|^unprocessable|^invalid(?:argument|request|param(?:eter)?s?|params?|fields?|input|form)/,
  ],
  ["timeout", /timeout|timedout|deadlineexceeded/],
  [
    "server_error",
    /^internal|^(?:fatal|server|unknown)error|^(?:service)?unavailable|^(?:soap|soapenv|s|env)?(?:server|receiver)$/,
  ],
];
/** JSON-RPC 2.0, section 5.1. */
const jsonRpc: Readonly<Record<string, ErrorCategory>> = {
  "-32601": "not_found",
  "-32602": "validation",
  "-32603": "server_error",
};
/** A spent budget: waiting does not bring it back. */
const spentCode = /insufficientquota|billing|payment|credit/;

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

/**
 * The category, by the API's own codes and by the fields and the status that the body names. Under 2xx the status in the body decides, then the codes, then `bad_request`. A 403 or 418 with a wait or a spent quota in
 * its headers is `rate_limited`; a code of a spent quota makes a 400, 403, 418 or 5xx that, too. A code of a bad credential makes a 400 or
 * 403 `unauthorized`; a 400 is `validation` or `forbidden` by its fields and codes.
 */
export function findCategory(
  { status, rateLimit, isExpired }: AnswerFacts,
  codes: readonly string[],
  body: ErrorBody,
): ErrorCategory {
  if (isExpired === true) return "unauthorized";
  const coded = findByCode(codes);
  const hasFields = body.fields.size > 0;
  const decisive = status < 300 ? (body.status ?? status) : status;
  if (decisive < 300) return coded ?? (hasFields ? "validation" : "bad_request");
  if (decisive < 400) return "unexpected_content";
  if (isHiddenLimit(decisive, coded, rateLimit)) return "rate_limited";
  if (decisive === 400) {
    if (hasFields || coded === "validation") return "validation";
    return coded === "unauthorized" || coded === "forbidden" ? coded : "bad_request";
  }
  if (decisive === 403 && coded === "unauthorized") return "unauthorized";
  const known = byStatus.find(([, statuses]) => statuses.includes(decisive))?.[0];
  return known ?? (decisive >= 500 ? "server_error" : "bad_request");
}

/** Lower case and without punctuation, to be compared; `""` for a sentence in a member for codes, since its words decide nothing. */
export function squeeze(code: string): string {
  return /\s/.test(code) ? "" : code.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The category of the first code that is known, the most specific code first. */
export function findByCode(codes: readonly string[]): ErrorCategory | undefined {
  for (const code of codes) {
    const squeezed = squeeze(code);
    // A code such as `valueOf` must not find what every object inherits.
    const reserved = Object.hasOwn(jsonRpc, code) ? jsonRpc[code] : undefined;
    const found = reserved ?? byCode.find(([, pattern]) => pattern.test(squeezed))?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

function isHiddenLimit(
  status: number,
  coded: ErrorCategory | undefined,
  { remaining, retryAfterSeconds }: RateLimit = {},
): boolean {
  if (status !== 400 && status !== 403 && status !== 418 && status < 500) return false;
  const isHeld = remaining === 0 || retryAfterSeconds !== undefined;
  return coded === "rate_limited" || ((status === 403 || status === 418) && isHeld);
}

/** 52x and 530 are Cloudflare's (origin unreachable or slow); 529 and 598 report an overload or a time-out. */
const temporary: readonly number[] = [
  408, 425, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 598,
];

/**
 * Whether the same call may succeed later without a change. A rate limit may, unless a code reports a spent budget; a 500 may for GET
 * only, since the write may have been executed; an overloaded or unreachable server may for every method, and the hint of a write
 * advises to check first.
 */
export function isRetryable(
  { status, request: { method } }: AnswerFacts,
  codes: readonly string[],
  category: ErrorCategory,
): boolean {
  if (category === "rate_limited") return !codes.some((code) => spentCode.test(squeeze(code)));
  if (temporary.includes(status)) return true;
  const isTheirs = category === "server_error" || category === "timeout";
  return isTheirs && method === "GET" && status !== 505 && status < 506;
}
