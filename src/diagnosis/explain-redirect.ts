/** What to say about a redirect that is not followed: where it points, and what that usually means. */

import type { ApiSourceErrorFields } from "../errors.js";
import type { RedirectFailure, RedirectRefusal } from "../transport/send-failure.js";
import type { RedirectErrorDetails } from "../transport/transport.js";

const hints: Readonly<Record<Exclude<RedirectRefusal, "write">, string>> = {
  other_origin:
    "Another host usually means a wrong base URL (then set it to the address shown), or a login page because the credential is missing or not accepted.",
  outside_base_path:
    "Outside the base path usually means a login page, a missing part of the base URL (such as /api), or a path that does not exist.",
  http_to_https: "The API wants HTTPS: set baseUrl to the same URL with https://.",
  https_to_http:
    "Following it would send the credential unencrypted. Check the path; the API itself is misconfigured.",
  forbidden: "The record's rules hold for redirects too. Use a path that answers by itself.",
  malformed: "The server's Location header is not a URL that can be followed safely. Check the path.",
  loop: "The server sends the request round in a circle. Check the path and the credential.",
  too_many: "The server redirects on and on. Check the path and the credential.",
  no_target: "The server did not say where to go. Check the path.",
  unsupported_status:
    "This status is never followed. When the address shown is the right one, call it directly.",
};

const causes: Readonly<Record<Exclude<RedirectRefusal, "write">, string>> = {
  other_origin: "which is another host",
  outside_base_path: "which is outside the base path",
  http_to_https: "which is the HTTPS address of the same host",
  https_to_http: "which is not encrypted",
  forbidden: "where this source's rules don't let a call go",
  malformed: "which is malformed",
  loop: "where this call has been before",
  too_many: "after five redirects already",
  no_target: "without saying where",
  unsupported_status: "with a status that is not followed",
};

/** Returns the words for a redirect that was not followed. It is never retryable: the same request meets the same answer. */
export function explainRedirect(failure: RedirectFailure): ApiSourceErrorFields {
  const { status, target, reason } = failure;
  const details: RedirectErrorDetails = {
    redirect: { status, ...(target === undefined ? {} : { target }), reason },
  };
  const words = reason === "write" ? explainWrite(failure) : explainRead(failure, reason);
  return { ...words, category: "refused_by_policy", details };
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

function explainRead(failure: RedirectFailure, reason: Exclude<RedirectRefusal, "write">): Words {
  const to = failure.target === undefined ? "" : ` to ${failure.target},`;
  const why = failure.why === undefined ? "." : `: ${failure.why}`;
  return {
    message: `The server answered ${failure.status}, a redirect${to} ${causes[reason]}. It was not followed${why}`,
    hint: hints[reason],
  };
}

/** RFC 9110 section 15.4: 303 points to the result; the others ask for the request, or a GET, at another place. */
function explainWrite({ status, method, target, path }: RedirectFailure): Words {
  const to = target === undefined ? "" : ` to ${target}`;
  const look = path === undefined ? "GET the thing it was about" : `GET ${path}`;
  const again =
    path === undefined || status === 303 ? "" : ` If it was not, send the ${method} to ${path} instead.`;
  return {
    message: `The ${method} was received and answered with ${status}, a redirect${to}. A write is not sent to another address.`,
    hint: `Do not send it again as it is. ${look} to see whether it was carried out.${again}`,
  };
}
