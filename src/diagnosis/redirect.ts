/** A redirect that was not followed, or that ended at a web page: where it leads and what that usually means, for a model and for a person. */

import type { ApiSourceErrorFields } from "../errors.js";
import { clipText } from "../text.js";
import type { RedirectFailure, RedirectRefusal } from "../transport/send-failure.js";
import type { RedirectErrorDetails } from "../transport/transport.js";
import type { RedirectCause } from "./cause.js";
import { describeLogin, dropQuery, type SubjectFacts, tell, toBase, type Verdict } from "./verdict-words.js";

type ReadRefusal = Exclude<RedirectRefusal, "write">;

/** Where it leads, and what to check; "the path" and "the base URL" are fields of the record to a person. */
const meanings: Readonly<Record<ReadRefusal, readonly [where: string, hint: string]>> = {
  other_origin: [
    "which is another host",
    "Another host usually means a wrong base URL (then set it to the address shown), or a login page because the credential is missing or not accepted.",
  ],
  outside_base_path: [
    "which is outside the base path",
    "Outside the base path usually means a login page, a missing part of the base URL (such as /api), or a path that does not exist.",
  ],
  http_to_https: [
    "which is the HTTPS address of the same host",
    "The API wants HTTPS: set baseUrl to the same URL with https://.",
  ],
  https_to_http: [
    "which is not encrypted",
    "Following it would send the credential unencrypted. Check the path; the API itself is misconfigured.",
  ],
  forbidden: [
    "where this source's rules don't let a call go",
    "The record's rules hold for redirects too. Use a path that answers by itself.",
  ],
  malformed: [
    "which is malformed",
    "The server's Location header is not a URL that can be followed safely. Check the path.",
  ],
  loop: [
    "where this call has been before",
    "The server sends the request round in a circle. Check the path (a slash at its end too many, or too few) and the credential.",
  ],
  too_many: [
    "after five redirects already",
    "The server redirects on and on. Check the path (a slash at its end too many, or too few) and the credential.",
  ],
  no_target: ["without saying where", "The server did not say where to go. Check the path."],
  unsupported_status: [
    "with a status that is not followed",
    "This status is never followed. When the address shown is the right one, call it directly.",
  ],
};

/** For a model. A redirect is never retryable: the same request meets the same answer. */
export function explainRedirect(failure: RedirectFailure): ApiSourceErrorFields {
  const { status, target, reason, why } = failure;
  const details: RedirectErrorDetails = {
    redirect: { status, ...(target === undefined ? {} : { target }), reason },
  };
  const category = "refused_by_policy";
  if (reason === "write") return { ...explainWrite(failure), category, details };
  const [where, hint] = meanings[reason];
  const to = target === undefined ? "" : ` to ${target},`;
  const message = `The server answered ${status}, a redirect${to} ${where}. It was not followed${why === undefined ? "." : `: ${why}`}`;
  return { message, hint, category, details };
}

/** RFC 9110 section 15.4: 303 points to the result; the others ask for the request, or a GET, at another place. */
function explainWrite({ status, method, target, path }: RedirectFailure): { message: string; hint: string } {
  const to = target === undefined ? "" : ` to ${target}`;
  const look = path === undefined ? "GET the thing it was about" : `GET ${path}`;
  const again =
    path === undefined || status === 303 ? "" : ` If it was not, send the ${method} to ${path} instead.`;
  return {
    message: `The ${method} was received and answered with ${status}, a redirect${to}. A write is not sent to another address.`,
    hint: `Do not send it again as it is. ${look} to see whether it was carried out.${again}`,
  };
}

const login =
  /(?:^|[/._-])(?:log[-_]?in|sign[-_]?in|sso|saml2?|oauth2?|auth|authorize|accounts?|idp?|identity)(?:[/._?-]|$)/i;
const website =
  "`api.baseUrl` may be that of the website: APIs are often at https://api.<domain> or under /api.";

/** For a person: where it leads, and what to write instead. */
export function describeRedirect(cause: RedirectCause, facts: SubjectFacts): Verdict {
  const { reason, page, status } = cause;
  const target = clipText(cause.target ?? "", 300);
  const to = URL.canParse(target) ? new URL(target) : undefined;
  const base = to === undefined ? undefined : guessBase(to, facts.testEndpoint);
  const isLogin =
    page?.kind === "login" ||
    (reason !== "http_to_https" &&
      to !== undefined &&
      base === undefined &&
      login.test(to.hostname + to.pathname));
  const fixLogin = `Probably ${describeLogin(facts)} Otherwise ${website}`;
  if (reason === "followed") {
    const title = page?.title === undefined ? "" : ` ("${clipText(page.title, 120)}")`;
    const what = `GET ${dropQuery(facts.url)} was redirected to ${isLogin ? "a login page" : "a web page"}, ${target}${title}.`;
    return tell("redirected", `${what}\n${isLogin ? fixLogin : website}`);
  }
  const [where, hint] = meanings[reason === "write" ? "forbidden" : reason];
  const lead = to === undefined ? "" : ` to ${isLogin ? "a login page, " : ""}${target},`;
  const message = `GET ${dropQuery(facts.url)} answered ${status}, a redirect${lead} ${where}.`;
  return tell("redirected", `${message}\n${isLogin ? fixLogin : writeFix(reason, to, base, hint, facts)}`);
}

function writeFix(
  reason: string,
  to: URL | undefined,
  base: string | undefined,
  hint: string,
  facts: SubjectFacts,
): string {
  if (reason === "http_to_https") {
    const own = new URL(facts.baseUrl);
    own.port = to?.port ?? own.port;
    return `Set "baseUrl": "${toBase(own.href, "https")}" under \`api\`.`;
  }
  if (base !== undefined && reason === "other_origin")
    return `Set "baseUrl": "${base}" under \`api\`. Only do so if you trust that host with the credential.`;
  if (base !== undefined && reason === "outside_base_path") return `Set "baseUrl": "${base}" under \`api\`.`;
  return hint
    .replaceAll("the path", "`api.testEndpoint`")
    .replace(/(?:the|a wrong) base URL/g, (words) => `${words} (\`api.baseUrl\`)`);
}

/** The base URL under which the same test endpoint would be where the redirect leads. */
function guessBase(to: URL, testEndpoint: string): string | undefined {
  const own = dropQuery(testEndpoint).replace(/\/$/, "");
  const path = to.pathname.replace(/\/$/, "");
  return own !== "" && path.endsWith(own) ? `${to.origin}${path.slice(0, -own.length)}` : undefined;
}
