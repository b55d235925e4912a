/** Where secrets come from: what the application gave, else the environment. Asked anew on each call. */

import { type ApiSourceError, describeErrorClass, notConfigured } from "../base/errors.js";
import type { CallContext } from "../base/runtime.js";
import type { ApiSource } from "../record/api-source.js";
import { Secret } from "../secrets/secret.js";
import {
  type Credential,
  type GivenCredential,
  isSigner,
  isTokenProvider,
  parseCredential,
  type RequestToSign,
  type TokenProvider,
  type UsableCredential,
} from "./credential.js";
import {
  isIssued,
  listCredentialVariables,
  type ReadEnvironment,
  readCredential,
  readProcessEnvironment,
} from "./credential-variables.js";

type MaybePromise<Value> = Promise<Value> | Value;

/** Something that hands out the credentials of all sources, such as a vault's client. */
export interface CredentialProvider {
  getCredential(source: ApiSource, context: CallContext): Promise<GivenCredential | undefined>;
}

/** By tool name, a function, or a provider. What it has no entry for comes from the environment. */
export type CredentialsOption =
  | Readonly<Record<string, GivenCredential>>
  | ((source: ApiSource, context: CallContext) => MaybePromise<GivenCredential | undefined>)
  | CredentialProvider;

/** Values for `"${NAME}"` by name, or a function. What it has no entry for comes from the environment. */
export type SecretsOption =
  | Readonly<Record<string, string>>
  | ((name: string, source: ApiSource, context: CallContext) => MaybePromise<string | undefined>);

export interface CredentialResolverOptions {
  readonly credentials?: CredentialsOption;
  readonly secrets?: SecretsOption;
  /** @default the process environment */
  readonly readEnvironment?: ReadEnvironment;
  /** Gets the token of a source with `oauth2` or `login`. */
  readonly issue?: (source: ApiSource, context: CallContext) => Promise<UsableCredential>;
  /** Receives what an option of the application threw, for its log: the answer must not show it. */
  readonly onFailure?: (error: unknown, source: ApiSource, option: string) => void;
}

const fromOption = "the credentials option";

export type CredentialResolver = ReturnType<typeof createCredentialResolver>;

export function createCredentialResolver(options: CredentialResolverOptions = {}) {
  const { credentials = {}, secrets, readEnvironment = readProcessEnvironment } = options;
  const ask = createAsk(options.onFailure);
  const resolveProvided = createProviderResolver(ask);
  const given =
    isProvider(credentials) || typeof credentials === "function" ? undefined : credentials;
  const find = (
    source: ApiSource,
    context: CallContext,
  ): MaybePromise<GivenCredential | undefined> => {
    if (isProvider(credentials)) return credentials.getCredential(source, context);
    return typeof credentials === "function"
      ? credentials(source, context)
      : readOwn(given, source.slug);
  };

  return {
    /** Whether the answers are the same for every call: given as data, or in the environment. */
    isStatic: {
      credentials:
        given !== undefined &&
        !Object.values(given).some((each) => isTokenProvider(each) || isSigner(each)),
      secrets: typeof secrets !== "function",
    },

    /**
     * The credential of a source for one call; undefined when the source has no authType. One of a `TokenProvider` has `renew`.
     *
     * @throws ApiSourceError `not_configured`: code `missing_credentials` names the variables to set, code
     * `malformed_credentials` explains why the one that was found can't be sent.
     */
    async resolveCredential(
      source: ApiSource,
      context: CallContext,
    ): Promise<UsableCredential | undefined> {
      // A source whose requests are signed needs no authType.
      if (source.api.authType === undefined && !isSigner(readOwn(given, source.slug)))
        return undefined;
      const found = (await ask(() => find(source, context), source, "credentials")) ?? undefined;
      if (isTokenProvider(found)) return resolveProvided(found, source, context);
      if (isSigner(found)) {
        const sign = async (request: RequestToSign) =>
          ask(
            () => found.sign(request, context),
            source,
            "credentials",
            "`sign` of the credential",
          );
        return { kind: "signer", sign };
      }
      if (found !== undefined) return parseCredential(found, source, fromOption);
      if (options.issue !== undefined && isIssued(source)) return options.issue(source, context);
      const set = readCredential(source, readEnvironment);
      if (set === undefined) throw refuseMissing(source, readEnvironment);
      return parseCredential(set, source, listCredentialVariables(source).join(" / "));
    },

    /** The value of a `"${NAME}"`; undefined when it is not set. */
    async resolveSecret(
      name: string,
      source: ApiSource,
      context: CallContext,
    ): Promise<Secret | undefined> {
      const found =
        typeof secrets === "function"
          ? await ask(() => secrets(name, source, context), source, "secrets")
          : readOwn(secrets, name);
      const value = found ?? readEnvironment(name);
      return value === undefined || value === "" ? undefined : new Secret(value);
    },

    /** The credentials and secrets that are known without a call: given as data, or in the environment. */
    listStaticSecrets(source: ApiSource, secretNames: readonly string[]): (Credential | string)[] {
      const own = readOwn(given, source.slug) ?? readCredential(source, readEnvironment);
      const record = typeof secrets === "function" ? undefined : secrets;
      const values = secretNames.map((name) => readOwn(record, name) ?? readEnvironment(name));
      const isFunction = isTokenProvider(own) || isSigner(own);
      return [isFunction ? undefined : own, ...values].filter((value) => value !== undefined);
    },
  };
}

