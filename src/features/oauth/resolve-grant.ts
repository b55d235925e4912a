/** Fills the `${NAME}` and `{name}` of `api.oauth2` and `api.login` for one call, and names the grant that they identify. */

import type { CallContext, Host } from "../../core/base/runtime.js";
import { nameVariable } from "../../core/credentials/credential-variables.js";
import type { TransportOption } from "../../core/http/own-transport.js";
import type {
  ApiSource,
  LoginSettings,
  OAuth2Settings,
  SourceNetwork,
} from "../../core/record/api-source.js";
import { readEndpointParts, resolveBaseUrl, resolvePath } from "../../core/record/base-url.js";
import { createFiller, type ResolveSecret } from "../../core/record/create-filler.js";
import { listStrings } from "../../core/record/list-strings.js";
import { resolveNetwork } from "../../core/record/resolve-network.js";
import { type ResolvedSource, resolveSource } from "../../core/record/resolve-source.js";
import { listTemplates, type Template } from "../../core/record/templates.js";
import type { Redactor } from "../../core/secrets/redactor.js";
import { listBasicSecrets, type Secret } from "../../core/secrets/secret.js";
import { listClientSecrets } from "./client-secret.js";
import type { TokenKey, TokenStore } from "./token-store.js";

/** The parts of the client that the room needs. */
export interface OAuthRuntime
  extends Pick<Host, "clock" | "stopwatch" | "sleep" | "random" | "logger" | "application"> {
  /** Answers requests in place of the network. */
  readonly transport?: TransportOption | undefined;
  /** Knows every secret so far. */
  redactor(): Redactor;
  /** Has these texts redacted from now on, wherever they occur. */
  hide(texts: readonly (string | undefined)[]): void;
  resolveSecret(name: string, source: ApiSource, context: CallContext): Promise<Secret | undefined>;
  /** A name for a text that doesn't give it away, the same in every process. */
  fingerprint(source: ApiSource, text: string): string;
  storeOf(context: CallContext): TokenStore;
  /**
   * The user whose tokens a call uses; `""` where the application knows no users.
   *
   * @param isPersons - Whether a person gives the grant.
   * @throws ApiSourceError `not_configured` when the application names no user.
   */
  userOf(context: CallContext, isPersons: boolean): string;
}

/** A grant of OAuth 2.0 whose settings have no placeholder any more. */
export interface ResolvedOAuth2 {
  readonly kind: "oauth2";
  readonly source: ApiSource;
  readonly oauth2: OAuth2Settings;
  readonly key: TokenKey;
  /** How the source is reached; it is read when something is sent. */
  readonly findNetwork: () => Promise<SourceNetwork>;
}

/** A login whose settings have no placeholder any more. */
export interface ResolvedLogin {
  readonly kind: "login";
  readonly source: ApiSource;
  readonly login: LoginSettings;
  readonly resolved: ResolvedSource;
  readonly key: TokenKey;
}

export type ResolvedGrant = ResolvedOAuth2 | ResolvedLogin;

interface Asked {
  readonly source: ApiSource;
  readonly runtime: OAuthRuntime;
  readonly user: string;
  readonly resolveSecret: ResolveSecret;
}

/**
 * Two users, or two secrets, never have one key: it names the user and, by a fingerprint, whatever decides which token is given.
 *
 * @throws ApiSourceError `not_configured` when a variable has no value.
 */
export async function resolveGrant(
  source: ApiSource,
  context: CallContext,
  runtime: OAuthRuntime,
): Promise<ResolvedGrant> {
  const { oauth2, login } = source.api;
  const resolveSecret = (name: string) => runtime.resolveSecret(name, source, context);
  const isPersons = oauth2?.grant === "authorization_code" || oauth2?.grant === "device_code";
  const asked = { source, runtime, user: runtime.userOf(context, isPersons), resolveSecret };
  if (oauth2 !== undefined) return resolveOAuth2(asked, oauth2);
  if (login !== undefined) return resolveLogin(asked, login);
  throw new TypeError("The source has no grant.");
}

