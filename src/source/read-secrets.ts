/** Looks up every `${NAME}` that a source needs, each once, and says in one error which are missing. */

import { ApiSourceError } from "../errors.js";
import type { Secret } from "../secrets/secret.js";
import { findSecretNames } from "./placeholders.js";

/** A text of the record and where it stands, such as `api.headers.X-Tenant`. */
export interface Template {
  readonly field: string;
  readonly text: string;
}

export type ResolveSecret = (name: string) => Promise<Secret | undefined>;

/**
 * Asks for all names at the same time.
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
  const fields = new Map<string, string[]>();
  for (const { field, text } of templates) {
    for (const name of findSecretNames(text)) fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  const names = [...fields.keys()];
  const values = await Promise.all(names.map((name) => resolveSecret(name)));
  const found = new Map<string, Secret>();
  for (const [index, name] of names.entries()) {
    const secret = values[index];
    if (secret !== undefined && secret.reveal() !== "") found.set(name, secret);
  }
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  throw refuseMissing(sourceName, missing, fields);
}

function refuseMissing(
  sourceName: string,
  missing: readonly string[],
  fields: ReadonlyMap<string, readonly string[]>,
): ApiSourceError {
  const list = missing.map((name) => `${name} (for ${[...new Set(fields.get(name))].join(", ")})`).join(", ");
  const [first = "NAME"] = missing;
  return new ApiSourceError({
    message: `The source "${sourceName}" needs ${missing.length === 1 ? "a variable that has" : "variables that have"} no value: ${list}.`,
    category: "not_configured",
    code: "missing_secret",
    details: { missing },
    hint: `Set ${missing.join(" and ")} in the environment, or give ${missing.length === 1 ? "it" : "them"} in the \`secrets\` option, such as secrets: { ${first}: "…" }.`,
  });
}
