/** Says in words how a source carries its credential and where that comes from, for the hint of a refusal. */

import type { ApiSource, CredentialEnv } from "../source/api-source.js";

/** How the credential goes on the wire, such as "`Authorization: Bearer …` (authType bearer)"; undefined without authType. */
export function describeCredential(source: ApiSource): string | undefined {
  const { authType, authScheme, headerName, queryParam } = source.api;
  switch (authType) {
    case "bearer":
      return `the header Authorization: ${authScheme === "" ? "" : `${authScheme} `}<token> (authType bearer)`;
    case "header":
      return `the header ${headerName ?? "of the record's headerName"} (authType header)`;
    case "query":
      return `the query parameter ${queryParam ?? "of the record's queryParam"} (authType query)`;
    case "basic":
      return "username and password as Authorization: Basic (authType basic)";
    default:
      return undefined;
  }
}

/** The environment variables the credential is read from, such as "GITHUB_TOKEN or GITHUB_API_KEY". */
export function describeCredentialEnv(source: ApiSource): string {
  const { authType, credentialEnv } = source.api;
  if (credentialEnv !== undefined) return namesOf(credentialEnv, authType === "basic");
  const name = source.slug.toUpperCase().replace(/[^A-Z0-9]/g, "_");
  return authType === "basic" ? `${name}_USERNAME and ${name}_PASSWORD` : `${name}_TOKEN or ${name}_API_KEY`;
}

function namesOf(env: CredentialEnv, isPair: boolean): string {
  if (typeof env === "string") return env;
  if (isList(env)) return env.join(isPair ? " and " : " or ");
  return [env.username, env.password].filter((name) => name !== undefined).join(" and ");
}

function isList(env: Exclude<CredentialEnv, string>): env is readonly string[] {
  return Array.isArray(env);
}
