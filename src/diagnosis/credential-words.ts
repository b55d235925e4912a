/** The words for a source's credential, for models and persons alike: how it is sent, where it comes from, how another kind is configured. */

import type { ApiSource, AuthType } from "../source/api-source.js";
import type { Placement } from "./asked.js";
import type { CredentialFacts } from "./facts.js";
import { cleanText } from "./shown-text.js";

/** Such as "as `Authorization: Bearer <token>` (authType "bearer")"; undefined without authType. */
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

/** What to set, such as "SHOP_TOKEN or SHOP_API_KEY". */
export function describeVariables({ api }: ApiSource, { variables }: CredentialFacts): string {
  return variables.join(api.authType === "basic" ? " and " : " or ");
}

/** How to set a credential where there is none, whatever the application uses. */
export function describeSetting(source: ApiSource, credential: CredentialFacts): string {
  const isPair = source.api.authType === "basic";
  const shape = isPair ? '{ username: "…", password: "…" }' : '{ token: "…" }';
  const empty =
    isPair && credential.variables.length === 2 ? " (the password may be empty, but must be set)" : "";
  return `Set ${describeVariables(source, credential)} in the environment${empty}, or give it as credentials: { "${source.slug}": ${shape} }.`;
}

/** The record fields that serve what an API asks for, ready to be pasted; undefined for what no authType can serve. */
export function describePlacement(source: ApiSource, placement: Placement): string | undefined {
  const name = "name" in placement ? cleanText(placement.name, 60) : "";
  switch (placement.by) {
    case "header":
      return /^authorization$/i.test(name)
        ? writeAuthType(source, "bearer")
        : writeAuthType(source, "header", name);
    case "query":
      return writeAuthType(source, "query", name);
    case "scheme":
      return /^basic$/i.test(name) ? writeAuthType(source, "basic") : writeAuthType(source, "bearer", name);
    case "other_scheme":
      return describeOtherScheme(source);
    case "signing":
      return undefined;
  }
}

function describeOtherScheme({ api }: ApiSource): string {
  if (api.authType !== "bearer") {
    return '"authType": "bearer" under `api`, and "authScheme" to the word that the API\'s documentation shows before the token, when it is not "Bearer"';
  }
  const basic = 'if the API wants a username and a password, use "authType": "basic" instead';
  return api.authScheme === "Bearer"
    ? `"authScheme" under \`api\` to the word that the API's documentation shows before the token, such as "Token"; ${basic}`
    : `"authScheme" under \`api\`, which is "${api.authScheme}": most APIs take "Bearer", which is sent when the field is removed; ${basic}`;
}

function writeAuthType({ api, slug }: ApiSource, authType: AuthType, name = "Bearer"): string {
  const prefix = slug.toUpperCase().replaceAll("-", "_");
  switch (authType) {
    case "bearer": {
      if (/^bearer$/i.test(name)) {
        const own =
          api.authType === "bearer" && api.authScheme !== "Bearer" ? ', and remove "authScheme"' : "";
        return `"authType": "bearer" under \`api\`${own}`;
      }
      const other = /^api[-_]?key$/i.test(name)
        ? ', or "authType": "header" with the API\'s own "headerName"'
        : "";
      return `"authType": "bearer", "authScheme": "${name}" under \`api\`${other}`;
    }
    case "header":
      return `"authType": "header", "headerName": "${name}" under \`api\``;
    case "query":
      return `"authType": "query", "queryParam": "${name}" under \`api\``;
    case "basic":
      return `"authType": "basic" under \`api\`, and ${prefix}_USERNAME and ${prefix}_PASSWORD in the environment`;
  }
}

/** Amazon's gateway says so for a path it doesn't know, too. */
export function isAwsGateway(message: string): boolean {
  return /missing authentication token/i.test(message);
}
