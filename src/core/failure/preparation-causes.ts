/** The last part of the table of causes: a request that could not be made, by the code of the error, else by its category. Only a person reads it. */

import type { CauseTable } from "./cause.js";

const own = { message: "{message}", fix: "{hint}" } as const;
const late = {
  message: "{message}",
  fix: "Correct the function given as `credentials` or `secrets`: it must return a value or undefined, sooner than `api.limits.timeoutMs` ({timeoutMs} ms). Without it, set {variables}.",
} as const;
export const preparationCauses: CauseTable = {
  credential_missing: {
    verdict: "missing_credentials",
    when: { code: /^missing_credentials$/ },
    message: "{message}",
    fix: 'Set {variables} in the environment[pair? (the password may be empty, but must be set)], or give it as credentials: { "{slug}": {example} }.',
  },
  secret_missing: { ...own, verdict: "missing_credentials", when: { code: /^missing_secret$/ } },
  lookup_failed: {
    ...late,
    verdict: "missing_credentials",
    when: { code: /^credential_lookup_failed$/ },
  },
  credential_malformed: {
    verdict: "malformed_credentials",
    when: { code: /^malformed_credentials$/ },
    message: "{message}",
    fix: 'Correct {variables}, or what the `credentials` option gives for "{slug}": one line, exactly as the API shows it, without quotes; authType "{authType}" takes {credentialKind}.',
  },
  secret_malformed: {
    ...own,
    verdict: "malformed_credentials",
    when: { code: /^malformed_secret$/ },
  },
  placeholder_open: {
    ...own,
    verdict: "unresolved_placeholder",
    when: { code: /^(?:unresolved|malformed)_placeholder$/ },
  },
  address_local: {
    verdict: "unreachable",
    when: { code: /^ERR_LOCAL_ADDRESS$/ },
    message: "{message}",
    fix: "If the API really runs there, set `api.network.allowLocalAddresses` to true; otherwise check the base URL and the DNS entry.",
  },
  lookup_late: { ...late, verdict: "timeout", when: { code: /^timeout$/ } },
  own_limit: { ...own, verdict: "rate_limited", when: { code: /^rate_limited$/ } },
  record_wrong: { ...own, verdict: "invalid_record", when: { code: /^not_configured$/ } },
  endpoint_wrong: {
    verdict: "invalid_record",
    message: "`api.testEndpoint` can't be requested: {message}",
    fix: 'Correct `api.testEndpoint`: write a path below `api.baseUrl`, such as "/user". {hint}',
  },
};
