/** What a refused credential or a missing permission means for a model: nothing it can change, so what to tell the user. */

import type { Placement } from "./asked.js";
import type { AnswerCause } from "./cause.js";
import { describeCarrier, describePlacement, describeVariables, isAwsGateway } from "./credential-words.js";
import type { AnswerFacts } from "./facts.js";
import { cleanText } from "./shown-text.js";

const cannotChange = "You can't change the credential from here";

type Of<Kind extends AnswerCause["kind"]> = Extract<AnswerCause, { kind: Kind }>;

/** Names carrier and variables; what the server announces comes after what is likelier. */
export function hintForCredential(
  cause: Of<"credential_wanted" | "credential_refused">,
  facts: AnswerFacts,
): string {
  const { source, credential } = facts;
  const { placement } = cause;
  if (cause.kind === "credential_wanted") {
    const change = placement === undefined ? undefined : describePlacement(source, placement);
    return `This source sends no credential (its record has no authType), and the API wants one. ${cannotChange}: tell the user to set ${change ?? "api.authType"} in the record, and the credential in the environment.`;
  }
  const gateway = isAwsGateway(cause.message)
    ? " (This text is also what an AWS gateway answers for a path or method it doesn't have.)"
    : "";
  const sent = `The credential was not accepted. It is sent ${describeCarrier(source)} and comes from ${describeVariables(source, credential)} or the credentials option.${gateway}`;
  const check = `that it is set, complete, not expired and meant for ${source.api.baseUrl}`;
  const advice = placement === undefined ? undefined : describeAdvice(facts, placement);
  if (advice === undefined)
    return `${sent} ${cannotChange}: don't repeat the call, tell the user to check the credential: ${check}.`;
  if (placement?.isSure === true && placement.by !== "signing") {
    return `${sent} ${advice} ${cannotChange}: don't repeat the call, tell the user to change that in the record, then to check the credential: ${check}.`;
  }
  return `${sent} ${cannotChange}: don't repeat the call, tell the user to check the credential first: ${check}. If that is right: ${advice}`;
}

function describeAdvice({ source }: AnswerFacts, placement: Placement): string {
  const change = describePlacement(source, placement);
  switch (placement.by) {
    case "signing":
      return `the server announces the scheme ${cleanText(placement.name, 40)}, which a pasted credential can't serve (it signs or negotiates each request, and no authType does that): look in the API's documentation for a token or key.`;
    case "scheme":
      return `${placement.isSure ? "The server asks for" : "the server announces"} the scheme ${cleanText(placement.name, 40)}: ${change}.`;
    case "other_scheme":
      return `The server does not take this way of sending it: set ${change}.`;
    default:
      return `The server asks for it in the ${placement.by === "query" ? "query parameter" : "header"} ${cleanText(placement.name, 60)}: ${change}.`;
  }
}

/** Names the missing scope where the server does. */
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
