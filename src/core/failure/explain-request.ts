/** Explains a response that refuses the request (such as 400, 404, 409 or 422: path, method, body, state), and a server that failed. */

import { writeDuration } from "../base/text.js";
import type { BodyFormat } from "../record/api-source.js";
import { squeeze } from "./category.js";
import { type Cause, dropQuery, explain, warnOfWrite } from "./cause.js";
import { readHeader } from "./challenge.js";
import type { FailedAnswer } from "./facts.js";
import { explainMissing } from "./missing.js";
import { cleanText } from "./shown-text.js";

/** Causes in the request or in the server. Under a 2xx status, a person reads what that means. */
export function explainRequest(answer: FailedAnswer): Cause {
  const { status, source } = answer;
  const explained = explainCategory(answer);
  if (status >= 300) return explained;
  const byRecord = " If this body is a success, correct `api.errorWhen`, which may be true of it.";
  return explain(
    "failed_in_body",
    "The status reports success, but the body reports a failure.",
    `Correct \`api.testEndpoint\` (its path or query) as the API reports, or choose another, such as /user.${source.api.errorWhen === undefined ? "" : byRecord}`,
    explained.advice,
  );
}

function explainCategory(answer: FailedAnswer): Cause {
  const { category, status } = answer;
  if (status === 406 || status === 415) return explainType(answer);
  switch (category) {
    case "forbidden":
      return explain(
        "legal_block",
        "The API withholds this for legal reasons.",
        "Choose another `api.testEndpoint`, such as /user or /me.",
        "The API withholds this for legal reasons. Tell the user.",
      );
    case "not_found":
      return explainMissing(answer);
    case "method_not_allowed":
      return explainMethod(answer);
    case "conflict":
      return explainBadRequest("conflict", adviseOnConflict(answer));
    case "too_large": {
      const part =
        status === 414
          ? "URL is too long"
          : status === 431
            ? "headers are too large"
            : "request is too large";
      const advice = `The ${part} for this API: send less at once.`;
      return explainBadRequest("request_too_large", advice);
    }
    case "server_error":
    case "timeout":
      return explainServer(answer);
    case "unexpected_content": {
      // Without its query, which may hold anything.
      const target = dropQuery(readHeader(answer.headers, "location") ?? "");
      const to = target === "" ? "" : ` to ${cleanText(target, 200)}`;
      return explainOdd(
        `The redirect${to} was not followed. ${warnOfWrite(answer)}Use its path if it is under ${answer.source.api.baseUrl}; otherwise the user should check the base URL.`,
      );
    }
    default:
      return explainInvalid(answer);
  }
}

const badRequestFix =
  "Correct the path or the query of `api.testEndpoint` as the API reports, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into `api.headers` or `api.query`.";

/** A port for HTTPS answers plain HTTP with a 400 that is not JSON; other servers send one, too. */
function adviseOnScheme({ status, body, request }: FailedAnswer): string {
  const mayBeHttps = status === 400 && request.url.startsWith("http:") && body.kind !== "json";
  return mayBeHttps ? " If the port expects HTTPS, write https:// in `api.baseUrl`." : "";
}

/** For a person, every wrong request is a wrong test endpoint. */
function explainBadRequest(
  kind: "conflict" | "request_too_large" | "request_invalid",
  advice: string,
  fix: string = badRequestFix,
): Cause {
  return explain(kind, "The API was reached, but does not accept this request.", fix, advice);
}

function explainOdd(advice: string): Cause {
  return explain(
    "other_status",
    "A test endpoint should answer 200.",
    "Check `api.testEndpoint` against the API's documentation; choose one that answers GET with 200 and JSON, such as /user.",
    advice,
  );
}

const existsCode = /already(?:exists|inuse|taken|registered)|^duplicate/;

/** It exists already; a condition doesn't hold or is required; or the present state does not allow the call. */
function adviseOnConflict({ request: { condition }, status, codes }: FailedAnswer): string {
  const isChecked = condition !== undefined && (status === 409 || status === 412);
  // `If-None-Match: *` means: only if it does not exist (RFC 9110, section 13.1.2).
  const exists = isChecked
    ? /^if-none-match$/i.test(condition)
    : codes.some((code) => existsCode.test(squeeze(code)));
  if (exists) return "It exists already: GET it and update that one, or choose another name or id.";
  if (!isChecked && status !== 412 && status !== 428)
    return "The call conflicts with the present state: GET that first, adapt the call (with the current revision, where it has one), and send it again.";
  const what =
    condition === undefined
      ? "The API requires a condition"
      : `It changed since it was read, so the condition in ${condition} doesn't hold`;
  return `${what}: GET the current state; send its ETag in If-Match, or the current revision as the API documents it.`;
}

