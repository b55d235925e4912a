/** What makes a base URL a bad one: a document's address, a website's documentation, or no encryption. */

import { isIP } from "node:net";
import type { ApiSource } from "../source/api-source.js";

const trailingFile = /\/([^/]+\.(?:json|ya?ml|html?|xhtml|xml|md|txt|pdf|wsdl))$/i;
const documentation = /\/(docs?|documentation|swagger|swagger-ui|redoc|api-docs|graphiql|reference)\/?$/i;

export function lintBaseUrl({ api }: ApiSource): string[] {
  const { baseUrl } = api;
  const [whole, scheme = "", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(baseUrl) ?? [];
  if (whole === undefined) return [];
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const path = baseUrl.slice(whole.length);
  return [...lintScheme(scheme.toLowerCase(), host), ...lintRest(baseUrl, path), ...lintHost(host)];
}

function lintScheme(scheme: string, host: string): string[] {
  if (scheme !== "http" || isPrivateHost(host)) return [];
  return [
    `\`api.baseUrl\` is plain http to ${host}: everything, the credential included, travels unencrypted. Write https:// if the API has it.`,
  ];
}

/** A query can't stand in a record that was read; one that was put together otherwise is told of all the same. */
function lintRest(baseUrl: string, path: string): string[] {
  const query = /[?#]/.test(baseUrl)
    ? ["`api.baseUrl` has a query or a fragment: move parameters to `query` under `api`."]
    : [];
  const [, file] = trailingFile.exec(path) ?? [];
  if (file !== undefined) {
    return [
      ...query,
      `\`api.baseUrl\` ends with a file (${file}): write the address that paths are put after.`,
    ];
  }
  const [, docs] = documentation.exec(path) ?? [];
  if (docs === undefined) return query;
  return [...query, `\`api.baseUrl\` ends with /${docs}, which is mostly the documentation and not the API.`];
}

function lintHost(host: string): string[] {
  const [first = ""] = host.split(".", 1);
  return /^(?:docs|developers?|dev-portal|documentation)$/.test(first) && host.split(".").length > 2
    ? [`\`api.baseUrl\` is at ${host}, which is mostly a documentation site and not the API.`]
    : [];
}

/** Names and addresses that stay within a machine or a network (RFC 1918, RFC 4193, RFC 6761, RFC 6762). */
function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) === 4) {
    return /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^0\./.test(
      bare,
    );
  }
  if (isIP(bare) === 6) return /^(?:::1$|f[cd]|fe[89ab])/i.test(bare);
  return (
    !host.includes(".") ||
    /\.(?:localhost|local|internal|lan|home|test|invalid|example|svc|cluster|intranet|corp)$/.test(host)
  );
}
