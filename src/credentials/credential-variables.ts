/** Which environment variables hold a source's credential, and what they hold. */

import type { ApiSource, CredentialEnv } from "../source/api-source.js";
import { findSecretNames } from "../source/field-syntax.js";
import { listStrings } from "../source/read-values.js";
import type { Credential } from "./credential.js";
import type { ReadEnvironment } from "./environment.js";

/** A token is the first that is set; basic needs two variables, or one that holds `username:password`. */
type Variables =
  | { readonly kind: "token"; readonly names: readonly string[] }
  | { readonly kind: "basic"; readonly names: readonly [string, string] }
  | { readonly kind: "pair"; readonly names: readonly [string] };

/**
 * Names the variables of a source, in the order a person would set them: `credentialEnv` of the record, else NAME_TOKEN and
 * NAME_API_KEY, or NAME_USERNAME and NAME_PASSWORD for basic, where NAME is the tool's name in capitals (a hyphen as `_`, because
 * shells allow no hyphen in a variable's name).
 */
export function listCredentialVariables(source: ApiSource): readonly string[] {
  return findVariables(source).names;
}

/** A variable of the source's own: its tool's name in capitals, and what it holds. */
export function nameVariable({ slug }: ApiSource, suffix: string): string {
  return `${slug.toUpperCase().replaceAll("-", "_")}_${suffix}`;
}

/** The same in words: `SHOP_TOKEN or SHOP_API_KEY`, `SHOP_USERNAME and SHOP_PASSWORD`. */
export function describeCredentialVariables(source: ApiSource): string {
  const isPair = source.api.authType === "basic";
  return listCredentialVariables(source).join(isPair ? " and " : " or ");
}

/** The credential that stands in the environment; undefined when it is not there, or not whole. */
export function readCredential(source: ApiSource, read: ReadEnvironment): Credential | undefined {
  if (source.api.authType === undefined || isIssued(source)) return undefined;
  const { kind, names } = findVariables(source);
  const [first, second] = names.map(read);
  if (kind === "token") {
    const token = names.map(read).find((value) => value !== undefined && value !== "");
    return token === undefined ? undefined : { token };
  }
  if (kind === "pair") return splitPair(first);
  // Either may be empty (some APIs take a key as the username and no password), but both must be set on purpose.
  if (first === undefined || second === undefined || first + second === "") return undefined;
  return { username: first, password: second };
}

/** Whether its tokens are got from somewhere and expire: then none of its variables holds one. */
export function isIssued({ api: { oauth2, login } }: ApiSource): boolean {
  return oauth2 !== undefined || login !== undefined;
}

/** What a token is got with: the names in `oauth2` and `login`; none for other sources. */
export function listGrantVariables(source: ApiSource): string[] {
  const { oauth2, login } = source.api;
  const named = listStrings([oauth2, login]).flatMap(findSecretNames);
  const isGiven = oauth2?.grant === "refresh_token" && oauth2.refreshToken === undefined;
  return [...new Set([...named, ...(isGiven ? [nameVariable(source, "REFRESH_TOKEN")] : [])])];
}

function findVariables(source: ApiSource): Variables {
  const { slug, api } = source;
  const { authType, credentialEnv: env } = api;
  if (isIssued(source)) return { kind: "token", names: listGrantVariables(source) };
  const prefix = slug.toUpperCase().replaceAll("-", "_");
  if (authType !== "basic") {
    if (typeof env === "string") return { kind: "token", names: [env] };
    return { kind: "token", names: isList(env) ? env : [`${prefix}_TOKEN`, `${prefix}_API_KEY`] };
  }
  if (typeof env === "string") return { kind: "pair", names: [env] };
  const { username, password } = isList(env) ? { username: env[0], password: env[1] } : { ...env };
  return { kind: "basic", names: [username ?? `${prefix}_USERNAME`, password ?? `${prefix}_PASSWORD`] };
}

function isList(env: CredentialEnv | undefined): env is readonly string[] {
  return Array.isArray(env);
}

function splitPair(pair: string | undefined): Credential | undefined {
  const colon = pair?.indexOf(":") ?? -1;
  if (pair === undefined || colon === -1) return undefined;
  return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
