/** A source for one call: its address, constants and network, with every gap filled. */

import { notConfigured } from "../base/errors.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource, SourceNetwork } from "./api-source.js";
import { resolveBaseUrl, resolvePath } from "./base-url.js";
import { createFiller, type ResolveSecret } from "./create-filler.js";
import { fillSecrets, findSecretNames, headerValuePattern } from "./field-syntax.js";
import { resolveNetwork } from "./resolve-network.js";
import { listTemplates, type Template } from "./templates.js";

export interface ResolveOptions {
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
  readonly testEndpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Every secret that was filled in anywhere, as it was given; not what only names the host. */
  readonly secrets: readonly Secret[];
  readonly network: SourceNetwork;
}

/**
 * @throws ApiSourceError `not_configured`: code `unresolved_placeholder` for a `{name}` without a value,
 * `missing_secret` for a `${NAME}` without one, `malformed_placeholder` and `malformed_secret` for values that can't
 * are where they are used, `unreadable_file` for a PEM file. Messages name the variable and the field, never a value.
 */
export async function resolveSource(
  source: ApiSource,
  options: ResolveOptions,
): Promise<ResolvedSource> {
  const { api } = source;
  const { resolveSecret, omitSecrets = false, omitTestEndpoint = false } = options;
  const testEndpoint = omitTestEndpoint ? undefined : api.testEndpoint;
  const isKept = ({ text }: Template): boolean =>
    !omitSecrets || findSecretNames(text).length === 0;
  const headers = listTemplates("api.headers", api.headers).filter(isKept);
  const query = listTemplates("api.query", api.query).filter(isKept);

  // A `${…}` in a username is text.
  const username = api.authType === "basic" ? options.username : undefined;
  const addresses = listTemplates("api", { baseUrl: api.baseUrl, testEndpoint });
  const [filler, { network, secrets }] = await Promise.all([
    createFiller(source, { resolveSecret, texts: [...headers, ...query], addresses, username }),
    resolveNetwork(source, resolveSecret),
  ]);
  const { reveal, variables, readVariable } = filler;
  // By its network settings, or because the address is in the record itself.
  const mayBeLocal = (names: readonly string[]): boolean =>
    api.network.allowLocalAddresses ||
    names.every((name) => variables.get(name)?.includes("${") === false);
  return {
    baseUrl: resolveBaseUrl(api.baseUrl, readVariable, mayBeLocal),
    testEndpoint: testEndpoint && resolvePath(testEndpoint, "api.testEndpoint", readVariable),
    headers: fillConstants(headers, reveal),
    query: fillConstants(query, reveal),
    secrets: [...filler.secrets, ...secrets],
    network,
  };
}

/** @throws ApiSourceError `not_configured`, code `malformed_secret`, for a value that can't be sent there. */
function fillConstants(
  constants: readonly Template[],
  reveal: (name: string) => string,
): Record<string, string> {
  const fill = ({ text, field }: Template): string =>
    fillSecrets(text, (name) => {
      const value = reveal(name);
      if (field.startsWith("api.query.") ? value.isWellFormed() : headerValuePattern.test(value))
        return value;
      throw notConfigured(
        "malformed_secret",
        `The value of ${name} can't be sent in \`${field}\`: it holds a line break or another character that is not allowed there.`,
        `Set ${name} again; a line break or a quotation mark is often copied along with the value.`,
        { variable: name, field },
      );
    });
  return Object.fromEntries(constants.map((constant) => [constant.name, fill(constant)]));
}
