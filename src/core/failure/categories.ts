/** The first part of the table of causes: which status, and which codes of an API, are which category. */

import type { ErrorCategory } from "../base/errors.js";
import type { StatusSign } from "./cause.js";

/** When a failure is of a category. */
export interface CategoryRow {
  readonly category: ErrorCategory;
  /** Statuses that mean it, unless a code means another. */
  readonly status?: readonly StatusSign[];
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
  /^(?:(?:access|permission|request)denied|forbidden|not(?:allowed|permitted)|insufficient(?:permissions?|scope|rights|access|privileges)|missing(?:scope|permissions?))(?:exception|error)?$/;

/** 419, 440, 498, 499: expired or missing tokens of frameworks and ArcGIS; 420: an old 429; 511: a network's login (RFC 6585). */
export const categories: readonly CategoryRow[] = [
  {
    category: "rate_limited",
    status: [420, 429],
    code: /ratelimit|throttl|toomany(?:requests|calls)|(?:quota|limit|throughput)exceeded|^over(?:query|daily)?(?:limit|quota)|resourceexhausted|^slowdown$|insufficientquota/,
    under: ["2xx", 400, 403, 418, "5xx"],
  },
  {
    category: "unauthorized",
    status: [401, 407, 419, 440, 498, 499],
    code: new RegExp(
      `^(?:(?:un|not)auth(?:enticated|ori[sz]ed|ed)|auth(?:entication|orization)?(?:required|failed|failure)|${state}${secret}(?:id)?|` +
        `${secret}(?:invalid|expired|revoked|disabled|missing|required)|missingauthenticationtoken|signaturedoesnotmatch|` +
        // The type of most errors of Facebook: only with these codes it means the token.
        "(?:102|190) oauthexception|" +
        "unrecognizedclient|invalidclient(?:tokenid)?|invalidsessionid|invalidauth|wrongpassword|accountinactive)(?:exception|error)?$",
    ),
    under: ["2xx", 400, 403],
  },
  {
    category: "forbidden",
    status: [402, 403, 451],
    code: forbiddenCode,
    under: ["2xx", 400],
  },
  {
    category: "conflict",
    status: [409, 412, 423, 424, 425, 428],
    code: /^conflict|conflict(?:exception|error)?$|^(?:version|revision)mismatch|^concurrent(?:update|modification)|^conditionalcheckfailed|already(?:exists|inuse|registered|taken)|^duplicate/,
    under: ["2xx", 400],
  },
  {
    category: "not_found",
    status: [404, 410],
    code: /notfound(?:exception|error)?$|^nosuch[a-z]+$|doesnotexist$|^32601$/,
    under: ["2xx", 400],
  },
  { category: "unexpected_content", status: [511] },
  { category: "method_not_allowed", status: [405, 501] },
  { category: "too_large", status: [413, 414, 431] },
  { category: "timeout", status: [408], code: /timeout|timedout|deadlineexceeded/, under: ["2xx"] },
  {
    category: "validation",
    status: [422],
    code: /^validation|^baduserinput|^unprocessable|^invalid(?:argument|request|param(?:eter)?s?|params?|fields?|input|form)|^32602$/,
    under: ["2xx", 400],
  },
  // SOAP: the side that is at fault (SOAP 1.1, section 4.4.1; SOAP 1.2 part 1, section 5.4.6).
  { category: "bad_request", code: /^(?:soap|soapenv|env|s|e)?(?:client|sender)$/, under: ["5xx"] },
  {
    category: "server_error",
    status: ["5xx"],
    code: /^internal|^(?:fatal|server|unknown)error|^(?:service)?unavailable|^(?:soap|soapenv|env|s|e)?(?:server|receiver)$|^32603$/,
    under: ["2xx"],
  },
  { category: "bad_request", status: ["4xx"] },
  { category: "unexpected_content", status: ["3xx"] },
];

/** Beside one of these words in a code, waiting does not bring a limit back. */
export const spentCode: RegExp = /insufficientquota|billing|payment|credit/;
