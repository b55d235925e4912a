/** The process environment, which is read here alone and only when a call or a toolkit asks; which of its variables hold a source's credential. */

import { config } from "dotenv";
import { ApiSourceError } from "../base/errors.js";
import type { ApiSource, CredentialEnv } from "../record/api-source.js";
import { findSecretNames } from "../record/field-syntax.js";
import type { RecordOf } from "../record/judged-record.js";
import { listStrings } from "../record/list-strings.js";
import { parseSource } from "../record/parse-source.js";
import { listUsedNames } from "../record/used-names.js";
import type { Credential } from "./credential.js";

/** Reads one variable by name; undefined when it is not set. */
export type ReadEnvironment = (name: string) => string | undefined;

export const readProcessEnvironment: ReadEnvironment = (name) => process.env[name];

/**
 * Loads `NAME=value` lines of a `.env` file into the process environment. A variable that is set already keeps
 * its value. The library never does this by itself: an application calls it, once, before it makes a toolkit.
 *
 * @param path - The file. Default: `.env` in the working directory, if there is one.
 * @returns The names the file defines, without their values; none when no file was named and `.env` is missing.
 * @throws ApiSourceError `not_configured` when the file can't be read, or a named one is not there.
 *
 * @example
 * loadEnvFile(); // ["GITHUB_TOKEN"]
 */
export function loadEnvFile(path?: string): string[] {
  const { parsed, error } = config({ path: path ?? ".env", quiet: true });
  if (error === undefined) return Object.keys(parsed ?? {});
  const code = "code" in error ? String(error.code) : "";
  // In production the variables often come from elsewhere.
  if (path === undefined && code === "ENOENT") return [];
  throw new ApiSourceError({
    message: `The environment file ${path ?? ".env"} could not be read${code === "" ? "" : ` (${code})`}.`,
    category: "not_configured",
    hint: "Create the file (see .env.example) or pass loadEnvFile the path of the one you have.",
  });
}

/**
 * Names the variables of a source, in the order a person would set them: `credentialEnv` of the record, else NAME_TOKEN and
 * NAME_API_KEY, or NAME_USERNAME and NAME_PASSWORD for basic, where NAME is the tool's name in capitals (a hyphen as `_`, because
 * shells allow no hyphen in a variable's name). A token is the first that is set; basic needs both, or one that holds
 * `username:password`.
 */
export function listCredentialVariables(source: ApiSource): readonly string[] {
  const { authType, credentialEnv: env } = source.api;
  if (isIssued(source)) return listGrantVariables(source);
  if (typeof env === "string") return [env];
  if (authType !== "basic") {
    return isList(env) ? env : [nameVariable(source, "TOKEN"), nameVariable(source, "API_KEY")];
  }
  const { username, password } = isList(env) ? { username: env[0], password: env[1] } : { ...env };
  return [
    username ?? nameVariable(source, "USERNAME"),
    password ?? nameVariable(source, "PASSWORD"),
  ];
}

/**
 * Names the environment variables that a source needs: of each credential the first name that is looked for, then those that the
 * record names.
 *
 * @param record - A record, or a source that was made of one.
 * @throws SourceRecordError when the record is wrong.
 * @example
 * listVariables({ slug: "shop", api: { baseUrl: "https://shop.example/v1", authType: "bearer" } }); // ["SHOP_TOKEN"]
 */
export function listVariables<const Given extends object>(record: RecordOf<Given>): string[] {
  const source = parseSource(record);
  const { authType } = source.api;
  const names = authType === undefined ? [] : listCredentialVariables(source);
  const own = authType === "basic" || isIssued(source) ? names : names.slice(0, 1);
  return [...new Set([...own, ...listUsedNames(source)])];
}

/**
 * Names the variables that a command line takes the credential from: `listCredentialVariables`, but for a token that is issued one
 * variable that nothing reads. What a token is requested with (a client secret, a password) must never be sent to the API in its place.
 */
export function listSentVariables(source: ApiSource): readonly string[] {
  if (!isIssued(source)) return listCredentialVariables(source);
  const read = new Set([...listGrantVariables(source), ...listUsedNames(source)]);
  const names = ["ACCESS_TOKEN", "ISSUED_TOKEN"].map((suffix) => nameVariable(source, suffix));
  return [names.find((name) => !read.has(name)) ?? nameVariable(source, "TOKEN_OF_ITS_OWN")];
}

/** A variable of the source's own: its tool's name in capitals, and what it holds. */
export function nameVariable({ slug }: Pick<ApiSource, "slug">, suffix: string): string {
  return `${slug.toUpperCase().replaceAll("-", "_")}_${suffix}`;
}

/** The credential in the environment; undefined when it is not there, or not whole. */
export function readCredential(source: ApiSource, read: ReadEnvironment): Credential | undefined {
  if (source.api.authType === undefined || isIssued(source)) return undefined;
  const names = listCredentialVariables(source);
  const values = names.map(read);
  if (source.api.authType !== "basic") {
    const token = values.find((value) => value !== undefined && value !== "");
    return token === undefined ? undefined : { token };
  }
  const [first, second] = values;
  if (names.length === 1) return splitPair(first);
  // Either may be empty (some APIs take a key as the username and no password), but both must be set on purpose.
  if (first === undefined || second === undefined || first + second === "") return undefined;
  return { username: first, password: second };
}

/** Whether its tokens are obtained from somewhere and expire: then its variables hold no token. */
export function isIssued({ api: { oauth2, login } }: ApiSource): boolean {
  return oauth2 !== undefined || login !== undefined;
}

/** Lists the variables that a token is obtained with: the names in `oauth2` and `login`; none for other sources. */
export function listGrantVariables(source: ApiSource): string[] {
  const { oauth2, login } = source.api;
  const named = listStrings([oauth2, login]).flatMap(findSecretNames);
  const isGiven = oauth2?.grant === "refresh_token" && oauth2.refreshToken === undefined;
  return [...new Set([...named, ...(isGiven ? [nameVariable(source, "REFRESH_TOKEN")] : [])])];
}

function isList(env: CredentialEnv | undefined): env is readonly string[] {
  return Array.isArray(env);
}

function splitPair(pair = ""): Credential | undefined {
  const colon = pair.indexOf(":");
  return colon === -1
    ? undefined
    : { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
