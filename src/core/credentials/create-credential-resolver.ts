/** Where secrets come from: what the application gave, else the environment. Asked anew on each call. */

import type { Application } from "../base/application.js";
import { type ApiSourceError, notConfigured } from "../base/errors.js";
import { type CallContext, type Clock, systemClock } from "../base/runtime.js";
import type { ApiSource } from "../record/api-source.js";
import { Secret } from "../secrets/secret.js";
import {
  type Credential,
  type GivenCredential,
  isSigner,
  isTokenProvider,
  parseCredential,
  type RequestSigner,
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

import { createLivingCredentials, type LivingCredentials } from "./living-credentials.js";
import {
  createProviderResolver,
  fromOption,
  lookupFailed,
  nameCredentials,
  type ResolveProvided,
} from "./token-providers.js";

type MaybePromise<Value> = Promise<Value> | Value;

/** Something that hands out the credentials of all sources, such as a vault's client. */
export interface CredentialProvider {
  /** Gives the credential of a source for a call; undefined: that of the environment. */
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
  /** Tells when a credential with a time to live is over. @default the system's */
  readonly clock?: Clock;
  /** Calls the functions among the options. */
  readonly application: Pick<Application, "ask">;
  /** Names whom the values belong to that functions give for a call; undefined where that is not known. @default not known */
  readonly nameOwner?: (context: CallContext) => string | undefined;
}

export interface CredentialResolver {
  /** Whether the answers are the same for every call: given as data, or in the environment. */
  readonly isStatic: { readonly credentials: boolean; readonly secrets: boolean };
  /**
   * The credential of a source for one call; undefined when the source has no authType. One of a `TokenProvider` has `renew`.
   *
   * @throws ApiSourceError `not_configured`: code `missing_credentials` names the variables to set, code
   * `malformed_credentials` explains why the one that was found can't be sent.
   */
  resolveCredential(source: ApiSource, context: CallContext): Promise<UsableCredential | undefined>;
  /** The value of a `"${NAME}"`; undefined when it is not set. */
  resolveSecret(name: string, source: ApiSource, context: CallContext): Promise<Secret | undefined>;
  /** Names whom the values belong to that functions give for a call; undefined where that is not known. */
  nameOwner(context: CallContext): string | undefined;
  /** The credentials and secrets that are known without a call: given as data, or in the environment. */
  listStaticSecrets(source: ApiSource, secretNames: readonly string[]): (Credential | string)[];
}

/** Where the values of all sources come from. */
interface Origins
  extends Omit<CredentialResolverOptions, "credentials" | "readEnvironment" | "nameOwner">,
    Pick<CredentialResolver, "nameOwner"> {
  readonly credentials: CredentialsOption;
  /** The entries of `credentials`, where it is an object of them. */
  readonly given: Readonly<Record<string, GivenCredential>> | undefined;
  readonly readEnvironment: ReadEnvironment;
  readonly resolveProvided: ResolveProvided;
  readonly living: LivingCredentials<GivenCredential>;
}

export function createCredentialResolver(options: CredentialResolverOptions): CredentialResolver {
  const { credentials = {}, secrets, readEnvironment = readProcessEnvironment } = options;
  const given =
    isProvider(credentials) || typeof credentials === "function" ? undefined : credentials;
  const resolveProvided = createProviderResolver(options);
  const living = createLivingCredentials<GivenCredential>(options.clock ?? systemClock);
  const nameOwner = options.nameOwner ?? (() => undefined);
  const asking = { readEnvironment, resolveProvided, living, nameOwner };
  const origins: Origins = { ...options, ...asking, credentials, given };
  return {
    isStatic: {
      credentials: given !== undefined && !Object.values(given).some(isFunctions),
      secrets: typeof secrets !== "function",
    },
    resolveCredential: (source, context) => resolveCredential(origins, source, context),
    nameOwner,
    resolveSecret: (name, source, context) => resolveSecret(origins, name, source, context),
    listStaticSecrets(source, secretNames) {
      const own = readOwn(given, source.slug) ?? readCredential(source, readEnvironment);
      const record = typeof secrets === "function" ? undefined : secrets;
      const values = secretNames.map((name) => readOwn(record, name) ?? readEnvironment(name));
      const data = own === undefined || isFunctions(own) ? undefined : own;
      return [data, ...values].filter((value) => value !== undefined);
    },
  };
}

async function resolveCredential(
  origins: Origins,
  source: ApiSource,
  context: CallContext,
): Promise<UsableCredential | undefined> {
  const { given, issue, readEnvironment } = origins;
  // A source whose requests are signed needs no authType.
  if (source.api.authType === undefined && !isSigner(readOwn(given, source.slug))) return undefined;
  const entry = findGiven(origins, source, context);
  const found = (entry instanceof Promise ? await entry : entry) ?? undefined;
  if (found !== undefined) return toUsable(origins, source, context, found);
  if (issue !== undefined && isIssued(source)) return issue(source, context);
  const set = readCredential(source, readEnvironment);
  if (set === undefined) throw refuseMissing(source, readEnvironment);
  return parseCredential(set, source, listCredentialVariables(source).join(" / "));
}

/** The given credential, with the ways to have another that its kind allows. */
async function toUsable(
  origins: Origins,
  source: ApiSource,
  context: CallContext,
  found: GivenCredential,
): Promise<UsableCredential> {
  if (origins.given !== undefined && !isFunctions(found))
    return parseCredential(found, source, fromOption);
  const owner = origins.nameOwner(context);
  if (isTokenProvider(found)) return origins.resolveProvided(found, source, { context, owner });
  if (isSigner(found)) {
    const signing = {
      what: "The application's `sign` of the credential",
      source: source.slug,
      code: "signing_failed",
    };
    const sign = (request: RequestToSign): Promise<unknown> =>
      origins.application.ask(signing, () => found.sign(request, context));
    return { kind: "signer", sign, owner };
  }
  const parsed = { ...parseCredential(found, source, fromOption), owner };
  if (parsed.kind !== "token" || !hasTimeToLive(found)) return parsed;
  // After a 401 the function is asked again, whatever time its token has left.
  const renew = async (): Promise<UsableCredential | undefined> => {
    origins.living.drop(source, context);
    return resolveCredential(origins, source, context);
  };
  return { ...parsed, ...findEnd(found, origins), renew };
}

/** Whether a credential is asked for on each call. */
function isFunctions(given: GivenCredential): given is TokenProvider | RequestSigner {
  return isTokenProvider(given) || isSigner(given);
}

/** The entry of the option `credentials` for a source. One that a function gave with `expiresAt` is used until it is over. */
function findGiven(
  origins: Origins,
  source: ApiSource,
  context: CallContext,
): GivenCredential | undefined | Promise<GivenCredential | undefined> {
  const { credentials, given } = origins;
  if (isProvider(credentials) || typeof credentials === "function")
    return askForCredential(origins, credentials, source, context);
  return readOwn(given, source.slug);
}

async function askForCredential(
  { application, living }: Origins,
  credentials: Exclude<CredentialsOption, Readonly<Record<string, GivenCredential>>>,
  source: ApiSource,
  context: CallContext,
): Promise<GivenCredential | undefined> {
  const known = living.find(source, context);
  if (known !== undefined) return known;
  const found = await application.ask(nameCredentials(source), () =>
    isProvider(credentials)
      ? credentials.getCredential(source, context)
      : credentials(source, context),
  );
  if (found !== undefined && hasTimeToLive(found)) living.note(source, context, found);
  return found;
}

function hasTimeToLive(
  given: GivenCredential,
): given is Extract<GivenCredential, { readonly expiresAt?: unknown }> {
  return typeof given === "object" && given !== null && "expiresAt" in given;
}

/** One that is over when it is given is used all the same: asking again would give the same. */
function findEnd(
  given: { readonly expiresAt?: unknown },
  { clock = systemClock }: Pick<Origins, "clock">,
): { readonly expiresAtMs?: number } {
  const expiresAtMs = Number(given.expiresAt);
  return expiresAtMs > clock.now() ? { expiresAtMs } : {};
}

async function resolveSecret(
  { secrets, readEnvironment, application }: Origins,
  name: string,
  source: ApiSource,
  context: CallContext,
): Promise<Secret | undefined> {
  const asked = {
    what: "The application's secrets option",
    source: source.slug,
    code: lookupFailed,
  };
  const found =
    typeof secrets === "function"
      ? await application.ask(asked, async () => checkText(await secrets(name, source, context)))
      : readOwn(secrets, name);
  const value = found ?? readEnvironment(name);
  return value === undefined || value === "" ? undefined : new Secret(value);
}

/** @throws TypeError for what a function gave in place of a text */
function checkText(value: unknown): string | undefined {
  const found = value ?? undefined;
  if (found === undefined || typeof found === "string") return found;
  throw new TypeError("It returned neither a string nor undefined.");
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

function describeValue(value: string | undefined): string {
  if (value === undefined) return "not set";
  return value === "" ? "empty" : "set";
}

function refuseMissing(source: ApiSource, readEnvironment: ReadEnvironment): ApiSourceError {
  const { authType } = source.api;
  const names = listCredentialVariables(source);
  const states = names.map((name) => `${name} is ${describeValue(readEnvironment(name))}`);
  const isBasic = authType === "basic";
  const empty =
    isBasic && names.length === 2 ? " (the password may be empty, but must be set)" : "";
  return notConfigured(
    "missing_credentials",
    `No credential is configured for ${source.name} (authType "${authType}"): ${states.join(", ")}.`,
    `The agent can't change this. The application needs ${names.join(isBasic ? " and " : " or ")}${empty} in the environment or a .env file that was loaded, or the option credentials: { "${source.slug}": … }.`,
  );
}
