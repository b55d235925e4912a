/** What makes a path a bad test: it changes something, answers anyone, answers a lot, or shows a credential. */

import type { ApiSource } from "../source/api-source.js";
import { findDoubledSegments } from "./find-doubled-segments.js";

/** Words that name an action, alone or as a word of the last segment; a plural such as `/posts` is a thing. */
const actions: ReadonlySet<string> = new Set([
  ..."delete remove destroy create update edit insert upsert reset send publish logout signout logoff".split(
    " ",
  ),
  ..."cancel revoke disable enable activate deactivate purge clear flush restart reboot shutdown".split(" "),
  ..."execute unsubscribe approve reject rotate regenerate kill truncate terminate unlink wipe".split(" "),
  ..."restore enqueue".split(" "),
]);

/** These are things as well, so that they count only before another word: `/startJob`, `/chat.postMessage`, `/add-user`. */
const prefixes: ReadonlySet<string> = new Set([
  ..."post put add set start stop run sync import mark move merge pay subscribe invite log sign confirm".split(
    " ",
  ),
  ..."archive transfer charge refund trigger upload dispatch drop".split(" "),
]);

/** Before an action they make a thing of it: `/last-update`. */
const describing = /^(?:last|latest|recent|next|pending|auto|scheduled|can|is|no)$/;

const healthChecks: ReadonlySet<string> = new Set([
  ..."health healthz healthcheck health-check health_check ping status version versions heartbeat alive".split(
    " ",
  ),
  ..."live livez liveness ready readyz readiness up echo time now hello uptime".split(" "),
]);

/** `.json` alone is none: many APIs end their paths with it (`/users/me.json`). */
const documents =
  /\.(?:ya?ml|html?|txt|md|pdf)$|^(?:docs|swagger|swagger-ui|redoc|openapi|api-docs)$|^(?:openapi|swagger|api-docs|schema|manifest|package|index)\.(?:json|xml)$|^sitemap\.xml$/i;

/** Words that end in `s` and are no list, or one that is short by its nature. */
const noList = new RegExp(
  "(?:ss|us|is|ous|ics)$|^(?:" +
    "settings|permissions|preferences|stats|limits|credits|scopes|details|capabilities|usages?|news|series|species|" +
    "docs|terms|options|configs|headers|cookies|args|params|features|flags|quotas|rates|totals|insights|" +
    "dns|aws|gps|sms|rss|ios|tls|https|cors|css|sas|kubernetes|always|canvas|contents|whois" +
    ")$",
);
const limits =
  /^(?:.*limit.*|.*per_?page.*|.*page_?size.*|.*pagesize.*|size|count|max.*|first|last|top|\$top|take|rows|n|num|number|results?|page\[size\])$/i;
const credentialName =
  /^(?:.*api[-_]?key|key|.*token|auth|authorization|secret|.*_secret|client[-_]?secret|password|passwd|pwd|pass|sig|signature|credentials?|appid|app_key|access[-_]?key)$/i;

export function lintTestEndpoint({ api }: ApiSource): string[] {
  const { testEndpoint } = api;
  if (testEndpoint === undefined || testEndpoint.trim() === "") return [];
  const [beforeFragment = ""] = testEndpoint.split("#");
  const [path = "", query = ""] = beforeFragment.split(/\?(.*)/s);
  const parameters = query === "" ? [] : query.split("&").map((part) => decode(part.split("=", 1)[0] ?? ""));
  return [
    ...lintForm(testEndpoint, path),
    ...lintMeaning(path),
    ...lintList(path, [...parameters, ...Object.keys(api.query)]),
    ...lintParameters(parameters),
    ...lintRepetition(api, testEndpoint),
  ];
}

