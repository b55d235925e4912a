/** Fills a source's `${NAME}` and `{name}` for one call: each call asks anew, as each may be another user's. */

import { ApiSourceError } from "../errors.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource, SourceNetwork } from "./api-source.js";
import { fillSecrets, findSecretNames, headerValuePattern } from "./field-syntax.js";
import { resolveBaseUrl, resolvePath } from "./fill-address.js";
import {
  findVariables,
  listSecretNames,
  type ResolveSecret,
  readSecrets,
  type Template,
} from "./read-values.js";
import { listNetworkTemplates, resolveNetwork } from "./resolve-network.js";

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
  const { omitSecrets = false, omitTestEndpoint = false } = options;
  const testEndpoint = omitTestEndpoint ? undefined : api.testEndpoint;
  const headers = listConstants(api.headers, "api.headers", omitSecrets);
  const query = listConstants(api.query, "api.query", omitSecrets);

  const username = api.authType === "basic" ? options.username : undefined;
  const variables = findVariables(source, listAddresses(api.baseUrl, testEndpoint), username);
  const variableTemplates = [...variables]
    .filter(([name]) => !isUsername(name, username))
    .map(([name, text]) => ({ field: `api.variables.${name}`, text }));
  const templates = [...headers, ...query, ...variableTemplates, ...listNetworkTemplates(api.network)];
  const found = await readSecrets(source.name, templates, options.resolveSecret);

  const reveal = (name: string): string => found.get(name)?.reveal() ?? "";
  const readVariable = (name: string): string => {
    const text = variables.get(name) ?? "";
    return isUsername(name, username) ? text : fillSecrets(text, reveal);
  };
  // By its network settings, or because the address stands in the record itself.
  const mayBeLocal = (names: readonly string[]): boolean =>
    api.network.allowLocalAddresses || names.every((name) => api.variables[name]?.includes("${") === false);
  const network = await resolveNetwork(api.network, reveal);
  const hidden = new Set(listSecretNames(source));
  return {
    baseUrl: resolveBaseUrl(api.baseUrl, readVariable, mayBeLocal),
    ...(testEndpoint === undefined
      ? {}
      : { testEndpoint: resolvePath(testEndpoint, "api.testEndpoint", readVariable) }),
    headers: fillConstants(headers, reveal, findHeaderFlaw),
    query: fillConstants(query, reveal, findParameterFlaw),
    secrets: [
      ...[...found].filter(([name]) => hidden.has(name)).map(([, secret]) => secret),
      ...network.secrets,
    ],
    secretHeaders: listSecretHolders(headers),
    secretQuery: listSecretHolders(query),
    network: network.network,
  };
}

function isUsername(name: string, username: string | undefined): boolean {
  return name === "username" && Boolean(username);
}

function listAddresses(baseUrl: string, testEndpoint: string | undefined): Template[] {
  const base = { field: "api.baseUrl", text: baseUrl };
  return testEndpoint === undefined ? [base] : [base, { field: "api.testEndpoint", text: testEndpoint }];
}

/** A header or query parameter that the record sends with every request. */
interface Constant extends Template {
  readonly name: string;
}

function listConstants(
  constants: Readonly<Record<string, string>>,
  field: string,
  omitSecrets: boolean,
): Constant[] {
  return Object.entries(constants)
    .filter(([, text]) => !omitSecrets || findSecretNames(text).length === 0)
    .map(([name, text]) => ({ name, field: `${field}.${name}`, text }));
}

function listSecretHolders(constants: readonly Constant[]): string[] {
  return constants.filter(({ text }) => findSecretNames(text).length > 0).map(({ name }) => name);
}

/** `findFlaw` says why a secret's value can't be sent there. */
function fillConstants(
  constants: readonly Constant[],
  reveal: (name: string) => string,
  findFlaw: (value: string) => string | undefined,
): Record<string, string> {
  const fill = ({ text, field }: Constant): string =>
    fillSecrets(text, (name) => {
      const value = reveal(name);
      const why = findFlaw(value);
      if (why === undefined) return value;
      throw refuseSecret(name, field, why);
    });
  return Object.fromEntries(constants.map((constant) => [constant.name, fill(constant)]));
}

function findHeaderFlaw(value: string): string | undefined {
  if (headerValuePattern.test(value)) return undefined;
  return "a header takes no line break, control character or character outside Latin-1";
}

function findParameterFlaw(value: string): string | undefined {
  return value.isWellFormed() ? undefined : "it holds a lone surrogate, which no URL can carry";
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
