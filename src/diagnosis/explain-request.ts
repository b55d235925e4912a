/** From an answer that refuses the request to its cause: path, method, body, state; and a server that failed. */

import { clipText, writeDuration } from "../text.js";
import { findMissingParameter, readHeader } from "./asked.js";
import { type Cause, describeSent, dropQuery, explain, warnOfWrite } from "./cause.js";
import type { FailedAnswer } from "./facts.js";
import { explainMissing } from "./missing.js";
import { cleanText } from "./shown-text.js";

/** Causes that the request can mend, or nobody here. Under a status that says success, a person is told what that means. */
export function explainRequest(answer: FailedAnswer): Cause {
  const { status, source } = answer;
  const explained = explainCategory(answer);
  if (status >= 300) return explained;
  const byRecord = " If this body is a success, correct `api.errorWhen`, which may be true of it.";
  return explain(
    "failed_in_body",
    "The status says success, but the body says failure.",
    `Correct \`api.testEndpoint\` (its path or query) by what the API says, or choose another, such as /user.${source.api.errorWhen === undefined ? "" : byRecord}`,
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
        "The API withholds this for legal reasons; no change of the call helps: tell the user.",
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
      const advice = `The ${part} for this API: send less at once, in several calls.`;
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
        `The API redirects${to}, which was not followed. ${warnOfWrite(answer)}Use the path it points to if that is under ${answer.source.api.baseUrl}; otherwise the user should check the base URL.`,
      );
    }
    default:
      return explainInvalid(answer);
  }
}

/** For a person every wrong request is one of the test endpoint. */
function explainBadRequest(
  kind: "conflict" | "request_too_large" | "request_invalid",
  advice: string,
  fix: string = "Correct the path or the query of `api.testEndpoint` by what the API says, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into `api.headers` or `api.query`.",
): Cause {
  return explain(kind, "The API was reached, but does not take this request as it is.", fix, advice);
}

function explainOdd(advice: string): Cause {
  return explain(
    "other_status",
    "A test endpoint should answer 200.",
    "Check `api.testEndpoint` against the API's documentation; choose one that answers GET with 200 and JSON, such as /user.",
    advice,
  );
}