function lintForm(testEndpoint: string, path: string): string[] {
  if (/^https?:\/\//i.test(testEndpoint)) {
    return ['`api.testEndpoint` is a whole URL: write only the path below `api.baseUrl`, such as "/user".'];
  }
  const slash =
    path.startsWith("/") || path === ""
      ? []
      : [`\`api.testEndpoint\` has no leading slash: write "/${testEndpoint}".`];
  const fragment = testEndpoint.includes("#")
    ? ["`api.testEndpoint` has a fragment (`#…`), which is never sent: remove it."]
    : [];
  return [...slash, ...fragment];
}

function lintMeaning(path: string): string[] {
  const segments = path
    .replace(/^https?:\/\/[^/]*/i, "")
    .split("/")
    .filter((segment) => segment !== "");
  const last = segments.at(-1)?.toLowerCase() ?? "";
  // What is done to one thing may have its id behind it: `/orders/cancel/17`.
  const action = segments.findLast((segment) => !/^(?:\d+|[0-9a-f-]{24,36}|\{[^}]*\})$/i.test(segment));
  if (action !== undefined && namesAction(action)) {
    return [
      `\`api.testEndpoint\` looks as if it changes something (${action}): the test sends GET, but some APIs act on GET too. Choose one that only reads, such as /user.`,
    ];
  }
  if (last === "" || healthChecks.has(last)) {
    return [
      `\`api.testEndpoint\` ${last === "" ? "is the root of the API" : `is a health check (/${last})`}, which often answers anyone: it tells nothing of the credential. Choose one that needs it, such as /user or /me.`,
    ];
  }
  if (documents.test(last)) {
    return [
      `\`api.testEndpoint\` is a document (${last}), which often answers anyone: choose one that needs the credential, such as /user.`,
    ];
  }
  return /^graphql$/.test(last)
    ? ["`api.testEndpoint` is a GraphQL endpoint: the test sends GET, which many of them don't take."]
    : [];
}

/** Splits `chat.postMessage`, `delete-user` and `sign_out` into words. */
function splitWords(segment: string): string[] {
  return decode(segment)
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function namesAction(segment: string): boolean {
  const words = splitWords(segment);
  return words.some((word, index) => {
    if (describing.test(words[index - 1] ?? "")) return false;
    const isBeforeAnother = index < words.length - 1 && !/^(?:in|up)$/.test(word);
    return actions.has(word) || (prefixes.has(word) && isBeforeAnother);
  });
}

function lintList(path: string, parameters: readonly string[]): string[] {
  const last =
    path
      .split("/")
      .filter((segment) => segment !== "")
      .at(-1) ?? "";
  const words = splitWords(last);
  const word = words.at(-1) ?? "";
  const isList =
    /^(?:list|search|all)$/.test(word) ||
    (/^[a-z]{3,}s$/.test(word) && !noList.test(word) && !healthChecks.has(word));
  if (!isList || parameters.some((name) => limits.test(name))) return [];
  return [
    `\`api.testEndpoint\` seems to list ${last} without a limit, so each test may read a lot: add the API's own, such as "?limit=1" or "?per_page=1".`,
  ];
}

function lintParameters(parameters: readonly string[]): string[] {
  return parameters
    .filter((name) => credentialName.test(name))
    .map(
      (name) =>
        `\`api.testEndpoint\` carries a credential in its query (${name}): a record is shared and shown. Remove it; with "authType": "query" and "queryParam": "${name}" it comes from the environment.`,
    );
}

function lintRepetition({ baseUrl }: ApiSource["api"], testEndpoint: string): string[] {
  const doubled = findDoubledSegments(baseUrl, testEndpoint);
  if (doubled === undefined) return [];
  return [
    `\`api.testEndpoint\` begins with ${doubled.segments}, with which \`api.baseUrl\` ends: write "${doubled.rest}" unless the API really has it twice.`,
  ];
}

/** Names in the query of a test endpoint whose values are not to be shown. */
export function listShownSecrets(testEndpoint: string): string[] {
  const [, query = ""] = testEndpoint.split(/\?(.*)/s);
  return query.split(/[&#]/).flatMap((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return credentialName.test(decode(name)) && value !== "" ? [value, decode(value)] : [];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