async function resolveOAuth2(asked: Asked, given: OAuth2Settings): Promise<ResolvedOAuth2> {
  const { source, runtime, resolveSecret } = asked;
  const { refreshToken = `\${${nameVariable(source, "REFRESH_TOKEN")}}`, ...others } = given;
  const settings: OAuth2Settings =
    given.grant === "refresh_token" ? { ...others, refreshToken } : others;
  const { issuer, tokenUrl, authorizationUrl, deviceAuthorizationUrl } = settings;
  const urls = listTemplates("api.oauth2", {
    issuer,
    tokenUrl,
    authorizationUrl,
    deviceAuthorizationUrl,
  });
  const texts = listTexts("api.oauth2", settings);
  const {
    fill,
    readVariable,
    secrets: filled,
  } = await createFiller(source, {
    resolveSecret,
    texts,
    addresses: urls,
  });
  const endpoints = urls.map(({ name, text }) => {
    const { address, query } = readEndpointParts(text);
    // The values of its host are in the record: they may name this machine.
    return [name, `${resolveBaseUrl(address, readVariable, () => true)}${query}`];
  });
  const oauth2: OAuth2Settings = { ...fillTree(settings, fill), ...Object.fromEntries(endpoints) };
  const secrets = [...filled, ...listClientSecrets(oauth2)].map((secret) => secret.reveal());
  runtime.hide([...secrets, oauth2.clientSecret, oauth2.refreshToken]);
  const findNetwork = async (): Promise<SourceNetwork> => {
    const { network, secrets } = await resolveNetwork(source, resolveSecret);
    runtime.hide(secrets.map((secret) => secret.reveal()));
    return network;
  };
  const key = nameGrant(asked, listIdentity(oauth2));
  return { kind: "oauth2", source, oauth2, key, findNetwork };
}

/** A person's grant outlives a new client secret; what the secret alone gets does not. */
function listIdentity(oauth2: OAuth2Settings): unknown[] {
  const { grant, tokenUrl, issuer, clientId, clientSecret, refreshToken } = oauth2;
  const client = [grant, tokenUrl, issuer, clientId];
  if (grant === "refresh_token") return [...client, refreshToken];
  if (grant !== "client_credentials") return client;
  return [
    ...client,
    clientSecret,
    oauth2.scopes,
    oauth2.audience,
    oauth2.resource,
    oauth2.tokenParameters,
  ];
}

async function resolveLogin(asked: Asked, given: LoginSettings): Promise<ResolvedLogin> {
  const { source, runtime, resolveSecret } = asked;
  const path = listTemplates("api.login", { path: given.path });
  const texts = listTexts("api.login", given);
  const {
    fill,
    readVariable,
    secrets: filled,
  } = await createFiller(source, {
    resolveSecret,
    texts,
    addresses: path,
  });
  const resolved = await resolveSource(source, { resolveSecret, omitTestEndpoint: true });
  const login = {
    ...fillTree(given, fill),
    path: resolvePath(given.path, "api.login.path", readVariable),
  };
  const { username, password } = login.basic ?? { username: "", password: "" };
  const secrets = [...filled, ...listBasicSecrets(username, password), ...resolved.secrets];
  runtime.hide(secrets.map((secret) => secret.reveal()));
  const identity = [resolved.baseUrl, resolved.headers, resolved.query, login];
  return { kind: "login", source, login, resolved, key: nameGrant(asked, identity) };
}

function nameGrant({ source, user, runtime }: Asked, identity: readonly unknown[]): TokenKey {
  return { source: source.slug, user, name: runtime.fingerprint(source, JSON.stringify(identity)) };
}

/** Every string of the settings, at all depths, by the member that it is in. */
function listTexts(field: string, settings: OAuth2Settings | LoginSettings): Template[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    listStrings(value).map((text) => ({ name, field: `${field}.${name}`, text })),
  );
}

/** The same data with its strings filled: a record is plain JSON. */
function fillTree<Settings>(settings: Settings, fill: (text: string) => string): Settings {
  return JSON.parse(JSON.stringify(settings), (_name, value: unknown) =>
    typeof value === "string" ? fill(value) : value,
  );
}
