/** The values of the `{name}` placeholders that a source uses. */

import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "./api-source.js";
import { fillSecrets, findPlaceholderNames } from "./placeholders.js";
import type { Template } from "./read-secrets.js";
import type { ReadVariable } from "./resolve-path.js";

export interface VariableScope {
  readonly source: ApiSource;
  /** The username of a basic credential: the value of `{username}`, in front of a variable of that name. */
  readonly username: string | undefined;
  /** Texts whose placeholders are to be filled. */
  readonly templates: readonly Template[];
}

/**
 * The texts of the variables that the templates use; others aren't looked at, nor their secrets asked for.
 *
 * @throws ApiSourceError `not_configured`, code `unresolved_placeholder`, that names every placeholder without a value.
 */
export function listUsedVariables(scope: VariableScope): Template[] {
  const unresolved = scope.templates.flatMap(({ field, text }) =>
    findPlaceholderNames(text)
      .filter((name) => findText(scope, name) === undefined)
      .map((name) => ({ name, field })),
  );
  if (unresolved.length > 0) throw refuseUnresolved(scope.source, unresolved);
  const names = new Set(scope.templates.flatMap(({ text }) => findPlaceholderNames(text)));
  return [...names]
    .filter((name) => !isUsername(scope, name))
    .map((name) => ({ field: `api.variables.${name}`, text: findText(scope, name) ?? "" }));
}

/** Reads variables of this scope; `revealSecret` gives the value of a `${NAME}` in one. */
export function createVariableReader(
  scope: VariableScope,
  revealSecret: (name: string) => string,
): ReadVariable {
  return (name) => {
    const text = findText(scope, name) ?? "";
    return isUsername(scope, name) ? text : fillSecrets(text, revealSecret);
  };
}

/** An empty text is no value: it would leave a hole in the URL. */
function findText({ source, username }: VariableScope, name: string): string | undefined {
  if (name === "username" && username) return username;
  const { variables } = source.api;
  return (Object.hasOwn(variables, name) ? variables[name] : undefined) || undefined;
}

/** A username is no template: a `${…}` in it is text. */
function isUsername({ username }: VariableScope, name: string): boolean {
  return name === "username" && Boolean(username);
}

function refuseUnresolved(
  source: ApiSource,
  unresolved: readonly { readonly name: string; readonly field: string }[],
): ApiSourceError {
  const list = unresolved.map(({ name, field }) => `{${name}} in \`${field}\``).join(", ");
  const [first] = unresolved;
  const example = `"variables": { "${first?.name ?? "name"}": "…" }`;
  const ofCredential =
    source.api.authType === "basic" && unresolved.some(({ name }) => name === "username")
      ? " {username} is the username of the credential, which is missing."
      : "";
  return new ApiSourceError({
    message: `The source "${source.name}" has a placeholder without a value: ${list}.`,
    category: "not_configured",
    code: "unresolved_placeholder",
    details: { unresolved: [...new Set(unresolved.map(({ name }) => name))] },
    hint: `Add ${example} under \`api\`; "\${NAME}" as its value reads the variable NAME.${ofCredential}`,
  });
}