/** `Allow`, narrowed to the methods that this source may use. */
function explainMethod({ headers, request: { method }, source }: FailedAnswer): Cause {
  const named = (readHeader(headers, "allow") ?? "")
    .toUpperCase()
    .split(",")
    .map((each) => each.trim())
    .filter((each) => /^[A-Z]{1,16}$/.test(each));
  const allow = cleanText(named.join(", "), 100);
  const usable = source.api.methods.filter((each) => named.includes(each));
  const use = usable.length > 0 ? `Use ${usable.join(" or ")}.` : "Use another method, or another path.";
  return explain(
    "method_refused",
    `The path does not accept ${method}, which the test sends.${allow && ` It accepts ${allow}.`}`,
    "Set `api.testEndpoint` to a path that is read by GET, such as /user, /me or a list with a small limit.",
    `${method} is not possible on this path. ${allow && `Allow: ${allow}. `}${use}`,
  );
}

function explainInvalid(answer: FailedAnswer): Cause {
  const { status, message, fields } = answer;
  if (status === 421 || status === 426) {
    return explainOdd(
      `The server requires another protocol or host: the user should check the base URL ${answer.source.api.baseUrl}.`,
    );
  }
  const named = fields.slice(0, 8).map(nameField);
  const advice =
    message === "" && named.length === 0
      ? "The API doesn't report what is wrong: compare path, query and body with its documentation."
      : `Correct ${named.length > 0 ? named.join(", ") : "the call by the message"}, then send it again.`;
  if (![400, 411, 417, 422].includes(status)) return explainOdd(advice);
  const add = named.length === 0 ? "" : `Correct ${named.join(", ")}. `;
  return explainBadRequest("request_invalid", advice, `${add}${badRequestFix}${adviseOnScheme(answer)}`);
}

/** In quotes where it is more than a name: the hint must not say the API's words as its own. */
function nameField(field: string): string {
  const name = cleanText(field, 60);
  return /^[\w$@/.[\]:*#-]+…?$/.test(name) ? name : JSON.stringify(name);
}

/** 406 is about the Accept header, 415 about the body. */
function explainType({ status, headers, request, source }: FailedAnswer): Cause {
  const side = status === 406 ? "Accept" : "Content-Type";
  const fix = `Set "headers": { "${side}": "application/json" } under \`api\`, with the media type that the API's documentation names.`;
  if (status === 406) {
    const accept = cleanText(request.accept ?? "the default (JSON, else anything)", 120);
    const message = `The API has no response of the type in Accept; sent was ${accept}.`;
    const advice = `${message} Give an Accept header in headers with a type that the API offers.`;
    return explain("type_refused", message, fix, advice);
  }
  // RFC 9110 (15.5.16) lets a 415 name what it takes in Accept; RFC 5789 has Accept-Patch, LDP Accept-Post.
  const named = ["accept-patch", "accept-post", "accept"].map((name) => readHeader(headers, name));
  const takes = cleanText(named.find(Boolean) ?? "", 200);
  const sent = request.contentType === undefined ? "without a Content-Type" : `as ${request.contentType}`;
  const message = `The API does not accept what was sent ${cleanText(sent, 100)}.${takes && ` It accepts: ${takes}.`}`;
  return explain("type_refused", message, fix, `${message} ${adviseOnType(source.api.bodyFormat, takes)}`);
}

/** Suggests only what the request policy lets through: no other format than the record fixes. */
function adviseOnType(bodyFormat: BodyFormat | undefined, takes: string): string {
  const [fitting] = takes.match(/\b(?:multipart\/form-data|(?!multipart)[\w.+-]+\/[\w.+-]+)/gi) ?? [];
  const format =
    fitting === undefined
      ? undefined
      : (Object.entries(formats).find(([, type]) => type.test(fitting))?.[0] ?? "text");
  const instead =
    format === undefined || format === "text" ? (bodyFormat === "json" ? "form" : "json") : format;
  if (bodyFormat !== undefined && bodyFormat !== format)
    return `Bodies of this source are ${bodyNames[bodyFormat]}, which you can't change: if the API accepts another type, the user should set api.bodyFormat to "${instead}" in the record.`;
  return fitting === undefined
    ? "Look in the API's documentation for the type, and give it as Content-Type in headers."
    : `Give Content-Type: ${fitting} in headers.`;
}

const formats = { multipart: /^multipart\//i, json: /json/i, form: /x-www-form-urlencoded/i } as const;
const bodyNames = { json: "JSON", form: "urlencoded forms", multipart: "multipart forms" } as const;

/** When to try again, and for a write that it may have been executed. */
function explainServer(answer: FailedAnswer): Cause {
  const { status, retryable, retryAfterSeconds } = answer;
  const wait = retryAfterSeconds === undefined ? "" : writeDuration(retryAfterSeconds);
  const again = wait === "" ? "Try once more; if it fails again, tell the user." : `Try again after ${wait}.`;
  return explain(
    status === 408 ? "server_late" : "server_failed",
    "The API, or a gateway before it, failed or is unavailable; the call itself may be correct.",
    `${wait && `Test again in ${wait}. `}Try the same request in another client: if it fails there too, test again later or ask the provider; if not, compare the headers and the query with the curl line.`,
    `The API failed. ${warnOfWrite(answer)}${retryable ? again : "Check the call; if it is correct, tell the user."}`,
  );
}
