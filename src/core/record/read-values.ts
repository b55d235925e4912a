/** Which values the `${NAME}` and `{name}` of a source need, and where they come from. */

import { notConfigured } from "../base/errors.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import { listPagingRules } from "./paging-rule.js";

/** A string of the record and its place, such as `api.headers.X-Tenant`. */
export interface Template {
  readonly field: string;
  /** The last part of its field: what a header or parameter is called. */
  readonly name: string;
  readonly text: string;
}

export type ResolveSecret = (name: string) => Promise<Secret | undefined>;

/** The strings of the object at `field`, without absent ones. */
export function listTemplates(
  field: string,
  texts: Readonly<Record<string, string | undefined>>,
): Template[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, field: `${field}.${name}`, text }],
  );
}

/**
 * Asks for every `${NAME}` of the templates, each once and all at the same time.
 *
 * @returns the secrets by name.
 * @throws ApiSourceError `not_configured`, code `missing_secret`, that names every variable without a value (an empty
 * one has none) and the fields that need it. What `resolveSecret` throws is passed on.
 */
export async function readSecrets(
  sourceName: string,
  templates: readonly Template[],
  resolveSecret: ResolveSecret,
): Promise<ReadonlyMap<string, Secret>> {
  const fields = new Map<string, Set<string>>();
  for (const { field, text } of templates) {
    for (const name of findSecretNames(text)) fields.set(name, (fields.get(name) ?? new Set()).add(field));
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
export function findVariables(
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
  if (unresolved.length === 0) return new Map(used.map(({ name }) => [name, values.get(name) ?? ""]));
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
  const values = [{ ...oauth2, clientId: "" }, login, headers, query, hidden.map(([, text]) => text)];
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
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}
