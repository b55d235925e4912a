/** Which values the `${NAME}` and `{name}` of a source need, and how they are filled for one call: each call asks anew, as each may be another user's. */

import { readFile } from "node:fs/promises";
import { notConfigured } from "../base/errors.js";
import { decodePercent } from "../base/text.js";
import { Secret } from "../secrets/secret.js";
import { type ApiSource, listPagingRules, type SourceNetwork } from "./api-source.js";
import { readBaseUrlParts, resolveBaseUrl, resolvePath } from "./base-url.js";
import {
  fillSecrets,
  findPlaceholderNames,
  findSecretNames,
  headerValuePattern,
  isProxyUrl,
} from "./field-syntax.js";

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

export type ResolvedSource = Awaited<ReturnType<typeof resolveSource>>;

/**
 * @throws ApiSourceError `not_configured`: code `unresolved_placeholder` for a `{name}` without a value,
 * `missing_secret` for a `${NAME}` without one, `malformed_placeholder` and `malformed_secret` for values that can't
 * are where they are used, `unreadable_file` for a PEM file. Messages name the variable and the field, never a value.
 */
export async function resolveSource(source: ApiSource, options: ResolveOptions) {
  const { api } = source;
  const { omitSecrets = false, omitTestEndpoint = false } = options;
  const testEndpoint = omitTestEndpoint ? undefined : api.testEndpoint;
  const isKept = ({ text }: Template): boolean =>
    !omitSecrets || findSecretNames(text).length === 0;
  const headers = listTemplates("api.headers", api.headers).filter(isKept);
  const query = listTemplates("api.query", api.query).filter(isKept);

  // A `${…}` in a username is text.
  const username = api.authType === "basic" ? options.username : undefined;
  const addresses = listTemplates("api", { baseUrl: api.baseUrl, testEndpoint });
  const [{ found, reveal, variables, readVariable }, { network, secrets }] = await Promise.all([
    createFiller(source, options.resolveSecret, [...headers, ...query], addresses, username),
    resolveNetwork(source, options.resolveSecret),
  ]);
  // By its network settings, or because the address is in the record itself.
  const mayBeLocal = (names: readonly string[]): boolean =>
    api.network.allowLocalAddresses ||
    names.every((name) => variables.get(name)?.includes("${") === false);
  const hidden =
    found.size === 0 ? [] : listSecretNames(source).flatMap((name) => found.get(name) ?? []);
  return {
    /** Absolute, without placeholders, query, fragment or user name. */
    baseUrl: resolveBaseUrl(api.baseUrl, readVariable, mayBeLocal),
    testEndpoint: testEndpoint && resolvePath(testEndpoint, "api.testEndpoint", readVariable),
    headers: fillConstants(headers, reveal),
    query: fillConstants(query, reveal),
    /** Every secret that was filled in anywhere, as it was given; not what only names the host. */
    secrets: [...hidden, ...secrets],
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

/**
 * Fills the `${NAME}` of a source's network settings and reads the files they name: from here on they are text.
 *
 * @returns also what has to be redacted: the variables, a private key in the record itself, and the password in a proxy's URL, as the URL
 * has it and as its author knows it.
 * @throws ApiSourceError `not_configured`: code `malformed_secret` when the proxy is not an http(s) URL, `unreadable_file` when a PEM
 * file can't be read.
 */
export async function resolveNetwork(
  source: ApiSource,
  resolveSecret: ResolveSecret,
): Promise<{ readonly network: SourceNetwork; readonly secrets: readonly Secret[] }> {
  const { network } = source.api;
  const { proxy, ca, cert, key } = network;
  const texts = listTemplates("api.network", { proxy, ca, cert, key });
  const { found, reveal, fill } = await createFiller(source, resolveSecret, texts);
  const read = async (field: string, text: string | undefined) =>
    text && readPem(field, fill(text));
  const resolved = {
    ...network,
    proxy: proxy && resolveProxy(proxy, reveal),
    ca: await read("ca", ca),
    cert: await read("cert", cert),
    key: await read("key", key),
  };
  const password = URL.canParse(resolved.proxy ?? "") ? new URL(resolved.proxy ?? "").password : "";
  const own = new Set(
    [password, decodePercent(password), resolved.key ?? ""].filter((text) => text !== ""),
  );
  return {
    network: resolved,
    secrets: [...found.values(), ...[...own].map((text) => new Secret(text))],
  };
}

/** A secret that is the whole proxy is a URL; one inside it is a part of the URL and percent-encoded. */
function resolveProxy(proxy: string, revealSecret: (name: string) => string): string {
  const resolved = fillSecrets(proxy, (name) =>
    proxy === `\${${name}}` ? revealSecret(name).trim() : encodeURIComponent(revealSecret(name)),
  );
  if (isProxyUrl(resolved)) return resolved;
  const names = findSecretNames(proxy).join(", ");
  throw notConfigured(
    "malformed_secret",
    `The value of ${names} doesn't make \`api.network.proxy\` an absolute http or https URL.`,
    `Set ${names} so that the proxy's address is a URL such as http://proxy.example.com:3128.`,
  );
}

/** Text that is not PEM is the path of a file; a relative one starts at the working directory. */
async function readPem(field: string, text: string): Promise<string> {
  if (text.includes("-----BEGIN")) return text;
  try {
    return await readFile(text, "utf8");
  } catch (error) {
    const { code = "unknown" }: { readonly code?: unknown } = Object(error);
    throw notConfigured(
      "unreadable_file",
      `The file of \`api.network.${field}\` can't be read (${String(code)}).`,
      "Write PEM text, or the path of a PEM file that this process may read.",
      { field: `api.network.${field}` },
    );
  }
}

/** A string of the record and its place. */
export type Template = ReturnType<typeof listTemplates>[number];

export type ResolveSecret = (name: string) => Promise<Secret | undefined>;

/** The strings of the object at `field`, without absent ones. */
export function listTemplates(field: string, texts: Readonly<Record<string, string | undefined>>) {
  return Object.entries(texts).flatMap(([name, text]) =>
    // The field is such as `api.headers.X-Tenant`, and its last part what a header or parameter is called.
    text === undefined ? [] : [{ name, field: `${field}.${name}`, text }],
  );
}

/**
 * Reads the secrets that the texts of a source need, and those of the variables in its addresses, for what fills them in.
 *
 * @param username - That of a basic credential: the value of `{username}`, in front of a variable of that name.
 * @throws ApiSourceError `not_configured`, as `readSecrets` and `findVariables` do.
 */
export async function createFiller(
  source: ApiSource,
  resolveSecret: ResolveSecret,
  texts: readonly Template[],
  addresses: readonly Template[] = [],
  username?: string,
) {
  const variables = findVariables(source, addresses, username);
  const named = listTemplates("api.variables", Object.fromEntries(variables));
  const found = await readSecrets(source.name, [...texts, ...named], resolveSecret);
  const reveal = (name: string): string => found.get(name)?.reveal() ?? "";
  const fill = (text: string): string => fillSecrets(text, reveal);
  const readVariable = (name: string): string =>
    name === "username" && username ? username : fill(variables.get(name) ?? "");
  return { found, reveal, fill, variables, readVariable };
}

/**
 * Asks for every `${NAME}` of the templates, each once and all at the same time.
 *
 * @returns the secrets by name.
 * @throws ApiSourceError `not_configured`, code `missing_secret`, that names every variable without a value (an empty
 * one has none) and the fields that need it. What `resolveSecret` throws is passed on.
 */
async function readSecrets(
  sourceName: string,
  templates: readonly Template[],
  resolveSecret: ResolveSecret,
): Promise<ReadonlyMap<string, Secret>> {
  const fields = new Map<string, Set<string>>();
  for (const { field, text } of templates) {
    for (const name of findSecretNames(text))
      fields.set(name, (fields.get(name) ?? new Set()).add(field));
  }
  const found = new Map<string, Secret>();
  await Promise.all(
    [...fields.keys()].map(async (name) => {
      const secret = await resolveSecret(name);
      if (secret !== undefined && secret.reveal() !== "") found.set(name, secret);
    }),
  );
  const missing = [...fields].filter(([name]) => !found.has(name));
  if (missing.length === 0) return found;
  const list = missing.map(([name, at]) => `${name} (for ${[...at].join(", ")})`).join(", ");
  const names = missing.map(([name]) => name);
  throw notConfigured(
    "missing_secret",
    `The source "${sourceName}" needs ${names.length === 1 ? "a variable that has" : "variables that have"} no value: ${list}.`,
    `Set ${names.join(" and ")} in the environment, or give the value in the \`secrets\` option, such as secrets: { ${names[0]}: "…" }.`,
    { missing: names },
  );
}

/**
 * The text of each `{name}` that the templates use, by name; others aren't looked at, nor their secrets asked for.
 *
 * @param username - That of a basic credential: the value of `{username}`, in front of a variable of that name, which is then not
 * among those that are returned.
 * @throws ApiSourceError `not_configured`, code `unresolved_placeholder`, that names every placeholder without a value.
 */
function findVariables(
  { name: sourceName, api }: ApiSource,
  templates: readonly Template[],
  username: string | undefined,
): ReadonlyMap<string, string> {
  const used = templates
    .flatMap(({ field, text }) => findPlaceholderNames(text).map((name) => ({ name, field })))
    .filter(({ name }) => !(name === "username" && username));
  // An empty string is not a value: it would leave a gap in the URL.
  const values = new Map(Object.entries(api.variables));
  const unresolved = used.filter(({ name }) => !values.get(name));
  if (unresolved.length === 0)
    return new Map(used.map(({ name }) => [name, values.get(name) ?? ""]));
  const names = [...new Set(unresolved.map(({ name }) => name))];
  const list = unresolved.map(({ name, field }) => `{${name}} in \`${field}\``).join(", ");
  throw notConfigured(
    "unresolved_placeholder",
    `The source "${sourceName}" has a placeholder without a value: ${list}.`,
    `Add "variables": { "${names[0]}": "…" } under \`api\`; "\${NAME}" as its value reads the variable NAME.`,
    { unresolved: names },
  );
}

/**
 * Every NAME whose value must never be seen, each once, whether a call uses it or not. A tenant's host name is not among them:
 * hidden, it would hide the API's own links with it. Nor is a client id: it is in the address where a person agrees
 * (RFC 6749, section 2.2: "not a secret").
 */
export function listSecretNames({ api }: ApiSource): string[] {
  const { headers, query, variables, network, oauth2, login } = api;
  const { host = "", rest = "" } = readBaseUrlParts(api.baseUrl) ?? {};
  const inHost = findPlaceholderNames(host);
  const elsewhere = findPlaceholderNames(`${rest} ${api.testEndpoint ?? ""}`);
  const hidden = Object.entries(variables).filter(
    ([name]) => !inHost.includes(name) || elsewhere.includes(name),
  );
  const { proxy, ca, cert, key } = network;
  const values = [
    { ...oauth2, clientId: "" },
    login,
    headers,
    query,
    hidden.map(([, text]) => text),
  ];
  return [...new Set(listStrings([...values, proxy, ca, cert, key]).flatMap(findSecretNames))];
}

/** Every NAME that a call of the source looks up: its secrets, and what names its host. */
export function listUsedNames(source: ApiSource): string[] {
  const inVariables = listStrings(source.api.variables).flatMap(findSecretNames);
  return [...new Set([...listSecretNames(source), ...inVariables])];
}

/** The JMESPaths of a record. */
export function listExpressions({ api }: ApiSource): Template[] {
  const { errorWhen, expiredWhen, paging } = api;
  const { tokenAt, expiresInSecondsAt } = api.login ?? {};
  const { status, location, result } = api.jobs ?? {};
  return [
    ...listTemplates("api", { errorWhen, expiredWhen }),
    ...listPagingRules(paging).flatMap(({ total, next }, index) =>
      listTemplates(Array.isArray(paging) ? `api.paging[${index}]` : "api.paging", { total, next }),
    ),
    ...listTemplates("api.login", { tokenAt, expiresInSecondsAt }),
    ...listTemplates("api.jobs", { status, location, result }),
  ];
}

/** Every string in plain data. Recursion is safe here: a record has a depth that is capped. */
export function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listStrings)
    : [];
}
