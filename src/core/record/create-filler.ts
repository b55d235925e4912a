/** How the `${NAME}` and `{name}` of texts are filled for one call: each call asks anew, as each may be another user's. */

import { notConfigured } from "../base/errors.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource } from "./api-source.js";
import { fillSecrets, findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import { listTemplates, type Template } from "./templates.js";
import { listShownNames } from "./used-names.js";

/** The value of a `${NAME}`; undefined or an empty one when it has none. */
export type ResolveSecret = (name: string) => Promise<Secret | undefined>;

/** The texts to fill. */
export interface FillerInput {
  readonly resolveSecret: ResolveSecret;
  /** Texts with `${NAME}`. */
  readonly texts: readonly Template[];
  /** Addresses with `{name}`. @default none */
  readonly addresses?: readonly Template[];
  /** The username of a basic credential: the value of `{username}`, in front of a variable of that name. */
  readonly username?: string | undefined;
}

/** Fills texts with values that were all asked for. */
export interface Filler {
  /** Every value that was found and must never be seen, wherever it is filled: all but those that name a host or the client. */
  readonly secrets: readonly Secret[];
  /** The text of each `{name}` that the addresses use. */
  readonly variables: ReadonlyMap<string, string>;
  /** The value of a NAME. */
  reveal(name: string): string;
  /** A text with each of its `${NAME}` filled. */
  fill(text: string): string;
  /** The value of a `{name}`. */
  readVariable(name: string): string;
}

/**
 * Reads the secrets that the texts of a source need, and those of the variables in its addresses.
 *
 * @throws ApiSourceError `not_configured`, as `readSecrets` and `findVariables` do.
 */
export async function createFiller(
  source: ApiSource,
  { resolveSecret, texts, addresses = [], username }: FillerInput,
): Promise<Filler> {
  const variables = findVariables(source, addresses, username);
  const named = listTemplates("api.variables", Object.fromEntries(variables));
  const found = await readSecrets(source.name, [...texts, ...named], resolveSecret);
  const reveal = (name: string): string => found.get(name)?.reveal() ?? "";
  const fill = (text: string): string => fillSecrets(text, reveal);
  const readVariable = (name: string): string =>
    name === "username" && username ? username : fill(variables.get(name) ?? "");
  return { secrets: listHidden(source, found), variables, reveal, fill, readVariable };
}

function listHidden(source: ApiSource, found: ReadonlyMap<string, Secret>): Secret[] {
  if (found.size === 0) return [];
  const shown = new Set(listShownNames(source));
  return [...found].filter(([name]) => !shown.has(name)).map(([, secret]) => secret);
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
