/** The words for a source's credential: how it is sent, where it comes from, how another kind is configured, and what a refusal means for a model. */

import type { ApiSource } from "../source/api-source.js";
import type { Placement } from "./asked.js";
import type { AnswerCause } from "./cause.js";
import type { AnswerFacts, CredentialFacts } from "./facts.js";
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
export function describePlacement({ api, slug }: ApiSource, placement: Placement): string | undefined {
  if (placement.by === "signing") return undefined;
  const name = cleanText(placement.name, 60);
  const isRaw = placement.by === "header" && /^authorization$/i.test(name);
  if (placement.by === "header" && !isRaw)
    return `"authType": "header", "headerName": "${name}" under \`api\``;
  if (/^basic$/i.test(name)) {
    const prefix = slug.toUpperCase().replaceAll("-", "_");
    return `"authType": "basic" under \`api\`, and ${prefix}_USERNAME and ${prefix}_PASSWORD in the environment`;
  }
  if (isRaw || /^bearer$/i.test(name)) {
    const own = api.authType === "bearer" && api.authScheme !== "Bearer" ? ', and remove "authScheme"' : "";
    return `"authType": "bearer" under \`api\`${own}`;
  }
  const isKey = /^api[-_]?key$/i.test(name);
  return `"authType": "bearer", "authScheme": "${name}" under \`api\`${isKey ? ', or "authType": "header" with the API\'s own "headerName"' : ""}`;
}

/** Amazon's gateway says so for a path it doesn't know, too. */
export function isAwsGateway(message: string): boolean {
  return /missing authentication token/i.test(message);
}

const cannotChange = "You can't change the credential from here";

type Of<Kind extends AnswerCause["kind"]> = Extract<AnswerCause, { kind: Kind }>;

/** For a model: names carrier and variables; what the server announces comes after what is likelier. */
export function hintForCredential(
  cause: Of<"credential_wanted" | "credential_refused">,
  { source, credential }: AnswerFacts,
): string {
  const { placement } = cause;
  const change = placement === undefined ? undefined : describePlacement(source, placement);
  if (cause.kind === "credential_wanted") {
    return `This source sends no credential (its record has no authType), and the API wants one. ${cannotChange}: tell the user to set ${change ?? "api.authType"} in the record, and the credential in the environment.`;
  }
  const gateway = isAwsGateway(cause.message)
    ? " (This text is also what an AWS gateway answers for a path or method it doesn't have.)"
    : "";
  const sent = `The credential was not accepted. It is sent ${describeCarrier(source)} and comes from ${describeVariables(source, credential)} or the credentials option.${gateway}`;
  const check = `that it is set, complete, not expired and meant for ${source.api.baseUrl}`;
  const stop = `${cannotChange}: don't repeat the call, tell the user to`;
  if (placement === undefined) return `${sent} ${stop} check the credential: ${check}.`;
  const asked = `the ${placement.by === "header" ? "header" : "scheme"} ${cleanText(placement.name, 60)}`;
  if (placement.isSure && change !== undefined)
    return `${sent} The server asks for ${asked}: ${change}. ${stop} change that in the record, then to check the credential: ${check}.`;
  const advice =
    change ??
    "no authType can serve it, since it signs or negotiates each request: look in the API's documentation for a token or key";
  return `${sent} ${stop} check the credential first: ${check}. If that is right: the server announces ${asked}: ${advice}.`;
}

/** For a model: names the missing scope where the server does. */
export function hintForPermission(
  { scopes }: Of<"permission_missing">,
  { source, body }: AnswerFacts,
): string {
  if (body.kind === "html") {
    return `A web page refused the call: probably a firewall or bot protection in front of ${source.api.baseUrl}, not the API. Tell the user; a constant User-Agent header in the record sometimes helps.`;
  }
  const needed = scopes.needed === undefined ? "" : ` Needed: ${scopes.needed}.`;
  const granted = scopes.granted === undefined ? "" : ` It has the scopes: ${scopes.granted}.`;
  const who =
    source.api.authType === undefined ? "this source, which sends no credential," : "the credential";
  return `The API understood the call but ${who} may not do this.${needed}${granted} ${cannotChange}: tell the user which permission is missing, or use an endpoint it may use.`;
}
