/** What is questionable about a record although it can be read: each rule is a sentence that names the field. */

import { isIP } from "node:net";
import { findDoubledSegments, listSegments } from "../diagnosis/missing.js";
import type { ApiSource } from "../source/api-source.js";

/** Judges the record alone; nothing is asked of anyone. */
export function lintRecord(source: ApiSource): string[] {
  return [...lintTestEndpoint(source), ...lintBaseUrl(source), ...lintUnused(source), ...lintName(source)];
}

/** Words of a path that name an action: alone or before another word, as in `/order_cancel`, `/chat.postMessage`. */
const actions =
  /^(?:delete|remove|create|update|edit|insert|reset|send|publish|logout|cancel|revoke|disable|enable|activate|deactivate|purge|clear|restart|execute|unsubscribe|approve|reject|rotate)$/;
const actionBeforeAnother =
  /^(?:post|put|add|set|start|stop|run|sync|import|archive|transfer|charge|refund|log)$/;
const healthChecks =
  /^(?:health(?:z|-?check)?|ping|status|versions?|heartbeat|live(?:z|ness)?|ready(?:z)?|readiness|up|uptime|echo|time)$/;
const documents =
  /\.(?:ya?ml|html?|txt|md|pdf)$|^(?:docs|swagger|redoc|api-docs)$|^(?:openapi|swagger|schema|index)\.(?:json|xml)$/i;
/** Words that end in `s` and are no list, or one that is short by its nature. */
const noList =
  /(?:ss|us|is|ics)$|^(?:settings|permissions|preferences|stats|limits|credits|scopes|details|news|headers|dns|aws|sms|docs)$/;
const limits =
  /limit|per_?page|page_?size|^(?:size|count|max.*|first|last|\$?top|take|rows|n|num|results?)$|^page\[size\]$/i;
const credentialName = /api[-_]?key|^key$|token$|^auth|secret|passw|^pwd$|^sig(?:nature)?$|^credentials?$/i;

function lintTestEndpoint({ api }: ApiSource): string[] {
  const { testEndpoint = "" } = api;
  if (testEndpoint.trim() === "") return [];
  const [path = "", query = ""] = (testEndpoint.split("#")[0] ?? "").split(/\?(.*)/s);
  const parameters = query === "" ? [] : query.split("&").map((part) => decode(part.split("=", 1)[0] ?? ""));
  const doubled = findDoubledSegments(api.baseUrl, testEndpoint);
  return [
    ...lintForm(testEndpoint, path),
    ...lintMeaning(path, [...parameters, ...Object.keys(api.query)]),
    ...parameters
      .filter((name) => credentialName.test(name))
      .map(
        (name) =>
          `\`api.testEndpoint\` carries a credential in its query (${name}): a record is shared and shown. Remove it; with "authType": "query" and "queryParam": "${name}" it comes from the environment.`,
      ),
    ...(doubled === undefined
      ? []
      : [
          `\`api.testEndpoint\` begins with ${doubled.segments}, with which \`api.baseUrl\` ends: write "${doubled.rest}" unless the API really has it twice.`,
        ]),
  ];
}

function lintForm(testEndpoint: string, path: string): string[] {
  if (/^https?:\/\//i.test(testEndpoint)) {
    return ['`api.testEndpoint` is a whole URL: write only the path below `api.baseUrl`, such as "/user".'];
  }
  return [
    ...(path.startsWith("/") || path === ""
      ? []
      : [`\`api.testEndpoint\` has no leading slash: write "/${testEndpoint}".`]),
    ...(testEndpoint.includes("#")
      ? ["`api.testEndpoint` has a fragment (`#…`), which is never sent: remove it."]
      : []),
  ];
}

/** It changes something, answers anyone, or answers a lot: each makes a bad test, and the first is the worst. */
function lintMeaning(path: string, parameters: readonly string[]): string[] {
  const segments = listSegments(path.replace(/^https?:\/\/[^/]*/i, ""));
  const last = segments.at(-1)?.toLowerCase() ?? "";
  // What is done to one thing may have its id behind it: `/orders/cancel/17`.
  const action = segments.findLast((segment) => !/^(?:\d+|[0-9a-f-]{24,36}|\{[^}]*\})$/i.test(segment));
  if (action !== undefined && namesAction(action)) {
    return [
      `\`api.testEndpoint\` looks as if it changes something (${action}): the test sends GET, but some APIs act on GET too. Choose one that only reads, such as /user.`,
    ];
  }
  if (last === "" || healthChecks.test(last)) {
    return [
      `\`api.testEndpoint\` ${last === "" ? "is the root of the API" : `is a health check (/${last})`}, which often answers anyone: it tells nothing of the credential. Choose one that needs it, such as /user or /me.`,
    ];
  }
  if (documents.test(last)) {
    return [
      `\`api.testEndpoint\` is a document (${last}), which often answers anyone: choose one that needs the credential, such as /user.`,
    ];
  }
  if (last === "graphql")
    return ["`api.testEndpoint` is a GraphQL endpoint: the test sends GET, which many of them don't take."];
  const word = splitWords(segments.at(-1) ?? "").at(-1) ?? "";
  const isList = /^(?:list|search|all)$/.test(word) || (/^[a-z]{3,}s$/.test(word) && !noList.test(word));
  return isList && !parameters.some((name) => limits.test(name))
    ? [
        `\`api.testEndpoint\` seems to list ${segments.at(-1)} without a limit, so each test may read a lot: add the API's own, such as "?limit=1" or "?per_page=1".`,
      ]
    : [];
}

