/** Why a credential was not accepted, for a person: by its look first, then by its expiry, then by where the API asks for it. */

import type { Placement } from "./asked.js";
import type { AnswerCause } from "./cause.js";
import { describeCarrier, describePlacement, isAwsGateway } from "./credential-words.js";
import { describeFlawFix, type SubjectFacts, tell, type Verdict, where } from "./verdict-words.js";

/** Takes a refusal of a credential that was sent. */
export function describeRefused(
  { placement, message }: Extract<AnswerCause, { kind: "credential_refused" }>,
  facts: SubjectFacts,
): Verdict {
  const { flaw, expiry } = facts.credential;
  if (flaw !== undefined) {
    return tell(
      "malformed_credentials",
      `The credential, from ${where(facts)}, ${flaw.what}.\n${describeFlawFix(facts, flaw.fix)}`,
    );
  }
  if (expiry !== undefined) {
    return tell(
      "invalid_credentials",
      `The token, from ${where(facts)}, ${expiry}.\nGet a new token and put it into ${where(facts)}.`,
    );
  }
  const words = placement === undefined ? describeUnplaced(message, facts) : describePlaced(placement, facts);
  return tell("invalid_credentials", words);
}

function describePlaced(placement: Placement, facts: SubjectFacts): string {
  const { source } = facts;
  const sent = `The credential was sent ${describeCarrier(source)}`;
  const change = describePlacement(source, placement);
  switch (placement.by) {
    case "header":
    case "query":
      return `${sent}, but the API asks for it in the ${placement.by === "query" ? "query parameter" : "header"} ${placement.name}.
        Set ${change}.${describeSecond(facts, placement.by, placement.name)}`;
    case "other_scheme":
      return `The API does not take the way the credential was sent, ${describeCarrier(source)}.\nSet ${change}.`;
    case "signing":
      return `${sent}, but the API asks for the scheme ${placement.name} (\`WWW-Authenticate\`), which signs each request.
        No authType of this package can do that. Look in the API's documentation for a token or a key, or put a gateway in front that signs.`;
    case "scheme": {
      const check = describeCheck(facts);
      const otherwise =
        placement.isNamed === true ? "" : ` If the API's documentation says otherwise, check ${check}`;
      if (placement.isSure)
        return `${sent}, but the API asks for the scheme ${placement.name}.\nSet ${change}.${otherwise}`;
      return `${describeNotAccepted(facts)} The API announces the scheme ${placement.name} (\`WWW-Authenticate\`), which some do whatever is wrong.
        First check ${check} If it is right, the server announces ${placement.name}: set ${change}.`;
    }
  }
}

function describeUnplaced(message: string, facts: SubjectFacts): string {
  const { api } = facts.source;
  const gateway = isAwsGateway(message)
    ? " (An AWS gateway says this for a path it does not have, too: check `api.testEndpoint`.)"
    : "";
  const isRaw = api.authType === "header" && api.headerName?.toLowerCase() === "authorization";
  const raw = isRaw
    ? ' The token stands there alone: if the API wants a word before it, use "authType": "bearer".'
    : "";
  return `${describeNotAccepted(facts)}
    Check ${describeCheck(facts)} If it is right, check \`api.authType\` against the API's documentation.${raw}${gateway}`;
}

function describeNotAccepted(facts: SubjectFacts): string {
  return `The credential was not accepted; it comes from ${where(facts)} and was sent ${describeCarrier(facts.source)}.`;
}

/** Such as "SHOP_TOKEN: the credential must be whole, …"; follows a verb. */
function describeCheck(facts: SubjectFacts): string {
  return `${where(facts)}: the credential must be whole, neither expired nor revoked, and meant for ${new URL(facts.url).host} (test and live keys differ).`;
}

function describeSecond({ source: { api } }: SubjectFacts, by: string, name: string): string {
  const isSecond = by === "header" && api.authType === "header" && !/^authorization$/i.test(name);
  return isSecond
    ? ` If it is a second secret beside the one in ${api.headerName}, add "headers": { "${name}": "\${NAME}" } instead.`
    : "";
}
