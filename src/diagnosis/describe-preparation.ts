/** What a request that could not be made means for the person who configures a source: a value, a credential or a path is wrong. */

import type { PreparationCause } from "./cause.js";
import { describeSetting, describeVariables } from "./credential-words.js";
import { type ConnectionVerdict, type Explanation, explain } from "./explanation.js";
import type { Subject } from "./facts.js";

const verdicts: Readonly<Record<PreparationCause["kind"], ConnectionVerdict>> = {
  record_wrong: "invalid_record",
  value_missing: "unresolved_placeholder",
  credential_missing: "missing_credentials",
  credential_malformed: "malformed_credentials",
  secret_missing: "missing_credentials",
  secret_malformed: "malformed_credentials",
  lookup_failed: "missing_credentials",
  lookup_slow: "timeout",
  quota_full: "rate_limited",
  address_refused: "unreachable",
};

/** Why no request could be made; it needs no address, since there may be none. */
export function describePreparation(
  cause: PreparationCause,
  owner: Pick<Subject, "source" | "credential">,
): Explanation {
  const { kind, message, hint } = cause;
  const { api, slug } = owner.source;
  const variables = describeVariables(owner);
  const verdict = verdicts[kind];
  const asIs = { verdict, message, fix: hint.replaceAll(/\bnetwork\./g, "api.network.") };
  switch (kind) {
    case "credential_missing":
      return { verdict, message, fix: describeSetting(owner) };
    case "lookup_failed":
      return {
        verdict,
        message,
        fix: `Look at the function given as \`credentials\` or \`secrets\`: it threw instead of returning a value or undefined. Without it, set ${variables}.`,
      };
    case "lookup_slow":
      return explain(
        verdict,
        `The credential or a secret was not handed out within ${api.limits.timeoutMs} ms, so nothing was sent.
        Look at the function given as \`credentials\` or \`secrets\`, or at what it asks; it has to answer sooner than \`api.limits.timeoutMs\`.`,
      );
    case "credential_malformed": {
      const shape = api.authType === "basic" ? "a username without a colon, and a password" : "one token";
      const fix = `Correct ${variables}, or what the \`credentials\` option gives for "${slug}": one line, exactly as the API shows it, without quotes; authType "${api.authType}" takes ${shape}.`;
      return { verdict, message, fix };
    }
    case "record_wrong": {
      const told = `\`api.testEndpoint\` can't be requested: ${message}`;
      const fix = `Correct \`api.testEndpoint\`: ${fixPath(api.testEndpoint ?? "", hint)}`;
      return cause.inNetwork === true ? asIs : { verdict, message: told, fix };
    }
    default:
      return asIs;
  }
}

function fixPath(testEndpoint: string, hint: string): string {
  if (/^https?:\/\//i.test(testEndpoint))
    return 'write only the path below `api.baseUrl`, such as "/user", and check that `api.baseUrl` is on that host.';
  if (testEndpoint.includes("#")) return "remove the `#` and what follows it.";
  return `write a path below \`api.baseUrl\`, such as "/user". ${hint}`;
}
