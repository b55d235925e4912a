/** What a request that could not be made means for the person who configures a source: a value, a credential or a path is wrong. */

import type { ApiSourceError } from "../base/errors.js";
import { type Cause, type CauseKind, explain } from "./cause.js";
import { describeVariables } from "./explain-credential.js";
import type { Subject } from "./facts.js";

/** By the code of the error; without a code, by its category. */
const kinds: Readonly<Record<string, CauseKind>> = {
  missing_credentials: "credential_missing",
  missing_secret: "credential_missing",
  credential_lookup_failed: "credential_missing",
  malformed_credentials: "credential_malformed",
  malformed_secret: "credential_malformed",
  unresolved_placeholder: "placeholder_open",
  malformed_placeholder: "placeholder_open",
  /** The host leads to an address that the record does not allow. */
  ERR_LOCAL_ADDRESS: "address_forbidden",
  timeout: "lookup_late",
  rate_limited: "quota_spent",
};

/** Why no request could be made; it needs no address, since there may be none. */
export function explainPreparation(
  { code = "", category, message, hint }: Pick<ApiSourceError, "code" | "category" | "message" | "hint">,
  owner: Pick<Subject, "source" | "credential">,
): Cause {
  const { api, slug } = owner.source;
  const known = [code, category].find((name) => Object.hasOwn(kinds, name));
  const kind = (known === undefined ? undefined : kinds[known]) ?? "record_wrong";
  const variables = describeVariables(owner);
  const isBasic = api.authType === "basic";
  if (code === "missing_credentials") {
    const empty =
      isBasic && owner.credential.variables.length === 2
        ? " (the password may be empty, but must be set)"
        : "";
    const given = isBasic ? '{ username: "…", password: "…" }' : '{ token: "…" }';
    const fix = `Set ${variables} in the environment${empty}, or give it as credentials: { "${slug}": ${given} }.`;
    return explain(kind, message, fix);
  }
  if (code === "credential_lookup_failed" || kind === "lookup_late") {
    const fix = `Correct the function given as \`credentials\` or \`secrets\`: it must return a value or undefined, sooner than \`api.limits.timeoutMs\` (${api.limits.timeoutMs} ms). Without it, set ${variables}.`;
    return explain(kind, message, fix);
  }
  if (code === "malformed_credentials") {
    const shape = isBasic ? "a username without a colon, and a password" : "one token";
    const fix = `Correct ${variables}, or what the \`credentials\` option gives for "${slug}": one line, exactly as the API shows it, without quotes; authType "${api.authType}" takes ${shape}.`;
    return explain(kind, message, fix);
  }
  if (kind === "record_wrong" && category !== "not_configured") {
    const fix = `Correct \`api.testEndpoint\`: write a path below \`api.baseUrl\`, such as "/user". ${hint}`;
    return explain(kind, `\`api.testEndpoint\` can't be requested: ${message}`, fix);
  }
  return explain(kind, message, hint.replaceAll(/\bnetwork\./g, "api.network."));
}