function isProvider(option: CredentialsOption): option is CredentialProvider {
  return "getCredential" in option && typeof option.getCredential === "function";
}

/** Nothing inherited: a tool may be called `constructor`. */
function readOwn<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Calls that received a 401 for one token share one renewal. A provider that has another token already is not called about the old one: a
 * call before has renewed it. `onUnauthorized` gets no signal, because a caller that leaves must not stop it for the others.
 */
function createProviderResolver(ask: Ask) {
  const renewals = new Map<string, Promise<unknown>>();

  return async function resolveProvided(
    provider: TokenProvider,
    source: ApiSource,
    context: CallContext,
  ): Promise<UsableCredential> {
    const { signal: _, ...lasting } = context;
    const askToken = async () => {
      const token = await ask(() => provider.token(context), source, "credentials");
      return parseCredential({ token }, source, fromOption);
    };
    const credential = await askToken();
    if (credential.kind !== "token") return credential;
    const { token } = credential;
    const key = JSON.stringify([source.slug, token]);

    const renew = async (): Promise<UsableCredential | undefined> => {
      const current = await askToken();
      if (current.kind === "token" && current.token !== token) return current;
      if (provider.onUnauthorized === undefined) return undefined;
      let renewal = renewals.get(key);
      if (renewal === undefined) {
        renewal = ask(async () => provider.onUnauthorized?.(lasting), source, "credentials");
        renewals.set(key, renewal);
        renewal = renewal.finally(() => renewals.delete(key));
      }
      await renewal;
      return askToken();
    };
    return { ...credential, renew };
  };
}

type Ask = ReturnType<typeof createAsk>;

/** The application's own function may fail in any way; its message may hold anything, so it is not passed on. */
function createAsk(onFailure: CredentialResolverOptions["onFailure"]) {
  /** @param part - The part of the option that is asked. @default the option itself */
  return async <T>(
    question: () => MaybePromise<T>,
    source: ApiSource,
    option: string,
    part?: string,
  ): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      onFailure?.(error, source, option);
      throw notConfigured(
        part === undefined ? "credential_lookup_failed" : "signing_failed",
        `The application's ${part ?? `${option} option`} failed for ${source.name} (${describeErrorClass(error)}).`,
        `The agent can't change this. The application's log has the error of the function given as ${option}.`,
      );
    }
  };
}

function refuseMissing(source: ApiSource, readEnvironment: ReadEnvironment): ApiSourceError {
  const { authType } = source.api;
  const names = listCredentialVariables(source);
  const states = names.map((name) => {
    const value = readEnvironment(name);
    return `${name} is ${value === undefined ? "not set" : value === "" ? "empty" : "set"}`;
  });
  const isBasic = authType === "basic";
  const empty =
    isBasic && names.length === 2 ? " (the password may be empty, but must be set)" : "";
  return notConfigured(
    "missing_credentials",
    `No credential is configured for ${source.name} (authType "${authType}"): ${states.join(", ")}.`,
    `The agent can't change this. The application needs ${names.join(isBasic ? " and " : " or ")}${empty} in the environment or a .env file that was loaded, or the option credentials: { "${source.slug}": … }.`,
  );
}
