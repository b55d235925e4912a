/** Hints for a call the API could read but not accept: 400, 405, 406, 409, 412, 413, 415, 422, 423, 428 and their kin. */

import { cleanText } from "./clean-text.js";
import type { HintInput } from "./hint-input.js";
import { readHeader } from "./read-header.js";

const maxSentChars = 300;

/** For `bad_request` and `validation`: names the fields and shows what was sent. */
export function hintForInvalid(input: HintInput): string {
  const { status } = input;
  if (status === 406) return hintForAccept(input);
  if (status === 415) return hintForContentType(input);
  if (status === 411) return "The API wants a body with a length: give body.";
  if (status === 416) return "The Range header asks for a part that isn't there: leave it out.";
  if (status === 417) return "The API can't meet the Expect header: leave it out.";
  if (status === 421 || status === 426 || status === 497) {
    return `The server wants another protocol or host for this: the user should check the base URL ${input.source.api.baseUrl}.`;
  }
  const fields = input.fields.slice(0, 8).map((field) => cleanText(field, 60));
  const what = fields.length > 0 ? `Correct ${fields.join(", ")}` : "Correct what the message names";
  if (input.message === "" && fields.length === 0) {
    return `The API doesn't say what is wrong: compare path, query and body with its documentation or with a call that worked; unchanged the call fails again. ${whatWasSent(input)}`;
  }
  return `${what} and send the call again; unchanged it fails again. ${whatWasSent(input)}`;
}

function whatWasSent({ request }: HintInput): string {
  const body = request.bodyText === undefined || request.bodyText === "" ? undefined : request.bodyText;
  const query = request.url.split("?")[1]?.split("#")[0];
  const line = `${request.method} ${cleanText(request.path, 200)}${query ? `?${cleanText(query, maxSentChars)}` : ""}`;
  if (body !== undefined)
    return `Sent: ${line} with ${request.contentType ?? "body"} ${cleanText(body, maxSentChars)}`;
  return `Sent: ${line}${request.method === "GET" ? "." : " without a body."}`;
}

/** Without an Accept of its own a request carries the transport's default. */
function hintForAccept({ request }: HintInput): string {
  if (request.accept === undefined) {
    return "The API has no answer in the asked form; sent was the default Accept (JSON, else anything). Give an Accept header in headers with a type the API offers here, such as text/csv or application/xml.";
  }
  return `The API has no answer in the asked form; sent was Accept: ${cleanText(request.accept, 120)}. Give another Accept header in headers, such as application/json or */*.`;
}

/** RFC 9110 (15.5.16) lets a 415 name what it takes in Accept; RFC 5789 has Accept-Patch, LDP Accept-Post. */
function hintForContentType({ request, headers, source }: HintInput): string {
  const accepted =
    readHeader(headers, "accept-patch") ??
    readHeader(headers, "accept-post") ??
    readHeader(headers, "accept");
  const takes = accepted === undefined ? "" : ` The API takes: ${cleanText(accepted, 200)}.`;
  const sent =
    request.contentType === undefined
      ? "without a Content-Type"
      : `as ${cleanText(request.contentType, 100)}`;
  const other = source.api.bodyFormat === "json" ? "form" : "json";
  return `The body was sent ${sent}.${takes} Give the Content-Type the API takes in headers; if it takes only ${other === "form" ? "urlencoded forms" : "JSON"}, the user should set api.bodyFormat to "${other}" in the record.`;
}

/** Shows `Allow`, narrowed to the methods that this source may use. */
export function hintForMethod({ request, headers, source, status }: HintInput): string {
  const allow = readHeader(headers, "allow");
  const named: readonly string[] = (allow ?? "").toUpperCase().match(/[A-Z]+/g) ?? [];
  const usable = source.api.methods.filter((method) => named.includes(method));
  if (status === 501)
    return `The API doesn't implement this (${request.method} on this path, or an option the message names): leave the option out, or use another method or path.`;
  if (allow === undefined) {
    return `${request.method} is not possible on this path. Use another method, or the path of a single thing instead of a list (or the reverse).`;
  }
  const may =
    usable.length > 0 ? ` Use ${usable.join(" or ")}.` : " None of these may be used by this source.";
  return `${request.method} is not possible on this path. Allow: ${cleanText(allow, 100) || "(nothing)"}.${may}`;
}

export function hintForTooLarge({ status, request }: HintInput): string {
  if (status === 414)
    return "The URL is too long: send fewer or shorter query values, or the same in several calls.";
  if (status === 431) return "The headers are too large: send fewer extra headers.";
  const size = request.bodyText === undefined ? "" : ` (${request.bodyText.length} characters were sent)`;
  return `The API refuses a body of this size${size}: send less at once, in several calls.`;
}
