/** Which `${NAME}` a record uses, and which of their values must never be seen. */

import type { ApiSettings, ApiSource } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import { listStrings } from "./list-strings.js";

/**
 * Every NAME whose value must never be seen, each once, whether a call uses it or not. A tenant's host name is not among them:
 * hidden, it would hide the API's own links with it. Nor is a client id: it is in the address where a person agrees
 * (RFC 6749, section 2.2: "not a secret").
 */
export function listSecretNames({ api }: ApiSource): string[] {
  const { headers, query, network, oauth2, login } = api;
  const { proxy, ca, cert, key } = network;
  const settings = [{ ...oauth2, clientId: "" }, login, headers, query, proxy, ca, cert, key];
  const texts = [...listStrings(settings), ...listHiddenVariables(api)];
  return [...new Set(texts.flatMap(findSecretNames))];
}

/** The texts of all variables but those that occur in the host of the base URL alone. */
function listHiddenVariables({ variables, baseUrl, testEndpoint = "" }: ApiSettings): string[] {
  const { host = "", rest = "" } = readBaseUrlParts(baseUrl) ?? {};
  const inHost = findPlaceholderNames(host);
  const inPaths = findPlaceholderNames(`${rest} ${testEndpoint}`);
  return Object.entries(variables)
    .filter(([name]) => !inHost.includes(name) || inPaths.includes(name))
    .map(([, text]) => text);
}

/** Every NAME whose value may be seen: it names a host, or the client, and nothing else. */
export function listShownNames(source: ApiSource): string[] {
  const { variables, oauth2 } = source.api;
  const hidden = new Set(listSecretNames(source));
  return listStrings([variables, oauth2?.clientId])
    .flatMap(findSecretNames)
    .filter((name) => !hidden.has(name));
}

/** Every NAME that a call of the source looks up: its secrets, and what names its host. */
export function listUsedNames(source: ApiSource): string[] {
  const inVariables = listStrings(source.api.variables).flatMap(findSecretNames);
  return [...new Set([...listSecretNames(source), ...inVariables])];
}

/** Whether each call of a source carries a credential, a session or a secret, as far as its record says. */
export function sendsCredential({ api }: ApiSource): boolean {
  if (api.authType !== undefined || api.login !== undefined || api.oauth2 !== undefined)
    return true;
  return listStrings([api.headers, api.query]).some((text) => findSecretNames(text).length > 0);
}
