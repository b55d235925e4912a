/** Fills the `${NAME}` and `{name}` of `api.oauth2` and `api.login` for one call, and names the grant that they stand for. */

import { nameVariable } from "../credentials/credential-variables.js";
import type { CallContext } from "../runtime.js";
import { listBasicSecrets } from "../secrets/secret.js";
import type { ApiSource, LoginSettings, OAuth2Settings, SourceNetwork } from "../source/api-source.js";
import { readEndpointParts } from "../source/base-url.js";
import { fillSecrets } from "../source/field-syntax.js";
import { resolveBaseUrl, resolvePath } from "../source/fill-address.js";
import { findVariables, listStrings, readSecrets, type Template } from "../source/read-values.js";
import { listNetworkTemplates, resolveNetwork } from "../source/resolve-network.js";
import { type ResolvedSource, resolveSource } from "../source/resolve-source.js";
import type { OAuthRuntime } from "./oauth-runtime.js";
import type { TokenKey } from "./token-store.js";

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
  if (oauth2 !== undefined) return resolveOAuth2(source, oauth2, context, runtime);
  if (login !== undefined) return resolveLogin(source, login, context, runtime);
  throw new TypeError("The source has no grant.");
}

const urlFields = ["issuer", "tokenUrl", "authorizationUrl", "deviceAuthorizationUrl"] as const;

async function resolveOAuth2(
  source: ApiSource,
  given: OAuth2Settings,
  context: CallContext,
  runtime: OAuthRuntime,
): Promise<ResolvedOAuth2> {
  const firstToken = given.refreshToken ?? `\${${nameVariable(source, "REFRESH_TOKEN")}}`;
  const { refreshToken: _, ...others } = given;
  const settings: OAuth2Settings =
    given.grant === "refresh_token" ? { ...given, refreshToken: firstToken } : others;
  const addresses = urlFields.flatMap((name): Template[] => {
    const text = settings[name];
    return text === undefined ? [] : [{ field: `api.oauth2.${name}`, text: readEndpointParts(text).address }];
  });
  const { clientId, clientSecret, ...rest } = settings;
  const fill = await createFiller(source, context, runtime, { addresses, texts: settings });
  runtime.hide(listStrings(fill.tree({ clientSecret, refreshToken: settings.refreshToken })));
  const urls = urlFields.flatMap((name) => {
    const text = settings[name];
    if (text === undefined) return [];
    const { address, query } = readEndpointParts(text);
    // The values of its host stand in the record: they may name this machine.
    return [[name, `${resolveBaseUrl(address, fill.variable, () => true)}${query}`]];
  });
  const oauth2: OAuth2Settings = {
    ...fill.tree({ ...rest, clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }),
    ...Object.fromEntries(urls),
  };
  const key = nameGrant(source, context, runtime, listIdentity(oauth2));
  return { kind: "oauth2", source, oauth2, key, findNetwork: () => findNetwork(source, context, runtime) };
}

async function findNetwork(
  source: ApiSource,
  context: CallContext,
  runtime: OAuthRuntime,
): Promise<SourceNetwork> {
  const { network } = source.api;
  const found = await readSecrets(source.name, listNetworkTemplates(network), (name) =>
    runtime.resolveSecret(name, source, context),
  );
  const resolved = await resolveNetwork(network, (name) => found.get(name)?.reveal() ?? "");
  runtime.hide(resolved.secrets.map((secret) => secret.reveal()));
  return resolved.network;
}

/** A person's grant outlives a new client secret; what the secret alone gets does not. */
function listIdentity(oauth2: OAuth2Settings): unknown[] {
  const { grant, tokenUrl, issuer, clientId, clientSecret, refreshToken } = oauth2;
  const client = [grant, tokenUrl, issuer, clientId];
  if (grant === "refresh_token") return [...client, refreshToken];
  if (grant !== "client_credentials") return client;
  return [...client, clientSecret, oauth2.scopes, oauth2.audience, oauth2.tokenParameters];
}

async function resolveLogin(
  source: ApiSource,
  given: LoginSettings,
  context: CallContext,
  runtime: OAuthRuntime,
): Promise<ResolvedLogin> {
  const addresses: Template[] = [{ field: "api.login.path", text: given.path }];
  const fill = await createFiller(source, context, runtime, { addresses, texts: given });
  const resolved = await resolveSource(source, {
    resolveSecret: (name) => runtime.resolveSecret(name, source, context),
    omitTestEndpoint: true,
  });
  const login = { ...fill.tree(given), path: resolvePath(given.path, "api.login.path", fill.variable) };
  runtime.hide(fill.secrets);
  if (login.basic !== undefined) {
    const { username, password } = login.basic;
    runtime.hide(listBasicSecrets(username, password).map((secret) => secret.reveal()));
  }
  runtime.hide(resolved.secrets.map((secret) => secret.reveal()));
  const identity = [resolved.baseUrl, resolved.headers, resolved.query, login];
  return { kind: "login", source, login, resolved, key: nameGrant(source, context, runtime, identity) };
}

function nameGrant(
  source: ApiSource,
  context: CallContext,
  runtime: OAuthRuntime,
  identity: readonly unknown[],
): TokenKey {
  const name = runtime.fingerprint(source, JSON.stringify(identity));
  return { source: source.slug, user: runtime.userOf(context), name };
}

interface Filler {
  /** The same data with every `${NAME}` in its strings filled. Recursion is safe here: a record has a depth that is capped. */
  tree<Value>(value: Value): Value;
  variable(name: string): string;
  readonly secrets: readonly string[];
}

async function createFiller(
  source: ApiSource,
  context: CallContext,
  runtime: OAuthRuntime,
  {
    addresses,
    texts,
  }: { readonly addresses: readonly Template[]; readonly texts: OAuth2Settings | LoginSettings },
): Promise<Filler> {
  const field = "grant" in texts ? "api.oauth2" : "api.login";
  const variables = findVariables(source, addresses, undefined);
  const templates = [
    ...Object.entries(texts).flatMap(([name, value]) =>
      listStrings(value).map((text) => ({ field: `${field}.${name}`, text })),
    ),
    ...[...variables].map(([name, text]) => ({ field: `api.variables.${name}`, text })),
  ];
  const found = await readSecrets(source.name, templates, (name) =>
    runtime.resolveSecret(name, source, context),
  );
  const fill = (text: string): string => fillSecrets(text, (name) => found.get(name)?.reveal() ?? "");
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return fill(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
  };
  return {
    tree: <Value>(value: Value) => walk(value) as Value,
    variable: (name) => fill(variables.get(name) ?? ""),
    secrets: [...found.values()].map((secret) => secret.reveal()),
  };
}
