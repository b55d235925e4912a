/** What makes a path a bad test: it changes something, answers anyone, answers a lot, or shows a credential. */

import type { ApiSource } from "../source/api-source.js";
import { findDoubledSegments } from "./find-doubled-segments.js";

/** Words of a path that name an action. As a whole segment or a word of one; a plural such as `/posts` is a thing. */
const actions: ReadonlySet<string> = new Set([
  ..."delete remove destroy create update edit insert upsert reset send publish logout signout logoff".split(
    " ",
  ),
  ..."cancel revoke disable enable activate deactivate purge clear flush drop restart reboot shutdown".split(
    " ",
  ),
  ..."execute trigger refund charge transfer unsubscribe archive upload approve reject rotate regenerate".split(
    " ",
  ),
  ..."kill truncate terminate unlink wipe restore dispatch enqueue".split(" "),
]);

/** These are things as well, so that they count only before another word: `/startJob`, `/chat.postMessage`, `/add-user`. */
const prefixes: ReadonlySet<string> = new Set(
  "post put add set start stop run sync import mark move merge pay subscribe invite log sign confirm".split(
    " ",
  ),
);

const healthChecks: ReadonlySet<string> = new Set([
  ..."health healthz healthcheck health-check health_check ping status version versions heartbeat alive".split(
    " ",
  ),
  ..."live livez liveness ready readyz readiness up echo time now hello uptime".split(" "),
]);

const documents = /\.(?:json|ya?ml|html?|xml|txt|md|pdf)$|^(?:docs|swagger|swagger-ui|redoc|openapi)$/i;

/** Segments that end in `s` and are no list. */
const noList =
  /(?:ss|us|is|ous)$|^(?:settings|permissions|preferences|stats|statistics|metrics|limits|rate-limits|rate_limits|credits|scopes|details|capabilities|access|usage|analytics|news)$/i;
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
  const action = segments.find(namesAction);
  if (action !== undefined) {
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
function namesAction(segment: string): boolean {
  const words = decode(segment)
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.some(
    (word, index) =>
      actions.has(word) || (prefixes.has(word) && index < words.length - 1 && !/^(?:in|up)$/.test(word)),
  );
}

function lintList(path: string, parameters: readonly string[]): string[] {
  const last =
    path
      .split("/")
      .filter((segment) => segment !== "")
      .at(-1) ?? "";
  const isList =
    /^(?:list|search|all|query|find)$/i.test(last) ||
    /(?:^|[._-])(?:list|search|all)$/i.test(last) ||
    (/^[a-z][a-z_-]*s$/i.test(last) &&
      last.length > 3 &&
      !noList.test(last) &&
      !healthChecks.has(last.toLowerCase()));
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
