/** What a request that could not be made means for the person who configures a source: a value, a credential or a path is wrong. */

import type { PreparationCause } from "./cause.js";
import { describeSetting, describeVariables } from "./credential-words.js";
import { type ConnectionVerdict, type Explanation, explain } from "./explanation.js";
import type { Subject } from "./facts.js";

/** By the code of the error; of one without, the category tells. */
const verdicts: Readonly<Record<string, ConnectionVerdict>> = {
  missing_credentials: "missing_credentials",
  missing_secret: "missing_credentials",
  credential_lookup_failed: "missing_credentials",
  malformed_credentials: "malformed_credentials",
  malformed_secret: "malformed_credentials",
  unresolved_placeholder: "unresolved_placeholder",
  malformed_placeholder: "unresolved_placeholder",
  /** The host leads to an address that the record does not allow. */
  ERR_LOCAL_ADDRESS: "unreachable",
  timeout: "timeout",
  rate_limited: "rate_limited",
};

/** Why no request could be made; it needs no address, since there may be none. */
export function describePreparation(
  { code = "", category, message, hint }: PreparationCause,
  owner: Pick<Subject, "source" | "credential">,
): Explanation {
  const { api, slug } = owner.source;
  const variables = describeVariables(owner);
  const verdict = verdicts[code] ?? verdicts[category] ?? "invalid_record";
  if (code === "missing_credentials") return { verdict, message, fix: describeSetting(owner) };
  if (code === "credential_lookup_failed") {
    const fix = `Look at the function given as \`credentials\` or \`secrets\`: it threw instead of returning a value or undefined. Without it, set ${variables}.`;
    return { verdict, message, fix };
  }
  if (code === "malformed_credentials") {
    const shape = api.authType === "basic" ? "a username without a colon, and a password" : "one token";
    const fix = `Correct ${variables}, or what the \`credentials\` option gives for "${slug}": one line, exactly as the API shows it, without quotes; authType "${api.authType}" takes ${shape}.`;
    return { verdict, message, fix };
  }
  if (verdict === "timeout") {
    return explain(
      verdict,
      `The credential or a secret was not handed out within ${api.limits.timeoutMs} ms, so nothing was sent.
      Look at the function given as \`credentials\` or \`secrets\`, or at what it asks; it has to answer sooner than \`api.limits.timeoutMs\`.`,
    );
  }
  if (verdict === "invalid_record" && category !== "not_configured") {
    const fix = `Correct \`api.testEndpoint\`: ${fixPath(api.testEndpoint ?? "", hint)}`;
    return { verdict, message: `\`api.testEndpoint\` can't be requested: ${message}`, fix };
  }
  return { verdict, message, fix: hint.replaceAll(/\bnetwork\./g, "api.network.") };
}

function fixPath(testEndpoint: string, hint: string): string {
  if (/^https?:\/\//i.test(testEndpoint))
    return 'write only the path below `api.baseUrl`, such as "/user", and check that `api.baseUrl` is on that host.';
  if (testEndpoint.includes("#")) return "remove the `#` and what follows it.";
  return `write a path below \`api.baseUrl\`, such as "/user". ${hint}`;
}
