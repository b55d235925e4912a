/** The first part of the table of causes: which status, and which codes of an API, are which category; words of a message never decide. */

import type { ErrorCategory } from "../base/errors.js";
import { idempotentMethods } from "../http/retries.js";
import { isStatus, type StatusSign } from "./cause.js";
import type { ErrorBody } from "./error-body.js";
import type { AnswerFacts } from "./facts.js";

/** RFC 8470, section 5.2: a 425 (Too Early) was not processed. */
const tooEarly = 425;
/** DeepL's status of a quota that is used up. */
export const spentStatus = 456;

/** When a failure is of a category. */
interface CategoryRow {
  readonly category: ErrorCategory;
  /** Statuses that mean it, unless a code means another. */
  readonly status?: readonly StatusSign[];
  /** Statuses that mean it where the body names them, and another category as the status of the response. */
  readonly inBody?: readonly StatusSign[];
  /** Codes that mean it, in lower case and without punctuation: the most specific category first. */
  readonly code?: RegExp;
  /** The statuses under which those codes decide. */
  readonly under?: readonly StatusSign[];
}

const kind = "(?:access|auth|bearer|security|session|api|account|client)?";
const secret = `${kind}(?:token|key|secret|credential)s?`;
const state = "(?:invalid|expired|bad|revoked|incorrect|wrong|unknown|disabled|missing|no)";

/** The API names a permission. */
export const forbiddenCode: RegExp =
  /^(?:(?:access|permission|request)denied|permission(?=error$)|forbidden|not(?:allowed|permitted)|insufficient(?:permissions?|scope|rights|access|privileges)|missing(?:scope|permissions?))(?:exception|error)?$/;

/**
 * 419, 440, 498 and, in a body, 499: expired or missing tokens of frameworks and ArcGIS; 420: an old 429; 456: DeepL's spent quota; 499: a
 * proxy gave up before the answer (nginx); 425: not processed, since it came too early (RFC 8470); 511: a network's login (RFC 6585).
 */
const categories: readonly CategoryRow[] = [
  {
    category: "rate_limited",
    status: [420, 429, spentStatus],
    // The numbers are Facebook's and Deezer's.
    code: /ratelimit|throttl|toomany(?:requests|calls)|(?:quota|limit|throughput)exceeded|^over(?:query|daily)?(?:limit|quota)|resourceexhausted|^slowdown$|insufficientquota|^billinghardlimit|^outof(?:credits?|quota)|(?:credits?|quota)(?:exhausted|depleted)|^(?:4|17|32|613) oauthexception|^4 exception$/,
    under: ["2xx", 400, 401, 403, 418, "5xx"],
  },
  {
    category: "unauthorized",
    status: [401, 407, 419, 440, 498],
    inBody: [499],
    code: new RegExp(
      `^(?:(?:un|not)auth(?:enticated|ori[sz]ed|ed)|auth(?:entication|orization)?(?:required|failed|failure)|authentication|${state}${secret}(?:id)?|` +
        `${secret}(?:invalid|expired|revoked|disabled|missing|required)|missingauthenticationtoken|signaturedoesnotmatch|` +
        // The type of most errors of Facebook and Deezer: only with these codes it means the token.
        "(?:102|190|300) oauthexception|" +
        "unrecognizedclient|invalidclient(?:tokenid)?|invalidsessionid|invalidauth|wrongpassword|accountinactive)(?:exception|error)?$",
    ),
    under: ["2xx", 400, 403],
  },
  {
    category: "forbidden",
    status: [402, 403, 451],
    code: new RegExp(`${forbiddenCode.source}|^(?:10|200) oauthexception`),
    under: ["2xx", 400],
  },
  {
    category: "conflict",
    status: [409, 412, 423, 424, 428],
    code: /^conflict|conflict(?:exception|error)?$|^(?:version|revision)mismatch|^concurrent(?:update|modification)|^conditionalcheckfailed|already(?:exists|inuse|registered|taken)|^duplicate/,
    under: ["2xx", 400],
  },
  {
    category: "not_found",
    status: [404, 410],
    code: /notfound(?:exception|error)?$|^dataexception$|^nosuch[a-z]+$|doesnotexist$|^32601$/,
    under: ["2xx", 400],
  },
  { category: "unexpected_content", status: [511] },
  { category: "method_not_allowed", status: [405, 501] },
  { category: "too_large", status: [413, 414, 431] },
  {
    category: "timeout",
    status: [408, 499],
    code: /timeout|timedout|deadlineexceeded/,
    under: ["2xx"],
  },
  {
    category: "validation",
    status: [422],
    code: /^validation|^(?:missing)?parameterexception$|^invalidquery|^baduserinput|^unprocessable|^invalid(?:argument|request|param(?:eter)?s?|params?|fields?|input|form)|^32602$/,
    under: ["2xx", 400],
  },
  // SOAP: the side that is at fault (SOAP 1.1, section 4.4.1; SOAP 1.2 part 1, section 5.4.6).
  { category: "bad_request", code: /^(?:soap|soapenv|env|s|e)?(?:client|sender)$/, under: ["5xx"] },
  {
    category: "server_error",
    status: [tooEarly, "5xx"],
    code: /^internal|^overloaded|^apierror$|^(?:fatal|server|unknown)error|^(?:service)?unavailable|^(?:soap|soapenv|env|s|e)?(?:server|receiver)$|^32603$/,
    under: ["2xx"],
  },
  { category: "bad_request", status: ["4xx"] },
  { category: "unexpected_content", status: ["3xx"] },
];

