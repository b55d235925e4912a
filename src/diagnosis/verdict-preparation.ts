/** What a request that could not be made means for the person who configures a source: a value, a credential or a path is wrong. */

import type { PreparationCause } from "./cause.js";
import { describeSetting, describeVariables } from "./credential-words.js";
import { describeFlawFix, type SubjectFacts, tell, type Verdict, where } from "./verdict-words.js";

/** Why no request could be made; it needs no address, since there may be none. */
export function describePreparation(
  cause: PreparationCause,
  facts: Pick<SubjectFacts, "source" | "credential">,
): Verdict {
  const { source, credential } = facts;
  const { message, hint } = cause;
  const variables = describeVariables(source, credential);
  switch (cause.kind) {
    case "credential_missing":
      return { verdict: "missing_credentials", message, fix: describeSetting(source, credential) };
    case "lookup_failed":
      return tell(
        "missing_credentials",
        `${message}
        Look at the function given as \`credentials\` or \`secrets\`: it threw instead of returning a value or undefined. Without it, set ${variables}.`,
      );
    case "lookup_slow":
      return tell(
        "timeout",
        `The credential or a secret was not handed out within ${source.api.limits.timeoutMs} ms, so nothing was sent.
        Look at the function given as \`credentials\` or \`secrets\`, or at what it asks; it has to answer sooner than \`api.limits.timeoutMs\`.`,
      );
    case "credential_malformed": {
      const { flaw } = cause;
      const shape =
        source.api.authType === "basic" ? "a username without a colon, and a password" : "one token";
      return flaw === undefined
        ? tell(
            "malformed_credentials",
            `${message}
            Correct ${variables}, or what the \`credentials\` option gives for "${source.slug}": one line, exactly as the API shows it, without quotes; authType "${source.api.authType}" takes ${shape}.`,
          )
        : tell(
            "malformed_credentials",
            `The credential of ${source.name} was not sent: ${where(facts)} ${flaw.what}.
            ${describeFlawFix(facts, flaw.fix)}`,
          );
    }
    case "record_wrong": {
      const fix = describeRefusedPath(source.api.testEndpoint ?? "", hint);
      return cause.field === "network"
        ? { verdict: "invalid_record", message, fix: hint.replaceAll(/\bnetwork\./g, "api.network.") }
        : tell(
            "invalid_record",
            `\`api.testEndpoint\` can't be requested: ${message}\nCorrect \`api.testEndpoint\`: ${fix}`,
          );
    }
    default:
      return {
        verdict: otherPreparations[cause.kind],
        message,
        fix: hint.replaceAll(/\bnetwork\.allow/g, "api.network.allow"),
      };
  }
}

/** Whose words stand as they are. */
const otherPreparations = {
  secret_missing: "missing_credentials",
  secret_malformed: "malformed_credentials",
  value_missing: "unresolved_placeholder",
  quota_full: "rate_limited",
  address_refused: "unreachable",
} as const;

function describeRefusedPath(testEndpoint: string, hint: string): string {
  if (/^https?:\/\//i.test(testEndpoint)) {
    return 'write only the path below `api.baseUrl`, such as "/user", and check that `api.baseUrl` is on that host.';
  }
  if (testEndpoint.includes("#")) return "remove the `#` and what follows it.";
  return `write a path below \`api.baseUrl\`, such as "/user". ${hint}`;
}
