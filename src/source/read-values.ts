/** Which values the `${NAME}` and `{name}` of a source need, and where they come from. */

import { ApiSourceError } from "../errors.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./field-syntax.js";

/** A string of the record and where it stands, such as `api.headers.X-Tenant`. */
export interface Template {
  readonly field: string;
  readonly text: string;
}

export type ResolveSecret = (name: string) => Promise<Secret | undefined>;

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
  throw new ApiSourceError({
    message: `The source "${sourceName}" needs ${names.length === 1 ? "a variable that has" : "variables that have"} no value: ${list}.`,
    category: "not_configured",
    code: "missing_secret",
    details: { missing: names },
    hint: `Set ${names.join(" and ")} in the environment, or give ${names.length === 1 ? "it" : "them"} in the \`secrets\` option, such as secrets: { ${names[0]}: "…" }.`,
  });
}

/**
 * The text of each `{name}` that the templates use, by name; others aren't looked at, nor their secrets asked for.
 *
 * @param username - That of a basic credential: the value of `{username}`, in front of a variable of that name. It is
 * no template: a `${…}` in it is text.
 * @throws ApiSourceError `not_configured`, code `unresolved_placeholder`, that names every placeholder without a value.
 */
export function findVariables(
  source: ApiSource,
  templates: readonly Template[],
  username: string | undefined,
): ReadonlyMap<string, string> {
  const { variables } = source.api;
  const used = templates.flatMap(({ field, text }) =>
    findPlaceholderNames(text).map((name) => ({
      name,
      field,
      // An empty string is no value: it would leave a hole in the URL.
      value: (name === "username" && username) || (Object.hasOwn(variables, name) && variables[name]) || "",
    })),
  );
  const unresolved = used.filter(({ value }) => value === "");
  if (unresolved.length > 0) throw refuseUnresolved(source, unresolved);
  return new Map(used.map(({ name, value }) => [name, value]));
}

function refuseUnresolved(
  source: ApiSource,
  unresolved: readonly { readonly name: string; readonly field: string }[],
): ApiSourceError {
  const names = [...new Set(unresolved.map(({ name }) => name))];
  const list = unresolved.map(({ name, field }) => `{${name}} in \`${field}\``).join(", ");
  const ofCredential =
    source.api.authType === "basic" && names.includes("username")
      ? " {username} is the username of the credential, which is missing."
      : "";
  return new ApiSourceError({
    message: `The source "${source.name}" has a placeholder without a value: ${list}.`,
    category: "not_configured",
    code: "unresolved_placeholder",
    details: { unresolved: names },
    hint: `Add "variables": { "${names[0]}": "…" } under \`api\`; "\${NAME}" as its value reads the variable NAME.${ofCredential}`,
  });
}

/**
 * Every NAME whose value must never be seen, each once, whether a call uses it or not. A tenant's host name is not among them:
 * hidden, it would hide the API's own links with it. Nor is a client id: it stands in the address where a person agrees
 * (RFC 6749, section 2.2: "not a secret").
 */
export function listSecretNames({ api }: ApiSource): string[] {
  const { headers, query, variables, network } = api;
  const { host = "", rest = "" } = readBaseUrlParts(api.baseUrl) ?? {};
  const inHost = findPlaceholderNames(host);
  const elsewhere = findPlaceholderNames(`${rest} ${api.testEndpoint ?? ""}`);
  const hidden = Object.entries(variables).filter(
    ([name]) => !inHost.includes(name) || elsewhere.includes(name),
  );
  const texts = [
    ...listStrings([{ ...api.oauth2, clientId: "" }, api.login]),
    ...Object.values(headers),
    ...Object.values(query),
    ...hidden.map(([, text]) => text),
    ...[network.proxy, network.ca, network.cert, network.key].filter((text) => text !== undefined),
  ];
  return [...new Set(texts.flatMap(findSecretNames))];
}

/** The JMESPaths of a record, each with its place. */
export function listExpressions({
  api,
}: ApiSource): { readonly path: string; readonly expression: string }[] {
  const { errorWhen, login } = api;
  const given = [
    ["errorWhen", errorWhen],
    ["login.tokenAt", login?.tokenAt],
    ["login.expiresInSecondsAt", login?.expiresInSecondsAt],
  ] as const;
  return given.flatMap(([field, expression]) =>
    expression === undefined ? [] : [{ path: `api.${field}`, expression }],
  );
}

/** Every string in plain data. Recursion is safe here: a record has a depth that is capped. */
export function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}
