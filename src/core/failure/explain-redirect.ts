/** A redirect that was not followed, or that ended at a web page: where it leads, what that usually means, and what to write instead. */

import { isIP } from "node:net";
import type { CallError } from "../base/errors.js";
import { clipText } from "../base/text.js";
import type { RedirectFailure, RedirectRefusal } from "../http/send-failure.js";
import { type Cause, dropQuery, explain, toBase } from "./cause.js";
import { describeLogin, describeOrigin } from "./explain-credential.js";
import type { Subject } from "./facts.js";
import type { HtmlPage } from "./page.js";

/** Not followed for the reason; `followed` when it ended at a web page. The target has no query. */
type Redirect = Pick<RedirectFailure, "status" | "target" | "why"> & {
  readonly reason: RedirectRefusal | "followed";
  readonly page?: HtmlPage | undefined;
};

const website = "APIs are often at https://api.<domain> or under /api.";
const elsewhere =
  "That usually means a wrong base URL (then set it to the address shown), a path that does not exist, or a login page because the credential is missing or not accepted.";
const circle =
  "The redirects form a loop. Check the path (an extra or a missing slash at its end) and the credential.";
const unusable =
  "The server's Location header can't be followed. Check the path, or use the address shown where it is the right one.";

/** Where it leads, and what that usually means; "the path" and "the base URL" are fields of the record to a person. */
const redirects: Readonly<Record<Redirect["reason"], readonly [where: string, meaning: string]>> = {
  followed: ["which is a web page", `Check the base URL, which may be that of the website: ${website}`],
  other_origin: ["which is another host", elsewhere],
  outside_base_path: ["which is outside the base path", elsewhere],
  http_to_https: [
    "which is the HTTPS address of the same host",
    "The API requires HTTPS: set baseUrl to the same URL with https://.",
  ],
  https_to_http: [
    "which is not encrypted",
    "Following it would send the credential unencrypted. Check the path; the API itself is misconfigured.",
  ],
  forbidden: ["which this source's rules do not allow", "Use a path that answers without a redirect."],
  write: ["which must not receive a write", unusable],
  malformed: ["which is malformed", unusable],
  loop: ["which this call already requested", circle],
  too_many: ["after five redirects already", circle],
  download_not_encrypted: [
    "which is not encrypted",
    "The host is one of network.downloadHosts, but a download is only followed by https.",
  ],
  download_secret: [
    "whose address repeats a secret of this source",
    "The host is one of network.downloadHosts, but it may not receive a secret. Use another way to the file.",
  ],
  second_host: [
    "which a download may not lead to",
    "A redirect to a host of network.downloadHosts is followed once. Use another way to the file.",
  ],
  no_target: ["without a target", unusable],
  unsupported_status: ["with a status that is not followed", unusable],
};

/** Where a redirect leads, and what to write instead; a page with a password field sends to the credential. */
export function explainRedirect(redirect: Redirect, subject?: Subject): Cause {
  const { reason, page, status, why } = redirect;
  const target = clipText(redirect.target ?? "", 300);
  const to = URL.canParse(target) ? new URL(target) : undefined;
  const base = to === undefined ? undefined : guessBase(to, subject?.testEndpoint ?? "");
  const isLogin = page?.kind === "login";
  const [where, usual] = redirects[reason];
  const isDownload =
    subject === undefined && reason === "other_origin" && /^https?:$/.test(to?.protocol ?? "");
  const meaning = isDownload ? nameSetting(to?.hostname ?? "") : usual;
  const lead = target === "" ? "" : ` to ${isLogin ? "a page with a password field, " : ""}${target},`;
  const title = page?.title === undefined ? "" : ` ("${clipText(page.title, 120)}")`;
  const refused = reason === "followed" ? "." : ` It was not followed${why === undefined ? "." : `: ${why}`}`;
  const { method = "The server", url = "" } = subject?.request ?? {};
  const message = `${`${method} ${dropQuery(url)}`.trim()} answered ${status}, a redirect${lead} ${where}${title}.${refused}`;
  const advice = isLogin
    ? "It may be a login page: the credential is missing, or was not accepted. Don't repeat the call; tell the user to check it."
    : meaning;
  const fix =
    subject !== undefined && isLogin
      ? `Probably ${describeLogin(subject)} Otherwise \`api.baseUrl\` may be that of the website: ${website}`
      : writeRedirectFix(reason, to, base, meaning, subject);
  return explain("redirected", message, fix, advice);
}

/** For a call: the connection test has shown that the base URL is right. */
function nameSetting(host: string): string {
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0)
    return "A download may lead to another host only by its name, and this is an address. Use another way to the file.";
  return `If the API keeps its files at that host, add "${host}" to network.downloadHosts in the source's record: a GET is then followed there once, without the credential. Otherwise check the path and the credential.`;
}

/** The error of a response that came from a host for downloads: it is not about the source's credential. */
export function explainDownload(error: CallError, status: number, url: string): CallError {
  const { category, ...rest } = error;
  const isRefusal = category === "unauthorized" || category === "forbidden";
  const host = URL.canParse(url) ? new URL(url).host : "";
  return {
    ...rest,
    category: isRefusal ? "forbidden" : category,
    hint: `${host}, to which the API redirected this call, answered ${status}. The request to it had no credential, so the source's credential is not the cause. A link to a file can expire: repeat the call for a new one.`,
  };
}

function writeRedirectFix(
  reason: Redirect["reason"],
  to: URL | undefined,
  base: string | undefined,
  meaning: string,
  subject: Subject | undefined,
): string {
  if (reason === "http_to_https" && subject?.baseUrl !== undefined) {
    const own = new URL(subject.baseUrl);
    own.port = to?.port ?? own.port;
    return `Set "baseUrl": "${toBase(own.href, "https")}" under \`api\`.`;
  }
  if (base !== undefined && (reason === "other_origin" || reason === "outside_base_path"))
    return `Set "baseUrl": "${base}" under \`api\`. Only do so if you trust that host with the credential.`;
  const { authType } = subject?.source.api ?? {};
  const credential =
    subject === undefined || authType === undefined
      ? "the credential"
      : `the credential in ${describeOrigin(subject)}`;
  return meaning
    .replaceAll("the credential", credential)
    .replaceAll("the path", "`api.testEndpoint`")
    .replace(/(?:the|a wrong) base URL/g, (words) => `${words} (\`api.baseUrl\`)`);
}

/** The base URL under which the same test endpoint would be where the redirect leads. */
function guessBase(to: URL, testEndpoint: string): string | undefined {
  const own = dropQuery(testEndpoint).replace(/\/$/, "");
  const path = to.pathname.replace(/\/$/, "");
  return own !== "" && path.endsWith(own) ? `${to.origin}${path.slice(0, -own.length)}` : undefined;
}
