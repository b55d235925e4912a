/** Which `${NAME}` a record uses, and which of their values must never be seen. */

import type { ApiSource } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import { listStrings } from "./templates.js";

/**
 * Every NAME whose value must never be seen, each once, whether a call uses it or not. A tenant's host name is not among them:
 * hidden, it would hide the API's own links with it. Nor is a client id: it is in the address where a person agrees
 * (RFC 6749, section 2.2: "not a secret").
 */
export function listSecretNames({ api }: ApiSource): string[] {
  const { headers, query, variables, network, oauth2, login } = api;
  const { host = "", rest = "" } = readBaseUrlParts(api.baseUrl) ?? {};
  const inHost = findPlaceholderNames(host);
  const elsewhere = findPlaceholderNames(`${rest} ${api.testEndpoint ?? ""}`);
  const hidden = Object.entries(variables).filter(
    ([name]) => !inHost.includes(name) || elsewhere.includes(name),
  );
  const { proxy, ca, cert, key } = network;
  const values = [
    { ...oauth2, clientId: "" },
    login,
    headers,
    query,
    hidden.map(([, text]) => text),
  ];
  return [...new Set(listStrings([...values, proxy, ca, cert, key]).flatMap(findSecretNames))];
}

/** Every NAME that a call of the source looks up: its secrets, and what names its host. */
export function listUsedNames(source: ApiSource): string[] {
  const inVariables = listStrings(source.api.variables).flatMap(findSecretNames);
  return [...new Set([...listSecretNames(source), ...inVariables])];
}
