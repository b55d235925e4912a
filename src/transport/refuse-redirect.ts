/** What to say about a redirect that is not followed: where it points, and what that usually means. */

import { ApiSourceError } from "../errors.js";
import type { Redactor } from "../secrets/redactor.js";
import type { HttpMethod } from "../source/api-source.js";
import type { RedirectErrorDetails, RedirectRefusal } from "./transport.js";

export interface RefusedRedirect {
  readonly status: number;
  readonly reason: RedirectRefusal;
  readonly method: HttpMethod;
  readonly baseUrl: string;
  /** Where the server pointed, when it said so: a URL, or the text that is none. */
  readonly target?: string | undefined;
  /** Which rule of the record forbids it. */
  readonly why?: string | undefined;
  /** Whether the target lies under the base path of the source, where the tool could go. */
  readonly isReachable?: boolean;
  readonly redactor: Redactor;
}

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

/** Returns the failure of an answer that is a redirect. It is never retryable: the same request meets the same answer. */
export function refuseRedirect(redirect: RefusedRedirect): ApiSourceError {
  const { status, reason, redactor } = redirect;
  const target = redirect.target === undefined ? undefined : redactor.redact(toShown(redirect.target));
  const details: RedirectErrorDetails = {
    redirect: { status, ...(target === undefined ? {} : { target }), reason },
  };
  const words =
    reason === "write"
      ? explainWrite(redirect, target)
      : explainRead({ status, reason, target, why: redirect.why });
  return new ApiSourceError({
    message: redactor.redact(words.message),
    category: "refused_by_policy",
    hint: redactor.redact(words.hint),
    details,
  });
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

function explainRead(read: {
  readonly status: number;
  readonly reason: Exclude<RedirectRefusal, "write">;
  readonly target: string | undefined;
  readonly why: string | undefined;
}): Words {
  const to = read.target === undefined ? "" : ` to ${read.target},`;
  return {
    message: `The server answered ${read.status}, a redirect${to} ${causes[read.reason]}. It was not followed${read.why === undefined ? "." : `: ${read.why}`}`,
    hint: hints[read.reason],
  };
}

/** RFC 9110 section 15.4: 303 points to the result; the others ask for the request, or a GET, at another place. */
function explainWrite(redirect: RefusedRedirect, target: string | undefined): Words {
  const { status, method, isReachable = false } = redirect;
  const to = target === undefined ? "" : ` to ${target}`;
  const path = isReachable && target !== undefined ? toToolPath(target, redirect.baseUrl) : undefined;
  const look = path === undefined ? "GET the thing it was about" : `GET ${path}`;
  const again =
    path === undefined || status === 303 ? "" : ` If it was not, send the ${method} to ${path} instead.`;
  return {
    message: `The ${method} was received and answered with ${status}, a redirect${to}. A write is not sent to another address.`,
    hint: `Do not send it again as it is. ${look} to see whether it was carried out.${again}`,
  };
}

/** The URL without user, query and fragment, any of which may hold a secret of somebody's. */
function toShown(target: string): string {
  const [withoutQuery = ""] = target.split(/[?#]/);
  if (!URL.canParse(withoutQuery)) return withoutQuery;
  const url = new URL(withoutQuery);
  url.username = "";
  url.password = "";
  return url.href;
}

/** The path as the tool takes it: below the base path. */
function toToolPath(target: string, baseUrl: string): string {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  return new URL(target).pathname.slice(basePath.length) || "/";
}
