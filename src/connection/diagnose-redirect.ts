/** A redirect that is not followed: where it leads and what that says about the record. */

import { clipText } from "../text.js";
import type { RedirectErrorDetails } from "../transport/transport.js";
import { describeOrigin } from "./describe-credential.js";
import type { Finding, Subject } from "./finding.js";
import { type Reading, withoutQuery } from "./reading.js";

const loginPath =
  /(?:^|[/._-])(?:log[-_]?[io]n|sign[-_]?in|sso|saml2?|oauth2?|auth|authorize|authenticate|session|sessions|cas|idp|openid(?:-connect)?)(?:[/._?-]|$)/i;
const loginEnd = /\/(?:log[-_]?[io]n|sign[-_]?in|sso)(?:\.[a-z]{2,5})?\/?$/i;
const loginHost = /^(?:login|signin|sso|auth|accounts?|id|idp|identity)\./i;

export function readRedirect(details: unknown): RedirectErrorDetails["redirect"] | undefined {
  return isRedirectDetails(details) ? details.redirect : undefined;
}

function isRedirectDetails(details: unknown): details is RedirectErrorDetails {
  return typeof details === "object" && details !== null && "redirect" in details;
}

export function diagnoseRedirect(subject: Subject, redirect: RedirectErrorDetails["redirect"]): Finding {
  const { status, reason } = redirect;
  const target = redirect.target === undefined ? "" : clipText(redirect.target, 300);
  const answered = `GET ${withoutQuery(subject.url)} answered ${status}, a redirect`;
  const to = URL.canParse(target) ? new URL(target) : undefined;
  if (reason === "http_to_https" && to !== undefined) {
    return tell(`${answered} to ${target}: the API wants HTTPS.`, tellBase(toHttps(subject.baseUrl, to)));
  }
  if (to !== undefined && isLogin(subject, to)) {
    return tell(`${answered} to a login page, ${target}.`, tellLogin(subject));
  }
  const base = to === undefined ? undefined : guessBase(to, subject.testEndpoint);
  switch (reason) {
    case "other_origin":
      return tell(
        `${answered} to another host, ${target}. A credential is not carried there.`,
        base === undefined
          ? "If that is the API's address, set `api.baseUrl` to it; otherwise check `api.baseUrl` and `api.testEndpoint`, since this one leads away."
          : `${tellBase(base)} Only do so if you trust that host with the credential.`,
      );
    case "outside_base_path":
      return tell(
        `${answered} to ${target}, which is outside \`api.baseUrl\` (${subject.baseUrl}).`,
        base === undefined
          ? "Check `api.baseUrl` and `api.testEndpoint`: the API has moved, or sends whoever it does not know elsewhere."
          : tellBase(base),
      );
    case "https_to_http":
      return tell(
        `${answered} from HTTPS to plain HTTP, ${target}. The credential would travel unencrypted, so it was not followed.`,
        isSlashOnly(subject, to)
          ? `Write \`api.testEndpoint\` ${subject.testEndpoint.endsWith("/") ? "without" : "with"} the slash at its end: the server redirects only for that. Its redirect to http is a mistake of the server.`
          : "Check `api.testEndpoint`, also whether it needs a slash at its end; the redirect to http is a mistake of the server.",
      );
    case "loop":
    case "too_many":
      return tell(
        `${answered} to ${target}, and so on in a circle.`,
        "Check `api.testEndpoint` (a slash at its end too many, or too few) and the credential: some sites send whoever is not signed in round and round.",
      );
    case "no_target":
      return tell(`${answered} that names no place to go to.`, "Check `api.testEndpoint`.");
    default:
      return tell(
        `${answered}${target === "" ? "" : ` to ${target}`}, which can't be followed.`,
        "Check `api.baseUrl` and `api.testEndpoint` against the API's documentation.",
      );
  }
}

/** A redirect within the base URL is followed; one that ends at a web page led away from the API all the same. */
export function diagnoseLedAway(subject: Subject & Pick<Reading, "page">, endedAt: string): Finding {
  const { page } = subject;
  const isLogin = page?.kind === "login" || loginPath.test(new URL(endedAt).pathname);
  const title = page?.message === undefined ? "" : ` ("${clipText(page.message, 120)}")`;
  return tell(
    `GET ${withoutQuery(subject.url)} was redirected to ${isLogin ? "a login page" : "a web page"}, ${endedAt}${title}.`,
    isLogin
      ? tellLogin(subject)
      : "`api.baseUrl` or `api.testEndpoint` is probably that of the website: APIs are often at https://api.<domain> or under /api.",
  );
}

function tell(message: string, fix: string): Finding {
  return { verdict: "redirected", message, fix };
}

function tellBase(baseUrl: string): string {
  return `Set "baseUrl": "${baseUrl}" under \`api\`.`;
}

function tellLogin({ source, origin }: Subject): string {
  const address =
    "`api.baseUrl` may be that of the website: APIs are often at https://api.<domain> or under /api.";
  return source.api.authType === undefined
    ? `The API wants a credential: set \`api.authType\` and put the credential into the environment. Otherwise ${address}`
    : `The credential in ${describeOrigin(source, origin)} was not accepted, or not seen: check it and \`api.authType\`. Otherwise ${address}`;
}

function toHttps(baseUrl: string, to: URL): string {
  const url = new URL(baseUrl);
  url.protocol = "https:";
  url.port = to.port;
  return url.pathname === "/" ? url.origin : url.href;
}

/** The base URL under which the same test endpoint would be where the redirect leads. */
function guessBase(to: URL, testEndpoint: string): string | undefined {
  const own = trimSlash(withoutQuery(testEndpoint));
  const path = trimSlash(to.pathname);
  if (own === "" || !path.endsWith(own)) return undefined;
  return `${to.origin}${path.slice(0, -own.length)}`;
}

/** An endpoint below /auth or /session may move as any other does, but nothing of an API moves to /login. */
function isLogin({ testEndpoint }: Subject, to: URL): boolean {
  if (loginEnd.test(to.pathname)) return true;
  const looksSo = loginPath.test(to.pathname) || loginHost.test(to.hostname);
  return looksSo && guessBase(to, testEndpoint) === undefined;
}

function isSlashOnly({ url }: Subject, to: URL | undefined): boolean {
  const from = new URL(url).pathname;
  return to !== undefined && from !== to.pathname && trimSlash(from) === trimSlash(to.pathname);
}

function trimSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
