/** Where secrets come from: what the application gave, else the environment. Asked anew on each call. */

import { ApiSourceError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import type { Credential } from "./credential.js";
import { listCredentialVariables, nameCredentialVariables } from "./credential-variables.js";
import { type ReadEnvironment, readProcessEnvironment } from "./environment.js";
import { nameErrorClass } from "./name-error-class.js";
import { parseCredential, type UsableCredential } from "./parse-credential.js";

/** Something with a life of its own that hands out credentials, such as a vault's client. */
export interface CredentialProvider {
  getCredential(source: ApiSource, context: CallContext): Promise<Credential | undefined>;
}

/** By tool name, a function, or a provider. What it has no entry for comes from the environment. */
export type CredentialsOption =
  | Readonly<Record<string, Credential>>
  | ((source: ApiSource, context: CallContext) => Promise<Credential | undefined> | Credential | undefined)
  | CredentialProvider;

/** Values for `"${NAME}"` by name, or a function. What it has no entry for comes from the environment. */
export type SecretsOption =
  | Readonly<Record<string, string>>
  | ((
      name: string,
      source: ApiSource,
      context: CallContext,
    ) => Promise<string | undefined> | string | undefined);

export interface CredentialResolverOptions {
  readonly credentials?: CredentialsOption | undefined;
  readonly secrets?: SecretsOption | undefined;
  /** @default the process environment */
  readonly readEnvironment?: ReadEnvironment | undefined;
}

export interface CredentialResolver {
  /**
   * The credential of a source for one call; undefined when the source has no authType.
   *
   * @throws ApiSourceError `not_configured`: code `missing_credentials` names the variables to set, code
   * `malformed_credentials` says why the one that was found can't be sent.
   */
  resolveCredential(source: ApiSource, context: CallContext): Promise<UsableCredential | undefined>;
  /** The value of a `"${NAME}"`; undefined when nobody has it. */
  resolveSecret(name: string, source: ApiSource, context: CallContext): Promise<Secret | undefined>;
  /** Whether the answers are the same for every call: given as data, or in the environment. */
  readonly isStatic: { readonly credentials: boolean; readonly secrets: boolean };
  /** The credentials and secrets that are known without a call: given as data, or in the environment. */
  listStaticSecrets(source: ApiSource, secretNames: readonly string[]): (Credential | string)[];
}

export function createCredentialResolver(options: CredentialResolverOptions = {}): CredentialResolver {
  const { credentials, secrets, readEnvironment = readProcessEnvironment } = options;
  const ownSecret = (name: string): string | undefined =>
    typeof secrets === "object" && Object.hasOwn(secrets, name) ? secrets[name] : undefined;

  return {
    isStatic: {
      credentials: typeof credentials !== "function" && !isProvider(credentials),
      secrets: typeof secrets !== "function",
    },

    async resolveCredential(source, context) {
      if (source.api.authType === undefined) return undefined;
      const given = await ask(() => askOption(credentials, source, context), source, "credentials");
      if (given !== undefined) return parseCredential(given, source, "the credentials option");
      const found = readCredential(source, readEnvironment);
      if (found === undefined) throw missingCredential(source);
      return parseCredential(found, source, nameCredentialVariables(source).join(" / "));
    },

    async resolveSecret(name, source, context) {
      const given =
        typeof secrets === "function"
          ? await ask(() => secrets(name, source, context), source, "secrets")
          : ownSecret(name);
      const value = given ?? readEnvironment(name);
      return value === undefined || value === "" ? undefined : new Secret(value);
    },

    listStaticSecrets(source, secretNames) {
      const credential = lookUp(credentials, source) ?? readCredential(source, readEnvironment);
      const values = secretNames.map((name) => ownSecret(name) ?? readEnvironment(name));
      return [credential, ...values].filter((value) => value !== undefined);
    },
  };
}

/** The application's own function may fail in any way; its message may hold anything, so it is not passed on. */
async function ask<T>(question: () => Promise<T> | T, source: ApiSource, option: string): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw new ApiSourceError({
      message: `The application's ${option} option failed for ${source.name} (${nameErrorClass(error)}).`,
      category: "not_configured",
      code: "credential_lookup_failed",
      hint: `The agent can't change this. Whoever runs the application must look at the function given as ${option}.`,
    });
  }
}

async function askOption(
  option: CredentialsOption | undefined,
  source: ApiSource,
  context: CallContext,
): Promise<Credential | undefined> {
  if (typeof option === "function") return (await option(source, context)) ?? undefined;
  if (isProvider(option)) return (await option.getCredential(source, context)) ?? undefined;
  return lookUp(option, source);
}

function lookUp(option: CredentialsOption | undefined, source: ApiSource): Credential | undefined {
  if (option === undefined || typeof option === "function" || isProvider(option)) return undefined;
  return Object.hasOwn(option, source.slug) ? option[source.slug] : undefined;
}

function isProvider(option: CredentialsOption | undefined): option is CredentialProvider {
  return (
    typeof option === "object" && "getCredential" in option && typeof option.getCredential === "function"
  );
}

function readCredential(source: ApiSource, readEnvironment: ReadEnvironment): Credential | undefined {
  if (source.api.authType === undefined) return undefined;
  const variables = listCredentialVariables(source);
  if (source.api.authType !== "basic") {
    const token = variables.token.map(readEnvironment).find((value) => value !== undefined && value !== "");
    return token === undefined ? undefined : { token };
  }
  if (variables.pair !== undefined) return splitPair(readEnvironment(variables.pair));
  const username = readEnvironment(variables.username ?? "");
  const password = readEnvironment(variables.password ?? "");
  // Either may be empty (some APIs take a key as the username and no password), but both must be set on purpose.
  if (username === undefined || password === undefined || username + password === "") return undefined;
  return { username, password };
}

function splitPair(pair: string | undefined): Credential | undefined {
  const colon = pair?.indexOf(":") ?? -1;
  if (pair === undefined || colon === -1) return undefined;
  return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function missingCredential(source: ApiSource): ApiSourceError {
  const names = nameCredentialVariables(source);
  const { authType } = source.api;
  const set =
    authType === "basic" && names.length === 2
      ? `${names[0]} and ${names[1]} (the password may be empty, but must be set)`
      : names.join(" or ");
  return new ApiSourceError({
    message: `No credential is configured for ${source.name} (authType "${authType}").`,
    category: "not_configured",
    code: "missing_credentials",
    hint: `The agent can't change this. Whoever runs the application must set ${set} in the environment, or give credentials: { "${source.slug}": … }.`,
  });
}