function namesAction(segment: string): boolean {
  const words = splitWords(segment);
  return words.some((word, index) => {
    const isNoun = /^(?:last|latest|recent|next|can|is)$/.test(words[index - 1] ?? "");
    return !isNoun && (actions.test(word) || (actionBeforeAnother.test(word) && index < words.length - 1));
  });
}

/** Splits `chat.postMessage`, `delete-user` and `sign_out` into words. */
function splitWords(segment: string): string[] {
  const spaced = decode(segment)
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return spaced
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function lintBaseUrl({ api: { baseUrl } }: ApiSource): string[] {
  const [whole = "", scheme = "", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(baseUrl) ?? [];
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const path = baseUrl.slice(whole.length);
  const [, file] = /\/([^/]+\.(?:json|ya?ml|html?|xml|md|txt|pdf|wsdl))$/i.exec(path) ?? [];
  const [, docs] = /\/(docs?|documentation|swagger|redoc|api-docs|reference)\/?$/i.exec(path) ?? [];
  const isDocsHost = /^(?:docs|developers?|documentation)\.[^.]+\./.test(host);
  const warnings: (string | false)[] = [
    /^http$/i.test(scheme) &&
      !isPrivate(host) &&
      `\`api.baseUrl\` is plain http to ${host}: everything, the credential included, travels unencrypted. Write https:// if the API has it.`,
    /[?#]/.test(baseUrl) &&
      "`api.baseUrl` has a query or a fragment: move parameters to `query` under `api`.",
    file !== undefined &&
      `\`api.baseUrl\` ends with a file (${file}): write the address that paths are put after.`,
    docs !== undefined &&
      `\`api.baseUrl\` ends with /${docs}, which is mostly the documentation and not the API.`,
    isDocsHost && `\`api.baseUrl\` is at ${host}, which is mostly a documentation site and not the API.`,
  ];
  return warnings.filter((warning) => warning !== false);
}

/** Names and addresses that stay within a machine or a network (RFC 1918, RFC 4193, RFC 6761, RFC 6762). */
function isPrivate(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) === 4)
    return /^(?:127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(bare);
  if (isIP(bare) === 6) return /^(?:::1$|f[cd]|fe[89ab])/i.test(bare);
  return (
    !host.includes(".") ||
    /\.(?:localhost|local|internal|lan|home|test|invalid|example|svc|cluster|intranet|corp)$/.test(host)
  );
}

function lintUnused({ api }: ApiSource): string[] {
  const { authType, methods } = api;
  const of = (field: string, user: string): string =>
    `\`api.${field}\` has no effect: only "${user}" uses it, and \`api.authType\` is "${authType}". Remove it, or correct \`api.authType\`.`;
  const hasBody = methods.some((method) => method === "POST" || method === "PUT" || method === "PATCH");
  const only = `\`api.methods\` allows only ${methods.join(", ")}`;
  const templates = `${api.baseUrl} ${api.testEndpoint ?? ""}`;
  const warnings: (string | false)[] = [
    api.headerName !== undefined && authType !== "header" && of("headerName", "header"),
    api.queryParam !== undefined && authType !== "query" && of("queryParam", "query"),
    // Every source has a scheme; another than the default was written by somebody.
    api.authScheme !== "Bearer" && authType !== "bearer" && of("authScheme", "bearer"),
    api.bodyFormat === "form" && !hasBody && `\`api.bodyFormat\` has no effect: ${only}, which send no body.`,
    api.idempotencyHeader !== undefined &&
      methods.every((method) => method === "GET") &&
      `\`api.idempotencyHeader\` has no effect: ${only}, which never writes.`,
    ...Object.keys(api.variables).map(
      (name) =>
        !templates.includes(`{${name}}`) &&
        `\`api.variables.${name}\` has no effect: {${name}} stands neither in \`api.baseUrl\` nor in \`api.testEndpoint\`.`,
    ),
  ];
  return warnings.filter((warning) => warning !== false);
}

/** A name made from the host is a poor one. */
function lintName({ name, slug, api }: ApiSource): string[] {
  const [, host = ""] = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(api.baseUrl) ?? [];
  const isHost = name.toLowerCase() === host.replace(/[{}]/g, "").toLowerCase();
  return isHost
    ? [`\`name\` is missing, so the tool is called ${slug} after its host: give the API's name.`]
    : [];
}

/** Values in the query of a test endpoint that are not to be shown, because their names are those of credentials. */
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
