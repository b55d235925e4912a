/** What an answer that refuses the request means, and what to change: path, method, body, state; and a server that failed. */

import { clipText, writeDuration } from "../text.js";
import type { Of, RequestCause } from "./cause.js";
import { describeOrigin } from "./credential-words.js";
import { describeSent, dropQuery, type Explanation, explain, warnOfWrite } from "./explanation.js";
import type { Subject } from "./facts.js";
import { findDoubledSegments, listSegments } from "./missing.js";
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
    case "request_too_large": {
      const parts: Readonly<Record<number, string>> = {
        414: "URL is too long",
        431: "headers are too large",
      };
      const part = parts[cause.status] ?? "request is too large";
      return describeBadRequest(`The ${part} for this API: send less at once, in several calls.`);
    }
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
function describeBadRequest(advice: string, missing?: string, endpoint: string = ""): Explanation {
  const fix =
    missing === undefined
      ? "Correct the path or the query of `api.testEndpoint` by what the API says, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into `api.headers` or `api.query`."
      : `Add ${missing} to \`api.testEndpoint\`, as in "${clipText(endpoint, 200)}${endpoint.includes("?") ? "&" : "?"}${missing}=…", or, if every call needs it, to \`api.query\`; or choose a simpler endpoint, such as /user.`;
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

function adviseOnConflict(over: Of<"conflict">["over"], { request: { condition } }: Subject): string {
  if (over === "exists")
    return "It exists already: GET it and update that one if it is what you want, or choose another name or id. Unchanged the call fails again.";
  if (over === "state")
    return "The call conflicts with the present state, which may have changed or be locked: GET the current state first, adapt the call to it (with the current revision, such as _rev or version, where it has one), and send it again.";
  const what =
    condition === undefined
      ? "The API takes this only on a condition that doesn't hold or is missing"
      : `It changed since it was read, so the condition in ${condition} doesn't hold`;
  return `${what}: GET the current state first; if its answer shows an ETag, send that in If-Match, else put the current revision where the API's documentation says.`;
}

/** What the joined URL was, and which part of it is probably wrong. */
function describeMissing(cause: Of<"not_found">, subject: Subject): Explanation {
  const { source, request } = subject;
  const { baseUrl = source.api.baseUrl, testEndpoint = request.path } = subject;
  const website = " The answer is a web page, so the base URL may be that of a website and not of the API.";
  const hidden = ` Some APIs answer 404 for what a credential may not see, or for a wrong credential: check ${describeOrigin(subject)} too.`;
  return explain(
    "not_found",
    `\`api.baseUrl\` (${dropQuery(baseUrl)}) and \`api.testEndpoint\` (${dropQuery(testEndpoint)}) make ${dropQuery(request.url)}.${cause.isPage ? website : ""}
    ${suggestPath(baseUrl, testEndpoint)}${source.api.authType === undefined ? "" : hidden}`,
    adviseOnMissing(cause, subject),
  );
}

function suggestPath(baseUrl: string, testEndpoint: string): string {
  const doubled = findDoubledSegments(baseUrl, testEndpoint);
  if (doubled !== undefined)
    return `\`api.baseUrl\` ends with ${doubled.segments} already: set "testEndpoint": "${doubled.rest}".`;
  const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]*)([^?#]*)/i.exec(baseUrl) ?? [];
  const version = listSegments(path).find((part) => /^v\d[\w.]*$/i.test(part));
  const where = version === undefined ? "" : `the version segment ${version} in \`api.baseUrl\` and `;
  const lead = /^\/api\b/.test(path)
    ? ""
    : ` A leading part such as /api may be missing, as in "baseUrl": "${`${origin}/api${path}`.replace(/\/$/, "")}".`;
  return `Check ${where}the spelling of ${dropQuery(testEndpoint) || "/"} in \`api.testEndpoint\` against the API's documentation.${lead}`;
}

function adviseOnMissing({ missing, message }: Of<"not_found">, { request, source }: Subject): string {
  const url = cleanText(dropQuery(request.url), 300);
  const doubled = findDoubledSegments(source.api.baseUrl, request.path)?.segments;
  if (doubled !== undefined)
    return `The URL was ${url}: the base URL already ends with ${doubled}, so leave ${doubled} out of path.`;
  if (missing === "gone") return "It existed and is gone for good: don't ask for it again.";
  if (missing === "path")
    return `No such endpoint: the API has no route for ${request.method} ${url}. Check the path's spelling, version segment and plural form against the API's documentation; the base URL ${source.api.baseUrl} is already in front of it.`;
  if (missing === "named_in_body")
    return "The path is right, but what the query or the body names does not exist or the credential may not see it. List or search first to find the right name or id.";
  const segments = listSegments(request.path);
  const last = cleanText(segments.at(-1) ?? "what was asked for", 80);
  const list =
    segments.length > 1
      ? `GET ${cleanText(`/${segments.slice(0, -1).join("/")}`, 200)}`
      : "List or search first";
  const isNamed = /\d/.test(last) || message.includes(last);
  if (missing === "thing")
    return `The path looks right, but ${isNamed ? last : "what the API names"} does not exist there or the credential may not see it. ${list} to find the right one.`;
  return `${last} does not exist there, the credential may not see it, or the path is wrong: the URL was ${url}. ${list} to find the right one, and check the path's spelling.`;
}

/** `Allow`, narrowed to the methods that this source may use. */
function describeMethod({ allow }: Of<"method_refused">, { request, source }: Subject): Explanation {
  const named: readonly string[] = allow?.toUpperCase().match(/[A-Z]+/g) ?? [];
  const usable = source.api.methods.filter((method) => named.includes(method));
  const takes = allow === undefined ? "" : ` It takes ${allow}.`;
  const use =
    usable.length > 0
      ? `Use ${usable.join(" or ")}.`
      : "Use another method, or another path, such as that of a single thing instead of a list.";
  return explain(
    "method_not_allowed",
    `The path does not take ${request.method}, which is what the test sends.${takes}
    Set \`api.testEndpoint\` to a path that is read by GET, such as /user, /me or a list with a small limit.`,
    `${request.method} is not possible on this path. ${allow === undefined ? "" : `Allow: ${allow}. `}${use}`,
  );
}

function describeInvalid(cause: Of<"request_invalid">, subject: Subject): Explanation {
  const { status, message, fields, missing } = cause;
  if (status === 421 || status === 426) {
    return describeOdd(
      `The server wants another protocol or host for this: the user should check the base URL ${subject.source.api.baseUrl}.`,
    );
  }
  const given = fields.length > 0 ? fields.slice(0, 8) : missing === undefined ? [] : [missing];
  const named = given.map((field) => cleanText(field, 60));
  const what =
    message === "" && named.length === 0
      ? "The API doesn't say what is wrong: compare path, query and body with its documentation or with a call that worked; unchanged the call fails again."
      : `Correct ${named.length > 0 ? named.join(", ") : "what the message names"} and send the call again; unchanged it fails again.`;
  const advice = `${what} ${describeSent(subject)}`;
  return [400, 411, 417, 422].includes(status) || status < 300
    ? describeBadRequest(advice, missing, subject.testEndpoint)
    : describeOdd(advice);
}

/** 406 is about the Accept header, 415 about the body. */
function describeType({ status, takes }: Of<"type_refused">, subject: Subject): Explanation {
  const { request, source } = subject;
  const side = status === 406 ? "Accept" : "Content-Type";
  const change = `Set "headers": { "${side}": "application/json" } under \`api\`, with the media type that the API's documentation names.`;
  if (status === 406) {
    const accept = cleanText(request.accept ?? "the default (JSON, else anything)", 120);
    const message = `The API has no answer in the form that Accept asks for; sent was ${accept}.`;
    return explain(
      "missing_header",
      `${message}\n${change}`,
      `${message} Give an Accept header in headers with a type that the API offers here.`,
    );
  }
  const taken = takes === undefined ? "" : ` The API takes: ${takes}.`;
  const sent = request.contentType === undefined ? "without a Content-Type" : `as ${request.contentType}`;
  const message = `The API does not take what was sent ${cleanText(sent, 100)}.${taken}`;
  return explain("missing_header", `${message}\n${change}`, `${message} ${adviseOnType(source, takes)}`);
}

/** Asks only for what the request policy lets through: no multipart body, and none of another format than the record fixes. */
function adviseOnType({ api: { bodyFormat } }: Subject["source"], takes: string = ""): string {
  const [fitting] = takes.match(/\b(?!multipart)[\w.+-]+\/[\w.+-]+/gi) ?? [];
  const isFixed = bodyFormat !== undefined && (bodyFormat === "json") !== /json/i.test(fitting ?? "");
  if (fitting !== undefined && !isFixed) return `Give Content-Type: ${fitting} in headers.`;
  return bodyFormat === undefined
    ? "Look in the API's documentation for the type, and give it as Content-Type in headers."
    : `Bodies of this source are ${bodyFormat === "json" ? "JSON" : "urlencoded forms"}, which you can't change: if the API takes another type, the user should set api.bodyFormat to "${bodyFormat === "json" ? "form" : "json"}" in the record.`;
}

/** When to try again, and for a write that it may have been done. */
function describeServer(cause: Of<"server_failed">, subject: Subject): Explanation {
  const { status, retryable, retryAfterSeconds } = cause;
  const what =
    "The API, or a gateway in front of it, failed or is down for now; the call itself may be right.";
  const wait = retryAfterSeconds === undefined ? "" : writeDuration(retryAfterSeconds);
  const again =
    wait === ""
      ? "Try once more in a moment; if it goes on, tell the user that the API has a problem."
      : `Try again after ${wait}.`;
  return explain(
    status === 408 ? "timeout" : "server_error",
    `${what}
    ${wait === "" ? "" : `Test again in ${wait}. `}Try the same request in another client: if it fails there too, test again later or tell the provider; if not, compare the headers and the query with the curl line.`,
    `${what} ${warnOfWrite(subject)}${retryable ? again : "If a second look at the call finds nothing wrong, tell the user."}`,
  );
}
