/** What is questionable about a record although it can be read: each rule is a sentence that names the field. */

import { hasSecretName } from "../../core/base/secret-name.js";
import { decodePercent } from "../../core/base/text.js";
import { findRepeatedSegments } from "../../core/failure/request-address.js";
import type { ApiSource } from "../../core/record/api-source.js";

/**
 * Judges the record alone; sends no request.
 *
 * @param needsCredential - Whether a test showed that the endpoint refuses a request without the credential. @default false
 */
export function lintRecord({ api }: ApiSource, needsCredential = false): string[] {
  const { baseUrl, testEndpoint = "", authType } = api;
  const [, host = ""] = /^http:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(baseUrl) ?? [];
  const doubled = findRepeatedSegments(baseUrl, testEndpoint);
  const { tokenUrl, issuer, authorizationUrl, deviceAuthorizationUrl } = api.oauth2 ?? {};
  const endpoints = [tokenUrl, issuer, authorizationUrl, deviceAuthorizationUrl, api.login?.path];
  const templates = [baseUrl, testEndpoint, ...endpoints].join(" ");
  const unused = (field: string, user: string): string =>
    `\`api.${field}\` has no effect: only "${user}" uses it, and \`api.authType\` is "${authType}". Remove it, or correct \`api.authType\`.`;
  const [, file] = /[^/]\/([^/]+\.(?:json|ya?ml|html?|xml|wsdl))$/i.exec(baseUrl) ?? [];
  const warnings = [
    /^(?!https?:)[^/?#]/i.test(testEndpoint) &&
      `\`api.testEndpoint\` has no leading slash: write "/${testEndpoint}".`,
    ...roles.map(
      ([role, why, isOpen = false]) =>
        role.test(testEndpoint) &&
        !(isOpen && (needsCredential || authType === undefined)) &&
        `\`api.testEndpoint\` ${why}: choose one that reads a little${authType === undefined ? "" : " and needs the credential, such as /user or /me"}.`,
    ),
    file !== undefined &&
      `\`api.baseUrl\` ends with a file (${file}): write the part of the address that comes before every path.`,
    doubled !== undefined &&
      `\`api.testEndpoint\` begins with ${doubled.segments}, and \`api.baseUrl\` ends with it: write "${doubled.rest}" unless the API really has it twice.`,
    ...listCredentialParameters(testEndpoint).map(
      ([name]) =>
        `\`api.testEndpoint\` carries a credential in its query (${name}): a record is shared and shown. Remove it; with "authType": "query" and "queryParam": "${name}" it comes from the environment.`,
    ),
    host !== "" &&
      !isPrivate(host) &&
      `\`api.baseUrl\` is plain http to ${host}: everything, including the credential, is sent unencrypted. Write https:// if the API has it.`,
    api.headerName !== undefined && authType !== "header" && unused("headerName", "header"),
    api.queryParam !== undefined && authType !== "query" && unused("queryParam", "query"),
    api.authScheme !== undefined && authType !== "bearer" && unused("authScheme", "bearer"),
    ...Object.keys(api.variables).map(
      (name) =>
        !templates.includes(`{${name}}`) &&
        `\`api.variables.${name}\` has no effect: no address of the record has {${name}}.`,
    ),
  ];
  return warnings.filter((warning) => warning !== false);
}

/** By the last word of the path, which most APIs choose so: a warning may be wrong, and stops nothing. */
const roles: readonly (readonly [pattern: RegExp, why: string, isOpen?: boolean])[] = [
  [
    /^[^?#]*\/(?:create|update|delete|remove|send|cancel|reset|revoke|log-?out|sign-?out)\/?(?:[?#]|$)/i,
    "seems to modify something, and each test would repeat that",
  ],
  [
    /^[^?#]*\/(?:health(?:z|-?check)?|ping|status|alive|livez|readyz|heartbeat)\/?(?:[?#]|$)/i,
    "seems to be a health check, which most APIs answer to anyone",
    true,
  ],
  [
    /^[^?#]*\/(?!settings|limits)[a-z_-]{2,}[^su]s\/?$/i,
    "seems to list everything, because it has no limit (such as ?limit=1)",
  ],
];

/** Names and addresses that stay within a machine or a network (RFC 1918, RFC 4193, RFC 6761, RFC 6762). */
function isPrivate(host: string): boolean {
  if (host.startsWith("[")) return /^\[(?:::1\]|f[cd]|fe[89ab])/i.test(host);
  const isNumbered = /^(?:127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(host);
  const isNamed = /\.(?:localhost|local|internal|lan|home|test|invalid|example)$/i.test(host);
  return isNumbered || isNamed || !host.includes(".");
}

/** Values in the query of a test endpoint that are not to be shown, because their names are those of credentials. */
export function listShownSecrets(testEndpoint: string): string[] {
  return listCredentialParameters(testEndpoint).flatMap(([, value]) =>
    value === "" ? [] : [value, decode(value)],
  );
}

/** Names, decoded, with their values as they are written. */
function listCredentialParameters(testEndpoint: string): (readonly [string, string])[] {
  const [, query = ""] = testEndpoint.split(/\?(.*)/s);
  const pairs = query.split(/[&#]/).map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return [decode(name), value] as const;
  });
  return pairs.filter(([name]) => hasSecretName(name, "query"));
}

function decode(text: string): string {
  return decodePercent(text.replaceAll("+", " "));
}
