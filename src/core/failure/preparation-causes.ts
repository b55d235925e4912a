/** The last part of the table of causes: a request that could not be made, by the code of the error, else by its category. Only a person reads it. */

import type { CauseRow } from "./cause.js";

const own = { message: "{message}", fix: "{hint}" } as const;
const wanted =
  'Set {variables} in the environment[pair? (the password may be empty, but must be set)], or give it as credentials: { "{slug}": ';
const late = {
  message: "{message}",
  fix: "Correct the function given as `credentials` or `secrets`: it must return a value or undefined, sooner than `api.limits.timeoutMs` ({timeoutMs} ms). Without it, set {variables}.",
} as const;
const malformed =
  'Correct {variables}, or what the `credentials` option gives for "{slug}": one line, exactly as the API shows it, without quotes; authType "{authType}" takes ';

export const preparationCauses: readonly CauseRow[] = [
  {
    name: "pair_missing",
    verdict: "missing_credentials",
    when: { code: /^missing_credentials$/, known: ["basic"] },
    message: "{message}",
    fix: `${wanted}{ username: "…", password: "…" } }.`,
  },
  {
    name: "credential_missing",
    verdict: "missing_credentials",
    when: { code: /^missing_credentials$/ },
    message: "{message}",
    fix: `${wanted}{ token: "…" } }.`,
  },
  { name: "secret_missing", ...own, verdict: "missing_credentials", when: { code: /^missing_secret$/ } },
  {
    name: "lookup_failed",
    ...late,
    verdict: "missing_credentials",
    when: { code: /^credential_lookup_failed$/ },
  },
  {
    name: "pair_malformed",
    verdict: "malformed_credentials",
    when: { code: /^malformed_credentials$/, known: ["basic"] },
    message: "{message}",
    fix: `${malformed}a username without a colon, and a password.`,
  },
  {
    name: "credential_malformed",
    verdict: "malformed_credentials",
    when: { code: /^malformed_credentials$/ },
    message: "{message}",
    fix: `${malformed}one token.`,
  },
  {
    name: "secret_malformed",
    ...own,
    verdict: "malformed_credentials",
    when: { code: /^malformed_secret$/ },
  },
  {
    name: "placeholder_open",
    ...own,
    verdict: "unresolved_placeholder",
    when: { code: /^(?:unresolved|malformed)_placeholder$/ },
  },
  {
    name: "address_local",
    verdict: "unreachable",
    when: { code: /^ERR_LOCAL_ADDRESS$/ },
    message: "{message}",
    fix: "If the API really runs there, set `api.network.allowLocalAddresses` to true; otherwise check the base URL and the DNS entry.",
  },
  { name: "lookup_late", ...late, verdict: "timeout", when: { code: /^timeout$/ } },
  { name: "own_limit", ...own, verdict: "rate_limited", when: { code: /^rate_limited$/ } },
  { name: "record_wrong", ...own, verdict: "invalid_record", when: { code: /^not_configured$/ } },
  {
    name: "endpoint_wrong",
    verdict: "invalid_record",
    message: "`api.testEndpoint` can't be requested: {message}",
    fix: 'Correct `api.testEndpoint`: write a path below `api.baseUrl`, such as "/user". {hint}',
  },
];
