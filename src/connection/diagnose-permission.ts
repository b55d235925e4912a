/** A credential that was recognised and may not do this: which permission is missing, as far as the answer says. */

import { clipText } from "../text.js";
import { describeOrigin } from "./describe-credential.js";
import type { Finding } from "./finding.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";

export function diagnosePermission(reading: Reading): Finding {
  const { source, origin, status } = reading;
  if (source.api.authType === undefined) {
    return toFinding(
      "missing_permissions",
      `${tellAnswer(reading)} The API refused a request without a credential (the record has no \`authType\`).`,
      "If the API needs a credential, set `api.authType` and put the credential into the environment. If it is public, it refuses this machine's address, or the path.",
    );
  }
  const from = describeOrigin(source, origin);
  if (status === 402) {
    return toFinding(
      "missing_permissions",
      `${tellAnswer(reading)} The account of the credential has to pay, or to be upgraded, first.`,
      `Settle it with the API's provider, or put the credential of another account into ${from}.`,
    );
  }
  const scopes = listScopes(reading);
  const needed = scopes.needed === undefined ? "" : ` Needed: ${scopes.needed}.`;
  const granted = scopes.granted === undefined ? "" : ` It has: ${scopes.granted}.`;
  return toFinding(
    "missing_permissions",
    `${tellAnswer(reading)} The credential, from ${from}, was probably understood, but may not do this.${needed}${granted}`,
    `Give it ${scopes.needed === undefined ? "the permission to read this" : `the scope ${scopes.needed}`} where it was made, or choose an \`api.testEndpoint\` it may read (often /user or /me). Some APIs answer ${status} for a wrong credential, too: check that ${from} is complete.`,
  );
}

function listScopes({ headers, challenges }: Reading): { needed?: string; granted?: string } {
  const read = (name: string): string | undefined => {
    const text = clipText([headers[name] ?? ""].flat().join(", "), 200);
    return text === "" ? undefined : text;
  };
  const challenged = challenges.find(({ params }) => params.has("scope"))?.params.get("scope");
  const needed = read("x-accepted-oauth-scopes") ?? read("x-accepted-github-permissions") ?? challenged;
  const granted = read("x-oauth-scopes");
  return {
    ...(needed ? { needed: clipText(needed, 200) } : {}),
    ...(granted === undefined ? {} : { granted }),
  };
}
