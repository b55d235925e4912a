/** What a redirect that was not followed, or that ended at a web page, says about a record. */

import { clipText } from "../text.js";
import type { RedirectCause } from "./cause.js";
import { describeLogin, dropQuery, type SubjectFacts, tell, toBase, type Verdict } from "./verdict-words.js";

const loginPath =
  /(?:^|[/._-])(?:log[-_]?[io]n|sign[-_]?in|sso|saml2?|oauth2?|auth|authorize|authenticate|sessions?|cas|idp|openid(?:-connect)?)(?:[/._?-]|$)/i;
const loginEnd = /\/(?:log[-_]?[io]n|sign[-_]?in|sso)(?:\.[a-z]{2,5})?\/?$/i;
const loginHost = /^(?:login|signin|sso|auth|accounts?|id|idp|identity)\./i;
const website =
  "`api.baseUrl` may be that of the website: APIs are often at https://api.<domain> or under /api.";

/** Where it leads, and what to write instead. */
export function describeRedirect(cause: RedirectCause, facts: SubjectFacts): Verdict {
  const target = clipText(cause.target ?? "", 300);
  const to = URL.canParse(target) ? new URL(target) : undefined;
  const login = describeLogin(facts);
  const fixLogin = `${login.charAt(0).toUpperCase()}${login.slice(1)} Otherwise ${website}`;
  if (cause.reason === "followed") {
    const isLogin = cause.page?.kind === "login" || loginPath.test(to?.pathname ?? "");
    const title = cause.page?.title === undefined ? "" : ` ("${clipText(cause.page.title, 120)}")`;
    return tell(
      "redirected",
      `GET ${dropQuery(facts.url)} was redirected to ${isLogin ? "a login page" : "a web page"}, ${target}${title}.
      ${isLogin ? fixLogin : website}`,
    );
  }
  const answered = `GET ${dropQuery(facts.url)} answered ${cause.status}, a redirect`;
  if (cause.reason !== "http_to_https" && to !== undefined && isLoginTarget(to, facts.testEndpoint)) {
    return tell("redirected", `${answered} to a login page, ${target}.\n${fixLogin}`);
  }
  return tell("redirected", `${answered}${describeRefusal(cause.reason, to, target, facts)}`);
}

function describeRefusal(reason: string, to: URL | undefined, target: string, facts: SubjectFacts): string {
  const { baseUrl, testEndpoint } = facts;
  const base = to === undefined ? undefined : guessBase(to, testEndpoint);
  const setBase = base === undefined ? undefined : `Set "baseUrl": "${base}" under \`api\`.`;
  switch (reason) {
    case "http_to_https": {
      const own = new URL(baseUrl);
      own.port = to?.port ?? own.port;
      return ` to ${target}: the API wants HTTPS.\nSet "baseUrl": "${toBase(own.href, "https")}" under \`api\`.`;
    }
    case "other_origin":
      return ` to another host, ${target}. A credential is not carried there.
        ${setBase === undefined ? "If that is the API's address, set `api.baseUrl` to it; otherwise check `api.baseUrl` and `api.testEndpoint`, since this one leads away." : `${setBase} Only do so if you trust that host with the credential.`}`;
    case "outside_base_path":
      return ` to ${target}, which is outside \`api.baseUrl\` (${baseUrl}).
        ${setBase ?? "Check `api.baseUrl` and `api.testEndpoint`: the API has moved, or sends whoever it does not know elsewhere."}`;
    case "https_to_http":
      return ` from HTTPS to plain HTTP, ${target}. The credential would travel unencrypted, so it was not followed.
        Check \`api.testEndpoint\`, also whether it needs a slash at its end; the redirect to http is a mistake of the server.`;
    case "loop":
    case "too_many":
      return ` to ${target}, and so on in a circle.
        Check \`api.testEndpoint\` (a slash at its end too many, or too few) and the credential: some sites send whoever is not signed in round and round.`;
    case "no_target":
      return " that names no place to go to.\nCheck `api.testEndpoint`.";
    default:
      return `${target === "" ? "" : ` to ${target}`}, which can't be followed.
        Check \`api.baseUrl\` and \`api.testEndpoint\` against the API's documentation.`;
  }
}

/** The base URL under which the same test endpoint would be where the redirect leads. */
function guessBase(to: URL, testEndpoint: string): string | undefined {
  const own = dropQuery(testEndpoint).replace(/\/$/, "");
  const path = to.pathname.replace(/\/$/, "");
  return own !== "" && path.endsWith(own) ? `${to.origin}${path.slice(0, -own.length)}` : undefined;
}

/** An endpoint below /auth or /session may move as any other does, but nothing of an API moves to /login. */
function isLoginTarget(to: URL, testEndpoint: string): boolean {
  if (loginEnd.test(to.pathname)) return true;
  const looksSo = loginPath.test(to.pathname) || loginHost.test(to.hostname);
  return looksSo && guessBase(to, testEndpoint) === undefined;
}
