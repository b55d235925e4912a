/** A credential that is wanted or refused: how it is sent, where it comes from, how another kind is configured. */

import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import { findPlacement, type Placement } from "./asked.js";
import { type Cause, explain, hostOf } from "./cause.js";
import type { FailedAnswer, Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

type Owner = Pick<Subject, "source" | "credential">;

/** Such as "as `Authorization: Bearer <token>` (authType "bearer")"; undefined without authType. */
function describeCarrier({ api }: ApiSource): string | undefined {
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
function describePlacement({ api, slug }: ApiSource, placement: Placement): string | undefined {
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

/** No credential was sent where one is wanted, or the one that was sent is refused. */
export function explainRefusal(answer: FailedAnswer): Cause {
  return answer.source.api.authType === undefined ? explainWanted(answer) : explainRefused(answer);
}

function explainWanted(answer: FailedAnswer): Cause {
  const { source } = answer;
  const placement = findPlacement(answer);
  const change =
    (placement && describePlacement(source, placement)) ??
    '"authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic", as the API\'s documentation says';
  const variable = `${source.slug.toUpperCase().replaceAll("-", "_")}_TOKEN`;
  const where = change.includes("_USERNAME") ? "" : `, and the credential in the environment as ${variable}`;
  return explain(
    "credential_wanted",
    "The API wants a credential, and this source sends no credential: the record has no `authType`.",
    `Set ${change}${where}.`,
  );
}

/** By the credential's look first, then by its expiry, then by where the API asks for it. */
function explainRefused(answer: FailedAnswer): Cause {
  const { flaw, expiry, foundIn } = answer.credential;
  const from = describeOrigin(answer);
  if (flaw !== undefined) {
    const fix = `Correct ${from}: ${flaw.fix.charAt(0).toLowerCase()}${flaw.fix.slice(1)}`;
    return explain("credential_malformed", `The credential, from ${from}, ${flaw.what}.`, fix);
  }
  if (expiry !== undefined) {
    const fix = `Get a new token and put it into ${from}.`;
    return explain("credential_refused", `The token, from ${from}, ${expiry}.`, fix);
  }
  const placement = findPlacement(answer);
  const either = foundIn === undefined ? " or the `credentials` option" : "";
  const asked =
    placement?.by === "header" ? ` The API asks for it in the header ${clipText(placement.name, 60)}.` : "";
  return explain(
    "credential_refused",
    `The credential was not accepted; it comes from ${from}${either} and was sent ${describeCarrier(answer.source)}.${asked}`,
    fixRefused(answer, placement, from),
  );
}

/** A header is asked for by name. A scheme some announce whatever is wrong, so the credential is to be checked first. */
function fixRefused(
  { source, request, message }: FailedAnswer,
  placement: Placement | undefined,
  from: string,
): string {
  const check = `heck ${from}: the credential must be whole, neither expired nor revoked, and meant for ${hostOf(request.url)} (test and live keys differ).`;
  const { authScheme, authType, headerName } = source.api;
  if (placement === undefined) {
    const how =
      authType === "bearer" && !["", "Bearer"].includes(authScheme)
        ? `check "authScheme" under \`api\`, which is "${authScheme}": most APIs take "Bearer", and its documentation says.`
        : "check how it is sent (`api.authType`, `api.authScheme`) against the API's documentation.";
    // A path that Amazon's gateway doesn't know is answered so, too.
    const isGateway = /missing authentication token/i.test(message);
    return `C${check} If it is right, ${how}${isGateway ? " (An AWS gateway says this for a path or method it doesn't have, too: check the path.)" : ""}`;
  }
  const name = clipText(placement.name, 60);
  const change = describePlacement(source, placement);
  if (placement.by !== "header")
    return `First c${check} If it is right, the server announces ${name}: ${change === undefined ? "no authType can serve it, since it signs or negotiates each request. Look in the API's documentation for a token or a key, or put a gateway in front that signs." : `set ${change}.`}`;
  const second = ` If it is a second secret beside the one in ${headerName}, add "headers": { "${name}": "\${NAME}" } instead.`;
  return `Set ${change}.${authType === "header" ? second : ""}`;
}
