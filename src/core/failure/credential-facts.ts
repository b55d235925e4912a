/** Where a credential comes from and how it is sent, in words, by the names that the table of causes uses. */

import type { ApiSource } from "../record/api-source.js";
import type { Facts } from "./cause.js";
import type { CredentialMaker, Subject } from "./facts.js";

type Owner = Pick<Subject, "source" | "credential">;

/** What to set, such as "SHOP_TOKEN or SHOP_API_KEY". */
function describeVariables({ source: { api }, credential: { variables } }: Owner): string {
  return variables.join(api.authType === "basic" ? " and " : " or ");
}

/** Where the credential was found, or would be. */
export function describeOrigin(owner: Owner): string {
  return owner.credential.foundIn ?? describeVariables(owner);
}

/** Names what made the credential, such as "`oauth2` of the record". */
export function describeMaker({ slug }: ApiSource, maker: CredentialMaker): string {
  return maker === "sign"
    ? `\`sign\` of the \`credentials\` option for "${slug}"`
    : `\`${maker}\` of the record`;
}

/** Such as "as `Authorization: Bearer <token>` (authType "bearer")"; undefined without authType. */
function describeCarrier({ api }: ApiSource): string | undefined {
  switch (api.authType) {
    case "bearer":
      return `as \`Authorization: ${api.authScheme === "" ? "" : `${api.authScheme} `}<token>\` (authType "bearer")`;
    case "header":
      return `as \`${api.headerName}: <key>\` (authType "header")`;
    case "query":
      return `as \`?${api.queryParam}=<key>\` (authType "query")`;
    case "basic":
      return 'as `Authorization: Basic <base64 of username:password>` (authType "basic")';
    default:
      return undefined;
  }
}

export function listCredentialFacts(owner: Owner): Facts {
  const { source, credential } = owner;
  const { authType } = source.api;
  const { madeBy, problem, expiry } = credential;
  const isGiven = madeBy === undefined;
  const yes = (isTrue: boolean): string | undefined => (isTrue ? "yes" : undefined);
  return {
    slug: () => source.slug,
    timeoutMs: () => String(source.api.limits.timeoutMs),
    authType: () => authType,
    variables: () => describeVariables(owner),
    origin: () => (isGiven && authType === undefined ? undefined : describeOrigin(owner)),
    carrier: () => describeCarrier(source),
    anonymous: () => yes(isGiven && authType === undefined),
    example: () => (authType === "basic" ? '{ username: "…", password: "…" }' : '{ token: "…" }'),
    credentialKind: () => (authType === "basic" ? "a username without a colon, and a password" : "one token"),
    pair: () => yes(authType === "basic" && credential.variables.length === 2),
    maker: () => madeBy,
    signer: () => yes(madeBy === "sign"),
    oauth2: () => yes(madeBy === "oauth2"),
    login: () => yes(madeBy === "login"),
    problem: () => problem?.what,
    problemFix: () => problem && `${problem.fix.charAt(0).toLowerCase()}${problem.fix.slice(1)}`,
    expiry: () => expiry,
    loginMeaning: () =>
      authType === undefined
        ? "the API requires a credential: set `api.authType` and put the credential into the environment."
        : `the credential in ${describeOrigin(owner)} was not accepted, or did not arrive: check it and \`api.authType\`.`,
  };
}