const existsText =
  /already[ _-]?(?:exist|in[ _-]use|taken|registered|been|used|present)|exists[ _-]?already|file[ _-]?exists|\b(?:is|been|name[ _-]?)[ _-]?taken\b|duplicate|must be unique|unique[ _-]?(?:constraint|violation)|(?:not|n't) unique/i;
/** Words that only an API with revisions has: there what exists already is the older revision. */
const revisionText = /\b_?revs?\b|\brevision|\betag|if-match/i;

/** It exists already; a condition doesn't hold or is wanted; or the present state is in the way. */
function adviseOnConflict({ request: { condition }, status, codes, message }: FailedAnswer): string {
  const isChecked = condition !== undefined && (status === 409 || status === 412);
  const text = `${codes.join(" ")} ${message}`;
  // `If-None-Match: *` means: only if there is none (RFC 9110, section 13.1.2).
  const exists = isChecked
    ? /^if-none-match$/i.test(condition)
    : existsText.test(text) && !revisionText.test(text);
  if (exists)
    return "It exists already: GET it and update that one if it is what you want, or choose another name or id. Unchanged the call fails again.";
  if (!isChecked && status !== 412 && status !== 428)
    return "The call conflicts with the present state, which may have changed or be locked: GET the current state first, adapt the call to it (with the current revision, such as _rev or version, where it has one), and send it again.";
  const what =
    condition === undefined
      ? "The API takes this only on a condition that doesn't hold or is missing"
      : `It changed since it was read, so the condition in ${condition} doesn't hold`;
  return `${what}: GET the current state first; if its answer shows an ETag, send that in If-Match, else put the current revision where the API's documentation says.`;
}

/** `Allow`, narrowed to the methods that this source may use. */
function explainMethod({ headers, request: { method }, source }: FailedAnswer): Cause {
  const allow = cleanText(readHeader(headers, "allow") ?? "", 100);
  const named: readonly string[] = allow.toUpperCase().match(/[A-Z]+/g) ?? [];
  const usable = source.api.methods.filter((each) => named.includes(each));
  const use =
    usable.length > 0
      ? `Use ${usable.join(" or ")}.`
      : "Use another method, or another path, such as that of a single thing instead of a list.";
  return explain(
    "method_refused",
    `The path does not take ${method}, which is what the test sends.${allow && ` It takes ${allow}.`}`,
    "Set `api.testEndpoint` to a path that is read by GET, such as /user, /me or a list with a small limit.",
    `${method} is not possible on this path. ${allow && `Allow: ${allow}. `}${use}`,
  );
}

function explainInvalid(answer: FailedAnswer): Cause {
  const { status, message, fields, testEndpoint = "", words } = answer;
  if (status === 421 || status === 426) {
    return explainOdd(
      `The server wants another protocol or host for this: the user should check the base URL ${answer.source.api.baseUrl}.`,
    );
  }
  const missing = findMissingParameter(words);
  const named = (fields.length > 0 ? fields.slice(0, 8) : [missing ?? []].flat()).map((field) =>
    cleanText(field, 60),
  );
  const what =
    message === "" && named.length === 0
      ? "The API doesn't say what is wrong: compare path, query and body with its documentation or with a call that worked; unchanged the call fails again."
      : `Correct ${named.length > 0 ? named.join(", ") : "what the message names"} and send the call again; unchanged it fails again.`;
  const advice = `${what} ${describeSent(answer)}`;
  if (![400, 411, 417, 422].includes(status)) return explainOdd(advice);
  if (missing === undefined) return explainBadRequest("request_invalid", advice);
  const example = `${clipText(testEndpoint, 200)}${testEndpoint.includes("?") ? "&" : "?"}${missing}=…`;
  const fix = `Add ${missing} to \`api.testEndpoint\`, as in "${example}", or, if every call needs it, to \`api.query\`; or choose a simpler endpoint, such as /user.`;
  return explainBadRequest("request_invalid", advice, fix);
}

/** 406 is about the Accept header, 415 about the body. */
function explainType({ status, headers, request, source }: FailedAnswer): Cause {
  const side = status === 406 ? "Accept" : "Content-Type";
  const fix = `Set "headers": { "${side}": "application/json" } under \`api\`, with the media type that the API's documentation names.`;
  if (status === 406) {
    const accept = cleanText(request.accept ?? "the default (JSON, else anything)", 120);
    const message = `The API has no answer in the form that Accept asks for; sent was ${accept}.`;
    const advice = `${message} Give an Accept header in headers with a type that the API offers here.`;
    return explain("type_refused", message, fix, advice);
  }
  // RFC 9110 (15.5.16) lets a 415 name what it takes in Accept; RFC 5789 has Accept-Patch, LDP Accept-Post.
  const named = ["accept-patch", "accept-post", "accept"].map((name) => readHeader(headers, name));
  const takes = cleanText(named.find(Boolean) ?? "", 200);
  const sent = request.contentType === undefined ? "without a Content-Type" : `as ${request.contentType}`;
  const message = `The API does not take what was sent ${cleanText(sent, 100)}.${takes && ` The API takes: ${takes}.`}`;
  return explain("type_refused", message, fix, `${message} ${adviseOnType(source.api.bodyFormat, takes)}`);
}

/** Asks only for what the request policy lets through: no multipart body, and none of another format than the record fixes. */
function adviseOnType(bodyFormat: "json" | "form" | undefined, takes: string): string {
  const [fitting] = takes.match(/\b(?!multipart)[\w.+-]+\/[\w.+-]+/gi) ?? [];
  const isFixed = bodyFormat !== undefined && (bodyFormat === "json") !== /json/i.test(fitting ?? "");
  if (fitting !== undefined && !isFixed) return `Give Content-Type: ${fitting} in headers.`;
  return bodyFormat === undefined
    ? "Look in the API's documentation for the type, and give it as Content-Type in headers."
    : `Bodies of this source are ${bodyFormat === "json" ? "JSON" : "urlencoded forms"}, which you can't change: if the API takes another type, the user should set api.bodyFormat to "${bodyFormat === "json" ? "form" : "json"}" in the record.`;
}

/** When to try again, and for a write that it may have been done. */
function explainServer(answer: FailedAnswer): Cause {
  const { status, retryable, retryAfterSeconds } = answer;
  const what =
    "The API, or a gateway in front of it, failed or is down for now; the call itself may be right.";
  const wait = retryAfterSeconds === undefined ? "" : writeDuration(retryAfterSeconds);
  const again =
    wait === ""
      ? "Try once more in a moment; if it goes on, tell the user that the API has a problem."
      : `Try again after ${wait}.`;
  return explain(
    status === 408 ? "server_late" : "server_failed",
    what,
    `${wait && `Test again in ${wait}. `}Try the same request in another client: if it fails there too, test again later or tell the provider; if not, compare the headers and the query with the curl line.`,
    `${what} ${warnOfWrite(answer)}${retryable ? again : "If a second look at the call finds nothing wrong, tell the user."}`,
  );
}
