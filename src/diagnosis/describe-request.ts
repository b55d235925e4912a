/** What an answer that refuses the request means, and what to change: path, method, body, state; and a server that failed. */

import { clipText, writeDuration } from "../text.js";
import type { ConflictKind, Of, RequestCause, SaidByApi } from "./cause.js";
import { describeMissing } from "./describe-address.js";
import { describeSent, type Explanation, explain, warnOfWrite } from "./explanation.js";
import type { Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

/** Words for the causes that the request can mend. Under a status that says success, a person is told what that means. */
export function describeRequest(cause: RequestCause, subject: Subject): Explanation {
  const explained = describeKind(cause, subject);
  if (cause.status >= 300) return explained;
  const byRecord = " If this body is a success, correct `api.errorWhen`, which may be true of it.";
  return {
    ...explained,
    ...explain(
      "error_in_body",
      `The status says success, but the body says failure.
      Correct \`api.testEndpoint\` (its path or query) by what the API says, or choose another, such as /user.${subject.source.api.errorWhen === undefined ? "" : byRecord}`,
    ),
  };
}

function describeKind(cause: RequestCause, subject: Subject): Explanation {
  switch (cause.kind) {
    case "not_found":
      return describeMissing(cause, subject);
    case "method_refused":
      return describeMethod(cause, subject);
    case "type_refused":
      return describeType(cause, subject);
    case "request_invalid":
      return describeInvalid(cause, subject);
    case "conflict":
      return describeBadRequest(adviseOnConflict(cause.over, subject));
    case "request_too_large":
      return describeBadRequest(adviseOnSize(cause.status, subject));
    case "server_failed":
      return describeServer(cause, subject);
    default: {
      const target = cause.kind === "other_status" && cause.target !== undefined ? ` to ${cause.target}` : "";
      return describeOdd(
        `The API redirects${target}, which was not followed. ${warnOfWrite(subject)}Use the path it points to if that is under ${subject.source.api.baseUrl}; otherwise the user should check the base URL.`,
      );
    }
  }
}

/** For a person every wrong request is one of the test endpoint. */
function describeBadRequest(
  advice: string,
  missing: readonly string[] = [],
  endpoint: string = "",
): Explanation {
  const added = missing.map((name) => `${name}=…`).join("&");
  const fix =
    missing.length === 0
      ? "Correct the path or the query of `api.testEndpoint` by what the API says, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into `api.headers` or `api.query`."
      : `Add ${missing.join(", ")} to \`api.testEndpoint\`, as in "${clipText(endpoint, 200)}${endpoint.includes("?") ? "&" : "?"}${added}", or, if every call needs it, to \`api.query\`; or choose a simpler endpoint, such as /user.`;
  const message = "The API was reached, but does not take this request as it is.";
  return { verdict: "bad_request", message, fix, advice };
}

function describeOdd(advice: string): Explanation {
  return explain(
    "unexpected_status",
    "A test endpoint should answer 200.\nCheck `api.testEndpoint` against the API's documentation; choose one that answers GET with 200 and JSON, such as /user.",
    advice,
  );
}

/** `Allow`, narrowed to the methods that this source may use. */
function describeMethod({ status, allow }: Of<"method_refused">, { request, source }: Subject): Explanation {
  const named: readonly string[] = allow?.toUpperCase().match(/[A-Z]+/g) ?? [];
  const usable = source.api.methods.filter((method) => named.includes(method));
  const may =
    usable.length > 0 ? ` Use ${usable.join(" or ")}.` : " None of these may be used by this source.";
  const known =
    allow === undefined
      ? "Use another method, or the path of a single thing instead of a list (or the reverse)."
      : `Allow: ${allow}.${may}`;
  return explain(
    "method_not_allowed",
    `The path exists, but does not take ${request.method}, which is what the test sends.${allow === undefined ? "" : ` It takes ${allow}.`}
    Set \`api.testEndpoint\` to a path that is read by GET, such as /user, /me or a list with a small limit.`,
    status === 501
      ? `The API doesn't implement this (${request.method} on this path, or an option the message names): leave the option out, or use another method or path.`
      : `${request.method} is not possible on this path. ${known}`,
  );
}

function describeInvalid(cause: Of<"request_invalid">, subject: Subject): Explanation {
  const { status, message, fields } = cause;
  const missing = cause.missing.map((name) => cleanText(name, 60));
  if (status === 421 || status === 426) {
    return describeOdd(
      `The server wants another protocol or host for this: the user should check the base URL ${subject.source.api.baseUrl}.`,
    );
  }
  const named = fields.length > 0 ? fields.slice(0, 8).map((field) => cleanText(field, 60)) : missing;
  const what =
    message === "" && named.length === 0
      ? "The API doesn't say what is wrong: compare path, query and body with its documentation or with a call that worked; unchanged the call fails again."
      : `Correct ${named.length > 0 ? named.join(", ") : "what the message names"} and send the call again; unchanged it fails again.`;
  const advice = `${what} ${describeSent(subject)}`;
  return [400, 411, 417, 422].includes(status) || status < 300
    ? describeBadRequest(advice, missing, subject.testEndpoint)
    : describeOdd(advice);
}

function describeType({ side, takes }: Of<"type_refused">, subject: Subject): Explanation {
  const { headers } = subject.source.api;
  const isOwn = Object.keys(headers).some((name) => name.toLowerCase() === side.toLowerCase());
  const what =
    side === "Accept"
      ? `The API does not answer in a type that the ${isOwn ? "record's" : "tool's"} Accept header names.`
      : "The API wants a Content-Type even where there is no body.";
  return explain(
    "missing_header",
    `${what}\n${isOwn ? "Change" : "Add"} "headers": { "${side}": "${takes ?? "application/json"}" } under \`api\`, with the media type the API's documentation names.`,
    side === "Accept" ? adviseOnAccept(takes, subject) : adviseOnContentType(takes, subject),
  );
}

/** Without an Accept of its own a request carries the transport's default. */
function adviseOnAccept(takes: string | undefined, { request: { accept } }: Subject): string {
  const sent =
    accept === undefined ? "the default Accept (JSON, else anything)" : `Accept: ${cleanText(accept, 120)}`;
  const other = takes ?? (accept === undefined ? "text/csv or application/xml" : "application/json or */*");
  return `The API has no answer in the asked form; sent was ${sent}. Give an Accept header in headers with a type the API offers here, such as ${other}.`;
}

/** Asks only for what the request policy lets through: a Content-Type of the record's own body format. */
function adviseOnContentType(takes: string | undefined, { request, source }: Subject): string {
  const sent =
    request.contentType === undefined
      ? "without a Content-Type"
      : `as ${cleanText(request.contentType, 100)}`;
  const start = `The body was sent ${sent}.${takes === undefined ? "" : ` The API takes: ${takes}.`}`;
  const isJson = source.api.bodyFormat === "json";
  const fits = /\b[\w.+-]+\/(?:[\w.-]+\+)?json\b/i.exec(takes ?? "")?.[0];
  if (isJson && fits !== undefined && fits !== request.contentType)
    return `${start} Give Content-Type: ${fits} in headers.`;
  return `${start} Bodies of this source are ${isJson ? "JSON" : "urlencoded forms"}, which you can't change: if the API takes only ${isJson ? "forms" : "JSON"}, the user should set api.bodyFormat to "${isJson ? "form" : "json"}" in the record.`;
}

const look = "GET the current state first";
const conflicts: Readonly<Record<Exclude<ConflictKind, "condition" | "state">, string>> = {
  exists:
    "It exists already: GET it and update that one if it is what you want, or choose another name or id. Unchanged the call fails again.",
  revision:
    "What was sent is not based on the current revision: GET the thing, put its current revision (_rev, version or ETag, as this API calls it) into the call, and send it again.",
  precondition: `A precondition of the API doesn't hold: ${look} and adapt the call to it; if its answer shows an ETag, send that in If-Match.`,
  condition_wanted: `The API takes this write only with a condition on the current state: ${look}; if its answer shows an ETag or a revision, send that (an ETag in the If-Match header), else look in the API's documentation for the condition.`,
  lock: "It is locked by someone else: wait until the lock is gone, or unlock it.",
  step: "A step this call depends on failed: look at that one first.",
  early: "The server wants the call again later, once the connection is established: repeat it.",
};

function adviseOnConflict(over: ConflictKind, { request }: Subject): string {
  if (over === "condition")
    return `It changed since it was read, so the condition in ${request.condition} doesn't hold: ${look}, then send the call with its current ETag or date.`;
  if (over !== "state") return conflicts[over];
  // A POST without a body is an action (`/orders/7/cancel`): it creates nothing.
  const creates = request.method === "POST" && request.bodyText !== undefined;
  const mayExist = creates ? " It may exist already: update that one instead of creating another." : "";
  return `The call conflicts with the present state: ${look}, then adapt the call (identifier, version or revision).${mayExist}`;
}

function adviseOnSize(status: number, { request }: Subject): string {
  if (status === 414)
    return "The URL is too long: send fewer or shorter query values, or the same in several calls.";
  if (status === 431) return "The headers are too large: send fewer extra headers.";
  return `The API refuses ${request.bodyText === undefined ? "a request" : "a body"} of this size: send less at once, in several calls.`;
}

/** Whose fault it is, when to try again, and for a write that it may have been done. */
function describeServer(cause: SaidByApi, subject: Subject): Explanation {
  const { status, retryable, retryAfterSeconds } = cause;
  const isSlow = [408, 504, 524, 598].includes(status);
  let what = "The API failed on this request, or is down for now; the call itself may be right.";
  if (status < 300) what = "The API reports a failure of its own, under a status that says success.";
  else if (isSlow) what = "The server, or a gateway in front of it, gave up waiting.";
  else if (status === 502 || status >= 520)
    what = "A gateway or CDN is there, but the API behind it did not answer properly or in time.";
  const fix =
    status === 500
      ? "Try the same request in another client. If it fails there too, tell the provider; if not, compare the headers and the query with the curl line."
      : "Nothing in the record helps; test again later, or look at the provider's status page.";
  const wait = retryAfterSeconds === undefined ? "" : writeDuration(retryAfterSeconds);
  const again =
    wait === ""
      ? "Try once more in a moment; if it goes on, tell the user that the API has a problem."
      : `Try again after ${wait}.`;
  return explain(
    status === 408 ? "timeout" : "server_error",
    `${what}\n${wait === "" ? "" : `Test again in ${wait}. `}${fix}`,
    `${what} ${warnOfWrite(subject)}${retryable ? again : "If a second look at the call finds nothing wrong, tell the user."}`,
  );
}
