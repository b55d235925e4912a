/** From an OAuth 2 scheme of a document to the grant of a record. */

import type { OAuthGrant } from "../../core/record/api-source.js";
import { findEndpointUrlProblem } from "../../core/record/base-url.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  type Plain,
} from "../../features/openapi/api-document.js";
import type { Operation } from "../../features/openapi/operation.js";
import { fillDefaults } from "../../features/openapi/servers.js";
import { type ImportedRecord, nameVariable } from "./imported.js";

interface Flow {
  readonly name: string;
  readonly grant: OAuthGrant;
  /** The endpoint that the grant needs besides the token endpoint. */
  readonly also?: "authorizationUrl" | "deviceAuthorizationUrl";
}

/** The grant that needs no person comes first. */
const flows: readonly Flow[] = [
  { name: "clientCredentials", grant: "client_credentials" },
  { name: "authorizationCode", grant: "authorization_code", also: "authorizationUrl" },
  { name: "deviceAuthorization", grant: "device_code", also: "deviceAuthorizationUrl" },
];

/** Sets where a token comes from, the client as variables of the source. @returns whether the scheme has a grant that a record can express. */
export function applyGrant(
  { name: source = "api", api }: ImportedRecord,
  scheme: Plain,
  requested: readonly string[],
): boolean {
  for (const { name, grant, also } of flows) {
    const flow = asObject(asObject(scheme["flows"])[name]);
    const keys = ["tokenUrl", ...(also === undefined ? [] : [also])];
    const urls = Object.fromEntries(keys.map((key) => [key, readUrl(flow[key], api)]));
    if (Object.values(urls).includes(undefined)) continue;
    api.oauth2 = {
      grant,
      ...urls,
      clientId: `\${${nameVariable(source, "client_id")}}`,
      clientSecret: `\${${nameVariable(source, "client_secret")}}`,
      scopes: requested.length > 0 ? requested : undefined,
    };
    return true;
  }
  return false;
}

/** Absolute, from the base URL on; undefined for an address that a record can't have, and for `/`, which stands for one. */
function readUrl(
  given: unknown,
  { baseUrl, variables = {} }: ImportedRecord["api"],
): string | undefined {
  const values = Object.entries(variables).map(([name, value]) => [name, String(value)]);
  const filled = { variables: Object.fromEntries(values) };
  const base = fillDefaults({ url: baseUrl, ...filled });
  const text = fillDefaults({ url: asString(given) ?? "", ...filled });
  const url = URL.canParse(text, base || undefined) ? new URL(text, base || undefined).href : text;
  return /^\/?$/.test(text) || /[{}]|%7B/i.test(url) || findEndpointUrlProblem(url) !== undefined
    ? undefined
    : url;
}

/** The scopes that reading needs: those that the document and its GET operations name for the scheme. */
export function listScopes(
  { head }: ApiDocument,
  operations: readonly Operation[],
  scheme: string,
): string[] {
  const reads = operations.filter(({ method }) => method === "GET");
  const given = reads.flatMap(({ security }) => security ?? asList(head["security"]));
  const scopes = given.flatMap((each) => asList(asObject(each)[scheme])).map(asString);
  // RFC 6749, section 3.3: visible ASCII without a quotation mark and a backslash.
  return [...new Set(scopes)]
    .filter((scope): scope is string => /^[!#-[\]-~]{1,200}$/.test(scope ?? ""))
    .slice(0, 50);
}
