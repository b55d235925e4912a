/** What is questionable about a record although it can be read: each rule is a sentence that names the field. */

import { isIP } from "node:net";
import { findDoubledSegments } from "../diagnosis/missing.js";
import type { ApiSource } from "../source/api-source.js";

/** Judges the record alone; nothing is asked of anyone. */
export function lintRecord(source: ApiSource): string[] {
  const warnings = [
    ...lintTestEndpoint(source),
    ...lintBaseUrl(source),
    ...lintUnused(source),
    ...lintName(source),
  ];
  return warnings.filter((warning) => warning !== false);
}

type Warning = string | false;

const credentialName = /api[-_]?key|^key$|token$|^auth|secret|passw|^pwd$|^sig(?:nature)?$|^credentials?$/i;

function lintTestEndpoint({ api }: ApiSource): Warning[] {
  const { testEndpoint = "" } = api;
  if (testEndpoint.trim() === "") return [];
  const path = testEndpoint.split(/[?#]/, 1)[0] ?? "";
  const isWhole = /^https?:\/\//i.test(testEndpoint);
  const doubled = findDoubledSegments(api.baseUrl, testEndpoint);
  const secrets = listParameters(testEndpoint).filter(([name]) => credentialName.test(name));
  return [
    isWhole && '`api.testEndpoint` is a whole URL: write only the path below `api.baseUrl`, such as "/user".',
    !isWhole &&
      path !== "" &&
      !path.startsWith("/") &&
      `\`api.testEndpoint\` has no leading slash: write "/${testEndpoint}".`,
    testEndpoint.includes("#") && "`api.testEndpoint` has a fragment (`#…`), which is never sent: remove it.",
    doubled !== undefined &&
      `\`api.testEndpoint\` begins with ${doubled.segments}, with which \`api.baseUrl\` ends: write "${doubled.rest}" unless the API really has it twice.`,
    ...secrets.map(
      ([name]) =>
        `\`api.testEndpoint\` carries a credential in its query (${name}): a record is shared and shown. Remove it; with "authType": "query" and "queryParam": "${name}" it comes from the environment.`,
    ),
  ];
}

function lintBaseUrl({ api: { baseUrl } }: ApiSource): Warning[] {
  const [whole = "", scheme = "", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(baseUrl) ?? [];
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const [, file] =
    /\/([^/]+\.(?:json|ya?ml|html?|xml|md|txt|pdf|wsdl))$/i.exec(baseUrl.slice(whole.length)) ?? [];
  return [
    /^http$/i.test(scheme) &&
      !isPrivate(host) &&
      `\`api.baseUrl\` is plain http to ${host}: everything, the credential included, travels unencrypted. Write https:// if the API has it.`,
    /[?#]/.test(baseUrl) &&
      "`api.baseUrl` has a query or a fragment: move parameters to `query` under `api`.",
    file !== undefined &&
      `\`api.baseUrl\` ends with a file (${file}): write the address that paths are put after.`,
  ];
}

/** Names and addresses that stay within a machine or a network (RFC 1918, RFC 4193, RFC 6761, RFC 6762). */
function isPrivate(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) === 4)
    return /^(?:127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(bare);
  if (isIP(bare) === 6) return /^(?:::1$|f[cd]|fe[89ab])/i.test(bare);
  return !host.includes(".") || /\.(?:localhost|local|internal|lan|home|test|invalid|example)$/.test(host);
}

function lintUnused({ api }: ApiSource): Warning[] {
  const { authType, methods } = api;
  const of = (field: string, user: string): string =>
    `\`api.${field}\` has no effect: only "${user}" uses it, and \`api.authType\` is "${authType}". Remove it, or correct \`api.authType\`.`;
  const hasBody = methods.some((method) => method === "POST" || method === "PUT" || method === "PATCH");
  const only = `\`api.methods\` allows only ${methods.join(", ")}`;
  const templates = `${api.baseUrl} ${api.testEndpoint ?? ""}`;
  return [
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
}

/** A name made from the host is a poor one. */
function lintName({ name, slug, api }: ApiSource): Warning[] {
  const [, host = ""] = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(api.baseUrl) ?? [];
  const isHost = name.toLowerCase() === host.replace(/[{}]/g, "").toLowerCase();
  return [
    isHost && `\`name\` is missing, so the tool is called ${slug} after its host: give the API's name.`,
  ];
}

/** Values in the query of a test endpoint that are not to be shown, because their names are those of credentials. */
export function listShownSecrets(testEndpoint: string): string[] {
  return listParameters(testEndpoint).flatMap(([name, value]) =>
    credentialName.test(name) && value !== "" ? [value, decode(value)] : [],
  );
}

/** Names, decoded, with their values as they are written. */
function listParameters(testEndpoint: string): (readonly [string, string])[] {
  const [, query = ""] = testEndpoint.split(/\?(.*)/s);
  return query.split(/[&#]/).map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return [decode(name), value];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
