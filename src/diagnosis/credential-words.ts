/** The words for a source's credential: how it is sent, where it comes from, how another kind is configured. */

import type { ApiSource } from "../source/api-source.js";
import type { Placement } from "./asked.js";
import type { Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

type Owner = Pick<Subject, "source" | "credential">;

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
export function describeVariables({ source: { api }, credential: { variables } }: Owner): string {
  return variables.join(api.authType === "basic" ? " and " : " or ");
}

/** Where the credential was found, or would be. */
export function describeOrigin(owner: Owner): string {
  return owner.credential.foundIn ?? describeVariables(owner);
}

/** What a login page says of the credential. */
export function describeLogin(owner: Owner): string {
  return owner.source.api.authType === undefined
    ? "the API wants a credential: set `api.authType` and put the credential into the environment."
    : `the credential in ${describeOrigin(owner)} was not accepted, or not seen: check it and \`api.authType\`.`;
}

/** The record fields that serve what an API asks for, ready to be pasted; undefined for what no authType can serve. */
export function describePlacement({ api, slug }: ApiSource, placement: Placement): string | undefined {
  if (placement.by === "signing") return undefined;
  const name = cleanText(placement.name, 60);
  if (placement.by === "header") return `"authType": "header", "headerName": "${name}" under \`api\``;
  if (/^basic$/i.test(name)) {
    const prefix = slug.toUpperCase().replaceAll("-", "_");
    return `"authType": "basic" under \`api\`, and ${prefix}_USERNAME and ${prefix}_PASSWORD in the environment`;
  }
  const isDefault = /^bearer$/i.test(name);
  const own = api.authType === "bearer" && api.authScheme !== "Bearer" ? ', and remove "authScheme"' : "";
  return isDefault
    ? `"authType": "bearer" under \`api\`${own}`
    : `"authType": "bearer", "authScheme": "${name}" under \`api\``;
}
