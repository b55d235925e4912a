/** The words for a source's credential: how it is sent, where it comes from, how another kind is configured. */

import type { CredentialOrigin } from "../client/trace-credential.js";
import type { ApiSource, AuthType } from "../source/api-source.js";

/** Such as "as `Authorization: Bearer <token>`"; undefined without authType. */
export function describeCarrier({ api }: ApiSource): string | undefined {
  switch (api.authType) {
    case "bearer":
      return `as \`Authorization: ${api.authScheme === "" ? "" : `${api.authScheme} `}<token>\` (authType "bearer")`;
    case "header":
      return `as \`${api.headerName}: <key>\` (authType "header")`;
    case "query":
      return `as \`?${api.queryParam}=<key>\` (authType "query")`;
    case "basic":
      return 'as `Authorization: Basic <base64 of username:password>` (authType "basic")';
    default:
      return undefined;
  }
}

/** Where the credential was found, such as "SHOP_TOKEN". */
export function describeOrigin({ slug }: ApiSource, origin: CredentialOrigin): string {
  return origin.isFromEnvironment
    ? origin.variables.join(" and ")
    : `the \`credentials\` option for "${slug}"`;
}

/** What to set, such as "SHOP_TOKEN or SHOP_API_KEY". */
export function describeVariables({ api }: ApiSource, origin: CredentialOrigin): string {
  return origin.candidates.join(api.authType === "basic" ? " and " : " or ");
}

/** How to set a credential where there is none, whatever the application uses. */
export function tellToSet(source: ApiSource, origin: CredentialOrigin): string {
  const shape = source.api.authType === "basic" ? '{ username: "…", password: "…" }' : '{ token: "…" }';
  const empty =
    source.api.authType === "basic" && origin.candidates.length === 2
      ? " (the password may be empty, but must be set)"
      : "";
  return `Set ${describeVariables(source, origin)} in the environment${empty}, or give it as credentials: { "${source.slug}": ${shape} }.`;
}

/** The record fields of an authType, ready to be pasted, and what goes with them. */
export function tellAuthType(
  source: ApiSource,
  authType: AuthType,
  { name = "", scheme = "Bearer" }: { readonly name?: string; readonly scheme?: string } = {},
): string {
  const prefix = source.slug.toUpperCase().replaceAll("-", "_");
  switch (authType) {
    case "bearer":
      return `"authType": "bearer"${scheme.toLowerCase() === "bearer" ? "" : `, "authScheme": "${scheme}"`} under \`api\``;
    case "header":
      return `"authType": "header", "headerName": "${name}" under \`api\``;
    case "query":
      return `"authType": "query", "queryParam": "${name}" under \`api\``;
    case "basic":
      return `"authType": "basic" under \`api\`, and ${prefix}_USERNAME and ${prefix}_PASSWORD in the environment`;
  }
}
