/** Fills a source's `${NAME}` and `{name}` for one call: each call asks anew, as each may be another user's. */

import { ApiSourceError } from "../errors.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSettings, ApiSource, SourceNetwork } from "./api-source.js";
import { headerValuePattern } from "./header-rules.js";
import { listSecretNames } from "./list-secret-names.js";
import { fillSecrets, findSecretNames } from "./placeholders.js";
import { type ResolveSecret, readSecrets, type Template } from "./read-secrets.js";
import { resolveBaseUrl } from "./resolve-base-url.js";
import { listNetworkTemplates, resolveNetwork } from "./resolve-network.js";
import { fillPath } from "./resolve-path.js";
import { createVariableReader, listUsedVariables, type VariableScope } from "./resolve-variables.js";

export interface ResolveOptions {
  /** The value of a `${NAME}`; undefined or an empty one when it has none. */
  readonly resolveSecret: ResolveSecret;
  /** The username of a basic credential, for `{username}`. */
  readonly username?: string;
  /**
   * Whether headers and query parameters with a `${…}` are left out altogether, for a request that shows whether the
   * API answers anyone. Variables are filled all the same. @default false
   */
  readonly omitSecrets?: boolean;
  /** Whether `testEndpoint` is left out, so that a placeholder in it can't fail a call that doesn't use it. @default false */
  readonly omitTestEndpoint?: boolean;
}

export interface ResolvedSource {
  /** Absolute, without placeholders, query, fragment or user name. */
  readonly baseUrl: string;
  readonly testEndpoint?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Every secret that was filled in anywhere, as it was given; not what only names the host. */
  readonly secrets: readonly Secret[];
  /** The headers whose value holds a secret, as the record spells them. */
  readonly secretHeaders: readonly string[];
  /** The query parameters whose value holds a secret. */
  readonly secretQuery: readonly string[];
  readonly network: SourceNetwork;
}

/**
 * @throws ApiSourceError `not_configured`: code `unresolved_placeholder` for a `{name}` without a value,
 * `missing_secret` for a `${NAME}` without one, `malformed_placeholder` and `malformed_secret` for values that can't
 * stand where they are used. Messages name the variable and the field, never a value.
 */
export async function resolveSource(source: ApiSource, options: ResolveOptions): Promise<ResolvedSource> {
  const { api } = source;
  if (!holdsPlaceholder(source, options))
    return { ...plainParts(source, options), secrets: [], secretHeaders: [], secretQuery: [] };
  const headers = pickConstants(api.headers, "api.headers", options);
  const query = pickConstants(api.query, "api.query", options);
  const scope = toScope(source, options);
  const templates = [...headers, ...query, ...listUsedVariables(scope), ...listNetworkTemplates(api.network)];
  const found = await readSecrets(source.name, templates, options.resolveSecret);
  const reveal = (name: string): string => found.get(name)?.reveal() ?? "";

  const readVariable = createVariableReader(scope, reveal);
  const network = await resolveNetwork(api.network, reveal);
  const secretNames = new Set(listSecretNames(source));
  const secrets = [...found].filter(([name]) => secretNames.has(name)).map(([, secret]) => secret);
  const testEndpoint = options.omitTestEndpoint ? undefined : api.testEndpoint;
  return {
    baseUrl: resolveBaseUrl(api.baseUrl, readVariable, (names) => mayBeLocal(api, names)),
    ...(testEndpoint === undefined
      ? {}
      : { testEndpoint: fillPath(testEndpoint, "api.testEndpoint", readVariable) }),
    headers: fillConstants(headers, (constant) => fillHeader(constant, reveal)),
    query: fillConstants(query, (constant) => fillParameter(constant, reveal)),
    secrets: [...secrets, ...network.secrets],
    secretHeaders: listSecretHolders(headers),
    secretQuery: listSecretHolders(query),
    network: network.network,
  };
}

/** By its network settings, or because the address stands in the record itself. */
function mayBeLocal({ network, variables }: ApiSettings, names: readonly string[]): boolean {
  return network.allowLocalAddresses || names.every((name) => variables[name]?.includes("${") === false);
}

/** Most sources hold none: their calls need not look for them one by one. */
function holdsPlaceholder({ api }: ApiSource, { omitTestEndpoint = false }: ResolveOptions): boolean {
  const { proxy, ca, cert, key } = api.network;
  if ([proxy, ca, cert, key].some((text) => text !== undefined)) return true;
  const texts = [api.baseUrl, ...Object.values(api.headers), ...Object.values(api.query)];
  if (!omitTestEndpoint && api.testEndpoint !== undefined) texts.push(api.testEndpoint);
  return texts.some((text) => text.includes("{"));
}

function plainParts(
  { api }: ApiSource,
  { omitTestEndpoint = false }: ResolveOptions,
): Pick<ResolvedSource, "baseUrl" | "testEndpoint" | "headers" | "query" | "network"> {
  const { testEndpoint, headers, query, network } = api;
  return {
    baseUrl: resolveBaseUrl(api.baseUrl, () => ""),
    ...(testEndpoint === undefined || omitTestEndpoint ? {} : { testEndpoint }),
    headers,
    query,
    network,
  };
}

interface Constant extends Template {
  readonly name: string;
}

function toScope(source: ApiSource, { username, omitTestEndpoint = false }: ResolveOptions): VariableScope {
  const { baseUrl, testEndpoint, authType } = source.api;
  return {
    source,
    username: authType === "basic" ? username : undefined,
    templates: [
      { field: "api.baseUrl", text: baseUrl },
      ...(testEndpoint === undefined || omitTestEndpoint
        ? []
        : [{ field: "api.testEndpoint", text: testEndpoint }]),
    ],
  };
}

function pickConstants(
  constants: Readonly<Record<string, string>>,
  field: string,
  { omitSecrets = false }: ResolveOptions,
): Constant[] {
  return Object.entries(constants)
    .filter(([, text]) => !omitSecrets || findSecretNames(text).length === 0)
    .map(([name, text]) => ({ name, field: `${field}.${name}`, text }));
}

function fillConstants(
  constants: readonly Constant[],
  fill: (constant: Constant) => string,
): Record<string, string> {
  return Object.fromEntries(constants.map((constant) => [constant.name, fill(constant)]));
}

function listSecretHolders(constants: readonly Constant[]): string[] {
  return constants.filter(({ text }) => findSecretNames(text).length > 0).map(({ name }) => name);
}

function fillHeader({ field, text }: Constant, reveal: (name: string) => string): string {
  return fillSecrets(text, (name) => {
    const value = reveal(name);
    if (headerValuePattern.test(value)) return value;
    throw refuseSecret(
      name,
      field,
      "a header takes no line break, control character or character outside Latin-1",
    );
  });
}

function fillParameter({ field, text }: Constant, reveal: (name: string) => string): string {
  return fillSecrets(text, (name) => {
    const value = reveal(name);
    if (!/\p{Cs}/u.test(value)) return value;
    throw refuseSecret(name, field, "it holds half a character (a lone surrogate), which no URL can carry");
  });
}

function refuseSecret(name: string, field: string, why: string): ApiSourceError {
  return new ApiSourceError({
    message: `The value of ${name} can't be sent in \`${field}\`: ${why}.`,
    category: "not_configured",
    code: "malformed_secret",
    details: { variable: name, field },
    hint: `Set ${name} anew; a line break or a quotation mark is often copied along with the value.`,
  });
}
