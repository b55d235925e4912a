/** Why no request could be made: a value that is missing, a credential that can't be sent, a path that is refused. */

import type { CredentialOrigin } from "../client/trace-credential.js";
import type { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { describeOrigin, describeVariables, tellToSet } from "./describe-credential.js";
import { type CredentialFlaw, findCredentialFlaws } from "./find-credential-flaws.js";
import type { Finding, Subject } from "./finding.js";

/** Takes what the preparation of a request threw; its hint speaks to an agent, the fix to whoever configures the source. */
export function diagnosePreparation(
  source: ApiSource,
  error: ApiSourceError,
  origin: CredentialOrigin,
): Finding {
  const { message, hint, code } = error;
  switch (code) {
    case "missing_credentials":
      return { verdict: "missing_credentials", message, fix: tellToSet(source, origin) };
    case "missing_secret":
      return { verdict: "missing_credentials", message, fix: hint };
    case "credential_lookup_failed":
      return {
        verdict: "missing_credentials",
        message,
        fix: `Look at the function given as \`credentials\` or \`secrets\`: it threw instead of returning a value or undefined. Without it, set ${describeVariables(source, origin)}.`,
      };
    case "malformed_credentials":
      return {
        verdict: "malformed_credentials",
        message,
        fix: `Correct ${describeVariables(source, origin)}, or what the \`credentials\` option gives for "${source.slug}": one line, exactly as the API shows it, without quotes; ${shapeOf(source)}.`,
      };
    case "malformed_secret":
      return { verdict: "malformed_credentials", message, fix: hint };
    case "unresolved_placeholder":
    case "malformed_placeholder":
      return { verdict: "unresolved_placeholder", message, fix: hint };
    default:
      return diagnoseUnbuilt(source, error);
  }
}

function shapeOf({ api }: ApiSource): string {
  return api.authType === "basic"
    ? 'authType "basic" takes a username without a colon, and a password'
    : `authType "${api.authType}" takes one token`;
}

/** The wall refused the test endpoint, or the record's network settings can't be used. */
function diagnoseUnbuilt(source: ApiSource, { category, message, hint }: ApiSourceError): Finding {
  if (category === "timeout") {
    return {
      verdict: "timeout",
      message: `The credential or a secret was not handed out within ${source.api.limits.timeoutMs} ms, so nothing was sent.`,
      fix: "Look at the function given as `credentials` or `secrets`, or at what it asks; it has to answer sooner than `api.limits.timeoutMs`.",
    };
  }
  if (category === "not_configured") {
    return { verdict: "invalid_record", message, fix: hint.replaceAll(/\bnetwork\./g, "api.network.") };
  }
  return {
    verdict: "invalid_record",
    message: `\`api.testEndpoint\` can't be requested: ${message}`,
    fix: `Correct \`api.testEndpoint\`: ${explainRefusal(source.api.testEndpoint ?? "", hint)}`,
  };
}

function explainRefusal(testEndpoint: string, hint: string): string {
  if (/^https?:\/\//i.test(testEndpoint)) {
    return 'write only the path below `api.baseUrl`, such as "/user", and check that `api.baseUrl` is on that host.';
  }
  if (testEndpoint.includes("#")) return "remove the `#` and what follows it.";
  return `write a path below \`api.baseUrl\`, such as "/user". ${hint}`;
}

/** A credential that no server can accept is told of without a request; undefined when it may be sent. */
export function diagnoseCertainFlaw({ source, credential, origin }: Subject): Finding | undefined {
  const flaw = findCredentialFlaws(source, credential).find(({ isCertain }) => isCertain);
  if (flaw === undefined) return undefined;
  return {
    verdict: "malformed_credentials",
    message: `The credential of ${source.name} was not sent: ${describeOrigin(source, origin)} ${flaw.what}.`,
    fix: tellFlawFix({ source, origin }, flaw),
  };
}

export function tellFlawFix(
  { source, origin }: Pick<Subject, "source" | "origin">,
  { fix }: CredentialFlaw,
): string {
  return `Correct ${describeOrigin(source, origin)}: ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`;
}
