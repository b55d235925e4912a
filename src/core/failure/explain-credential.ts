/** A credential that is missing or refused: how it is sent, where it comes from, how another kind is configured. */

import { clipText } from "../base/text.js";
import type { ApiSource, AuthType } from "../record/api-source.js";
import { type Cause, explain, hostOf } from "./cause.js";
import { findPlacement, isAnnounced, type Placement } from "./challenge.js";
import type { CredentialMaker, FailedAnswer, Subject } from "./facts.js";
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

/** What a login page means for the credential. */
export function describeLogin(owner: Owner): string {
  return owner.source.api.authType === undefined
    ? "the API requires a credential: set `api.authType` and put the credential into the environment."
    : `the credential in ${describeOrigin(owner)} was not accepted, or did not arrive: check it and \`api.authType\`.`;
}

/** The fields of the record for what an API requests, ready to be pasted; undefined for what no authType supports. */
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

/** No credential was sent where one is required, or the sent one is refused. */
export function explainRefusal(answer: FailedAnswer): Cause {
  const { madeBy } = answer.credential;
  if (madeBy !== undefined) return explainMade(answer, madeBy);
  return answer.source.api.authType === undefined ? explainWanted(answer) : explainRefused(answer);
}

/** What the person who configures the source checks, by what made the credential. */
const checks: Readonly<Record<CredentialMaker, string>> = {
  sign: "its keys, what it signs, and the clock of this machine",
  oauth2:
    "whether the authorization server issues tokens for this API (`oauth2.scopes`, `oauth2.audience`, `oauth2.resource`), and how the token is sent (`api.authType`, `api.authScheme`)",
  login: "what `api.login` takes from the answer of the login call, and how it is sent (`api.authType`)",
};

/** Names what made the credential, such as "`oauth2` of the record". */
export function describeMaker({ slug }: ApiSource, maker: CredentialMaker): string {
  return maker === "sign"
    ? `\`sign\` of the \`credentials\` option for "${slug}"`
    : `\`${maker}\` of the record`;
}

function explainMade({ source }: FailedAnswer, maker: CredentialMaker): Cause {
  const what = `The API did not accept what ${describeMaker(source, maker)} ${maker === "sign" ? "signed" : "obtained"}.`;
  return explain("credential_refused", what, `Check ${checks[maker]}.`, `${what} Tell the user.`);
}

function explainWanted(answer: FailedAnswer): Cause {
  const { source } = answer;
  const placement = findPlacement(answer);
  const change =
    (placement && describePlacement(source, placement)) ??
    '"authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic"; the API\'s documentation has the right one';
  const variable = `${source.slug.toUpperCase().replaceAll("-", "_")}_TOKEN`;
  const where = change.includes("_USERNAME") ? "" : `, and the credential in the environment as ${variable}`;
  const fix = `Set ${change}${where}.`;
  const known = placement === undefined ? "" : ` The fix: ${fix}`;
  return explain(
    "credential_wanted",
    "The API requires a credential, and this source sends no credential: the record has no `authType`.",
    fix,
    `The API requires a credential, and the record has no \`authType\`. Tell the user.${known}`,
  );
}

/** By the form of the credential first, then by its expiry, then by the scheme or header that the API announces. */
function explainRefused(answer: FailedAnswer): Cause {
  const { problem, expiry, foundIn } = answer.credential;
  const from = describeOrigin(answer);
  if (problem !== undefined) {
    const fix = `Correct ${from}: ${problem.fix.charAt(0).toLowerCase()}${problem.fix.slice(1)}`;
    return explain("credential_malformed", `The credential, from ${from}, ${problem.what}.`, fix);
  }
  if (expiry !== undefined) {
    const fix = `Get a new token and put it into ${from}.`;
    return explain("credential_refused", `The token, from ${from}, ${expiry}.`, fix);
  }
  const placement = findPlacement(answer);
  const either = foundIn === undefined ? " or the `credentials` option" : "";
  const announced =
    placement?.by === "header" ? ` The API requests it in the header ${clipText(placement.name, 60)}.` : "";
  const change = placement && describePlacement(answer.source, placement);
  const known =
    change === undefined
      ? ""
      : ` The API announces ${clipText(placement?.name ?? "", 60)}: perhaps set ${change}.`;
  return explain(
    "credential_refused",
    `The credential was not accepted; it comes from ${from}${either} and was sent ${describeCarrier(answer.source)}.${announced}`,
    fixRefused(answer, placement, from),
    `The API did not accept the credential (${from}). Tell the user.${known}`,
  );
}

/** The fields beside `authType` that decide how a credential is sent. */
const carrierFields: Readonly<Record<AuthType, readonly string[]>> = {
  bearer: ["authScheme"],
  header: ["headerName"],
  query: ["queryParam"],
  basic: [],
};

/** A header is a specific request. Some servers announce a scheme whatever is wrong, so the credential is checked first. */
function fixRefused(answer: FailedAnswer, placement: Placement | undefined, from: string): string {
  const { source, request, codes } = answer;
  const check = `heck ${from}: the credential must be complete, neither expired nor revoked, and valid for ${hostOf(request.url)} (test and live keys differ).`;
  const { authScheme, authType, headerName } = source.api;
  if (isAnnounced(answer)) return `C${check}`;
  if (placement === undefined) {
    const how =
      authType === "bearer" && !["", "Bearer"].includes(authScheme)
        ? `check "authScheme" under \`api\`, which is "${authScheme}": most APIs take "Bearer"; the API's documentation has the right one.`
        : `check how it is sent (${["authType", ...carrierFields[authType ?? "bearer"]].map((field) => `\`api.${field}\``).join(", ")}) against the API's documentation.`;
    // Amazon's gateway answers a path that it doesn't know with this code, too.
    const isGateway = codes.some((code) => /^MissingAuthenticationToken/.test(code));
    return `C${check} If it is right, ${how}${isGateway ? " (An AWS gateway answers the same for an unknown path or method: check the path.)" : ""}`;
  }
  const name = clipText(placement.name, 60);
  const change = describePlacement(source, placement);
  if (placement.by !== "header")
    return `First c${check} If it is right, the server announces ${name}: ${change === undefined ? "no authType supports it, since it signs or negotiates each request. Look in the API's documentation for a token or a key, or give the credential as { sign }." : `set ${change}.`}`;
  const second = ` If it is a second secret beside the one in ${headerName}, add "headers": { "${name}": "\${NAME}" } instead.`;
  return `Set ${change}.${authType === "header" ? second : ""}`;
}