/** Beside one of these words in a code, waiting does not bring a limit back. */
export const spentCode: RegExp =
  /insufficientquota|billing|payment|credit|quota(?:exhausted|depleted)|outofquota/;

/** Lower case and without punctuation, to be compared; `""` for a sentence in a member for codes, since its words decide nothing. */
export function squeeze(code: string): string {
  return /\s/.test(code) ? "" : code.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The category, and the code of the API that decided it, if one did. */
interface Decision {
  readonly category: ErrorCategory;
  readonly code?: string;
}

/**
 * The category, by the API's own codes and by the fields and the status that the body names. Under 2xx the status in the body decides, then the codes,
 * then `bad_request`. A 403 or 418 with a wait or a spent quota in its headers is `rate_limited`; under a 400 fields decide before codes.
 */
export function findCategory(
  { status, rateLimit = {}, isExpired, errorRule }: AnswerFacts,
  codes: readonly string[],
  body: ErrorBody,
): Decision {
  if (isExpired === true) return { category: "unauthorized" };
  if (errorRule?.category !== undefined) return { category: errorRule.category };
  const ofBody = status < 300 ? body.status : undefined;
  const decisive = ofBody ?? status;
  const hasFields = body.fields.size > 0;
  // A number in a body is a status where it looks like one: a code that names the failure goes before it.
  const byCode = findByCode(decisive, codes) ?? findByCode(status, codes);
  if (byCode?.category === "rate_limited") return byCode;
  const isHeld = rateLimit.remaining === 0 || rateLimit.retryAfterSeconds !== undefined;
  if ((decisive === 403 || decisive === 418) && isHeld) return { category: "rate_limited" };
  if (decisive === 400 && hasFields) return { category: "validation" };
  if (byCode !== undefined) return byCode;
  const named = categories.find(({ inBody }) => ofBody && inBody && isStatus(ofBody, inBody));
  const byStatus = named ?? categories.find((row) => row.status && isStatus(decisive, row.status));
  return { category: byStatus?.category ?? (hasFields ? "validation" : "bad_request") };
}

/** A code in parts, and neither a sentence nor an address. */
const isName = /^(?![a-z]+:\/\/)\S+$/i;

/** By a whole code, else by its last part (`Client.RequestLimitExceeded`), else by its first (`AuthFailure.SignatureFailure`). */
function findByCode(status: number, codes: readonly string[]): Decision | undefined {
  const whole = codes.map(squeeze);
  const parts = codes.map((code) => (isName.test(code) ? code.split(/[.:/#]/) : []));
  return (
    matchCode(status, codes, [...whole, whole.join(" ")]) ??
    matchCode(
      status,
      codes,
      parts.map((each) => squeeze(each.at(-1) ?? "")),
    ) ??
    matchCode(
      status,
      codes,
      parts.map((each) => squeeze(each[0] ?? "")),
    )
  );
}

/** @param written - The codes as they are compared, at the same places. */
function matchCode(
  status: number,
  codes: readonly string[],
  written: readonly string[],
): Decision | undefined {
  for (const { category, code, under = [] } of categories) {
    if (code === undefined || !isStatus(status, under)) continue;
    const at = written.findIndex((each) => code.test(each));
    if (at >= 0) return { category, code: codes[at] };
  }
  return undefined;
}

/** 52x and 530 are Cloudflare's (origin unreachable or slow); 529 and 598 report an overload or a time-out. */
const temporary: readonly number[] = [
  408, 425, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 598,
];

/**
 * Whether the same call may succeed later without a change, and does nothing twice. A rate limit refused it unprocessed, so every method may,
 * unless a code reports a spent budget. Any other failure of the server may have come after the write was done: then only what is repeatable may.
 */
export function isRetryable(
  { status, request }: AnswerFacts,
  codes: readonly string[],
  category: ErrorCategory,
): boolean {
  const isSpent = status === spentStatus || codes.some((code) => spentCode.test(squeeze(code)));
  if (category === "rate_limited") return !isSpent;
  if (status === tooEarly) return true;
  if (!isRepeatable(request)) return false;
  const isTheirs = category === "server_error" || category === "timeout";
  return temporary.includes(status) || (isTheirs && status !== 505 && status < 506);
}

/** Whether the same request may be sent again without doing anything twice. */
export function isRepeatable({ method, repeatable }: AnswerFacts["request"]): boolean {
  return repeatable ?? idempotentMethods.has(method);
}
