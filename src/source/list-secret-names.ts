/** Which `${NAME}`s of a record are secrets: all but those that only name the host, which every resolver sees. */

import type { ApiSource } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./placeholders.js";
import { listNetworkTemplates } from "./resolve-network.js";

/**
 * Every NAME whose value must never be seen, each once, whether a call uses it or not. A tenant's host name is not among them:
 * hidden, it would hide the API's own links with it.
 */
export function listSecretNames(source: ApiSource): string[] {
  const { headers, query, variables, network } = source.api;
  const hidden = Object.entries(variables).filter(([name]) => !namesOnlyTheHost(source, name));
  const texts = [
    ...Object.values(headers),
    ...Object.values(query),
    ...hidden.map(([, text]) => text),
    ...listNetworkTemplates(network).map(({ text }) => text),
  ];
  return [...new Set(texts.flatMap(findSecretNames))];
}

function namesOnlyTheHost({ api }: ApiSource, variable: string): boolean {
  const { host = "", rest = "" } = readBaseUrlParts(api.baseUrl) ?? {};
  const elsewhere = `${rest} ${api.testEndpoint ?? ""}`;
  return findPlaceholderNames(host).includes(variable) && !findPlaceholderNames(elsewhere).includes(variable);
}
