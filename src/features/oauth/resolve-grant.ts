/** Fills the `${NAME}` and `{name}` of `api.oauth2` and `api.login` for one call, and names the grant that they identify. */

import type { CallContext, Clock, Logger, Random, Sleep } from "../../core/base/runtime.js";
import { nameVariable } from "../../core/credentials/credential-variables.js";
import type { TransportOption } from "../../core/http/own-transport.js";
import type {
  ApiSource,
  LoginSettings,
  OAuth2Settings,
  SourceNetwork,
} from "../../core/record/api-source.js";
import { readEndpointParts, resolveBaseUrl, resolvePath } from "../../core/record/base-url.js";
import { fillSecrets } from "../../core/record/field-syntax.js";
import {
  findVariables,
  listStrings,
  listTemplates,
  type ResolvedSource,
  readSecrets,
  resolveNetwork,
  resolveSource,
  type Template,
} from "../../core/record/resolve-source.js";
import type { Redactor } from "../../core/secrets/redactor.js";
import { listBasicSecrets, type Secret } from "../../core/secrets/secret.js";
import type { TokenKey, TokenStore } from "./token-store.js";

/** What the room needs of the client it works for. */
export interface OAuthRuntime {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly logger: Logger;
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
   * Whose tokens a call uses; `""` where the application knows no users.
   *
   * @throws ApiSourceError `not_configured` when the application names no user.
   */
  userOf(context: CallContext): string;
}

export interface ResolvedOAuth2 {
  readonly kind: "oauth2";
  readonly source: ApiSource;
  readonly key: TokenKey;
  /** Without placeholders. */
  readonly oauth2: OAuth2Settings;
  /** How the source is reached; it is read when something is sent. */
  findNetwork(): Promise<SourceNetwork>;
}

export interface ResolvedLogin {
  readonly kind: "login";
  readonly source: ApiSource;
  readonly key: TokenKey;
  /** Without placeholders. */
  readonly login: LoginSettings;
  readonly resolved: ResolvedSource;
}

export type ResolvedGrant = ResolvedOAuth2 | ResolvedLogin;

interface Asked {
  readonly source: ApiSource;
  readonly context: CallContext;
  readonly runtime: OAuthRuntime;
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
  const asked = { source, context, runtime };
  if (oauth2 !== undefined) return resolveOAuth2(asked, oauth2);
  if (login !== undefined) return resolveLogin(asked, login);
  throw new TypeError("The source has no grant.");
}

async function resolveOAuth2(asked: Asked, given: OAuth2Settings): Promise<ResolvedOAuth2> {
  const { source, runtime } = asked;
  const { refreshToken = `\${${nameVariable(source, "REFRESH_TOKEN")}}`, ...others } = given;
  const settings: OAuth2Settings = given.grant === "refresh_token" ? { ...others, refreshToken } : others;
  const { issuer, tokenUrl, authorizationUrl, deviceAuthorizationUrl, clientSecret } = settings;
  const endpoints = { issuer, tokenUrl, authorizationUrl, deviceAuthorizationUrl };
  const urls = listTemplates("api.oauth2", endpoints).map((url) => ({
    ...url,
    ...readEndpointParts(url.text),
  }));
  const addresses = urls.map((url) => ({ ...url, text: url.address }));
  const fill = await createFiller(asked, addresses, settings);
  runtime.hide(listStrings(fill.tree({ clientSecret, refreshToken: settings.refreshToken })));
  const filled = urls.map(({ name, address, query }) => {
    // The values of its host are in the record: they may name this machine.
    return [name, `${resolveBaseUrl(address, fill.variable, () => true)}${query}`];
  });
  const oauth2: OAuth2Settings = { ...fill.tree(settings), ...Object.fromEntries(filled) };
  const key = nameGrant(asked, listIdentity(oauth2));
  return { kind: "oauth2", source, oauth2, key, findNetwork: () => findNetwork(asked) };
}

async function findNetwork({ source, context, runtime }: Asked): Promise<SourceNetwork> {
  const { network, secrets } = await resolveNetwork(source, (name) =>
    runtime.resolveSecret(name, source, context),
  );
  runtime.hide(secrets.map((secret) => secret.reveal()));
  return network;
}

/** A person's grant outlives a new client secret; what the secret alone gets does not. */
function listIdentity(oauth2: OAuth2Settings): unknown[] {
  const { grant, tokenUrl, issuer, clientId, clientSecret, refreshToken } = oauth2;
  const client = [grant, tokenUrl, issuer, clientId];
  if (grant === "refresh_token") return [...client, refreshToken];
  if (grant !== "client_credentials") return client;
  return [...client, clientSecret, oauth2.scopes, oauth2.audience, oauth2.resource, oauth2.tokenParameters];
}

async function resolveLogin(asked: Asked, given: LoginSettings): Promise<ResolvedLogin> {
  const { source, context, runtime } = asked;
  const fill = await createFiller(asked, listTemplates("api.login", { path: given.path }), given);
  const resolved = await resolveSource(source, {
    resolveSecret: (name) => runtime.resolveSecret(name, source, context),
    omitTestEndpoint: true,
  });
  const login = { ...fill.tree(given), path: resolvePath(given.path, "api.login.path", fill.variable) };
  const { username, password } = login.basic ?? { username: "", password: "" };
  const secrets = [...fill.secrets, ...listBasicSecrets(username, password), ...resolved.secrets];
  runtime.hide(secrets.map((secret) => secret.reveal()));
  const identity = [resolved.baseUrl, resolved.headers, resolved.query, login];
  return { kind: "login", source, login, resolved, key: nameGrant(asked, identity) };
}

function nameGrant({ source, context, runtime }: Asked, identity: readonly unknown[]): TokenKey {
  const name = runtime.fingerprint(source, JSON.stringify(identity));
  return { source: source.slug, user: runtime.userOf(context), name };
}

/** Reads the secrets that addresses and settings name, for what fills them in. */
async function createFiller(
  { source, context, runtime }: Asked,
  addresses: readonly Template[],
  texts: OAuth2Settings | LoginSettings,
) {
  const field = "grant" in texts ? "api.oauth2" : "api.login";
  const variables = findVariables(source, addresses, undefined);
  const templates = [
    ...Object.entries(texts).flatMap(([name, value]) =>
      listStrings(value).map((text) => ({ name, field: `${field}.${name}`, text })),
    ),
    ...listTemplates("api.variables", Object.fromEntries(variables)),
  ];
  const found = await readSecrets(source.name, templates, (name) =>
    runtime.resolveSecret(name, source, context),
  );
  const fill = (text: string): string => fillSecrets(text, (name) => found.get(name)?.reveal() ?? "");
  // Recursion is safe here: a record has a depth that is capped.
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return fill(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
  };
  return {
    /** The same data with every `${NAME}` in its strings filled. */
    tree: <Value>(value: Value) => walk(value) as Value,
    variable: (name: string) => fill(variables.get(name) ?? ""),
    secrets: [...found.values()],
  };
}
