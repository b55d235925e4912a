/** What a request that could not be made means for the person who configures a source: a value, a credential or a path is wrong. */

import type { PreparationCause } from "./cause.js";
import { describeVariables } from "./credential-words.js";
import type { ConnectionVerdict, Explanation } from "./explanation.js";
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
  { code = "", category, message, hint }: Omit<PreparationCause, "kind">,
  owner: Pick<Subject, "source" | "credential">,
): Explanation {
  const { api, slug } = owner.source;
  const verdict = verdicts[code] ?? verdicts[category] ?? "invalid_record";
  const variables = describeVariables(owner);
  const option = `credentials: { "${slug}": ${api.authType === "basic" ? '{ username: "…", password: "…" }' : '{ token: "…" }'} }`;
  if (code === "missing_credentials") {
    const isSplit = api.authType === "basic" && owner.credential.variables.length === 2;
    const empty = isSplit ? " (the password may be empty, but must be set)" : "";
    const fix = `Set ${variables} in the environment${empty}, or give it as ${option}.`;
    return { verdict, message, fix };
  }
  if (code === "credential_lookup_failed" || verdict === "timeout") {
    const fix = `Look at the function given as \`credentials\` or \`secrets\`: it has to return a value or undefined, sooner than \`api.limits.timeoutMs\` (${api.limits.timeoutMs} ms). Without it, set ${variables}.`;
    return { verdict, message, fix };
  }
  if (code === "malformed_credentials") {
    const shape = api.authType === "basic" ? "a username without a colon, and a password" : "one token";
    const fix = `Correct ${variables}, or what the \`credentials\` option gives for "${slug}": one line, exactly as the API shows it, without quotes; authType "${api.authType}" takes ${shape}.`;
    return { verdict, message, fix };
  }
  if (verdict === "invalid_record" && category !== "not_configured") {
    const fix = `Correct \`api.testEndpoint\`: write a path below \`api.baseUrl\`, such as "/user". ${hint}`;
    return { verdict, message: `\`api.testEndpoint\` can't be requested: ${message}`, fix };
  }
  return { verdict, message, fix: hint.replaceAll(/\bnetwork\./g, "api.network.") };
}
