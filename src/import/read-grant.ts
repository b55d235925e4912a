/** From an OAuth 2 scheme of an OpenAPI or Swagger document to `api.oauth2`. */

import type { ApiDocument } from "../openapi/api-document.js";
import type { Operation } from "../openapi/operation.js";
import { asList, asObject, asString, type Plain } from "../openapi/parse-document.js";
import type { OAuthGrant } from "../source/api-source.js";
import { findEndpointUrlProblem } from "../source/base-url.js";
import { type ImportedRecord, nameVariable } from "./imported.js";

interface Flow {
  /** In OpenAPI 3, and in Swagger 2. */
  readonly names: readonly string[];
  readonly grant: OAuthGrant;
  /** The endpoint that the grant needs besides the token endpoint. */
  readonly also?: "authorizationUrl" | "deviceAuthorizationUrl";
}

/** The grant that needs no person comes first. */
const flows: readonly Flow[] = [
  { names: ["clientCredentials", "application"], grant: "client_credentials" },
  { names: ["authorizationCode", "accessCode"], grant: "authorization_code", also: "authorizationUrl" },
  { names: ["deviceAuthorization"], grant: "device_code", also: "deviceAuthorizationUrl" },
];

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

/** Sets where a token comes from, the client as variables of the source. @returns whether the scheme has a grant that a record can express. */
export function applyGrant(
  { name: source = "api", api }: ImportedRecord,
  scheme: Plain,
  requested: readonly string[],
): boolean {
  for (const { names, grant, also } of flows) {
    const named = asObject(asObject(scheme["flows"])[names[0] ?? ""]);
    const flow = names.includes(String(scheme["flow"])) ? scheme : named;
    const keys = ["tokenUrl", ...(also === undefined ? [] : [also])];
    const urls = Object.fromEntries(keys.map((key) => [key, readUrl(flow[key], api)]));
    if (Object.values(urls).includes(undefined)) continue;
    const [clientId = "", clientSecret = ""] = ["client_id", "client_secret"].map(
      (part) => `\${${nameVariable(source, part)}}`,
    );
    api.oauth2 = {
      grant,
      ...urls,
      clientId,
      clientSecret,
      ...(requested.length > 0 && { scopes: requested }),
    };
    return true;
  }
  return false;
}

/** Absolute, from the base URL on; undefined for an address that a record can't have. */
function readUrl(given: unknown, { baseUrl }: ImportedRecord["api"]): string | undefined {
  const text = asString(given) ?? "";
  const url = URL.canParse(text, baseUrl || undefined) ? new URL(text, baseUrl || undefined).href : text;
  return text === "" || /[{}]|%7B/i.test(url) || findEndpointUrlProblem(url) !== undefined ? undefined : url;
}
