/** Where a credential must not be: in a record, which is shared, committed and shown; nor in a message about one. */

import { isPlainObject } from "../base/input.js";
import { redactedMarker } from "../secrets/secret.js";
import { findSecretNames } from "./field-syntax.js";
import { findMemberProblems, type PlacedProblem, type PlainData, type Problem } from "./plain-data.js";

/** Names of headers and parameters that hold nothing but a credential: `token`, `X-Api-Key`, `client_secret`. Folded. */
const secretName =
  /^(?:x?(?:(?:api|auth|access)?token|(?:api|secret)key|(?:api|client)?secret)|authorization|password|passwd|pwd)$/;

/** Keys that announce a credential, or a part of one, where no known key is expected. Folded. */
const credentialKey =
  /^(?:(?:api|auth|access|client|secret|shared|bearer|refresh|private)?(?:token|key|secret)|bearer|jwt|pass(?:word|wd|phrase)?|pwd|user(?:name)?|credentials?)$/;

/** Without case, and without what some write between words: `base_url`, `Base-URL` and `baseUrl` are one. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[_\-\s.]/g, "");
}

/** Whether an unknown key announces a credential. */
export function isCredentialKey(key: string): boolean {
  return key.length <= 100 && credentialKey.test(foldKey(key));
}

export const inlineCredentialProblem: Problem = {
  message: "holds a credential, or a part of one, which is never in a record",
  fix: "Remove it; put it into the environment variable named after the tool (or the one in `credentialEnv`), or into the `credentials` option.",
};

export const inlineSecretProblem: Problem & { readonly fix: string } = {
  message: "holds a credential in plain text, which is never in a record",
  fix: 'Write "${NAME}" in its place and put the value into the environment variable NAME.',
};

/** Judges constants, such as `headers`, by their names; a value isn't looked at but for `${NAME}`. */
export function findInlineSecrets(constants: unknown): PlacedProblem[] {
  return findMemberProblems(constants, (name, value) => {
    if (typeof value !== "string" || value === "" || findSecretNames(value).length > 0) return undefined;
    return secretName.test(foldKey(name.slice(0, 100))) ? inlineSecretProblem : undefined;
  });
}

const maxShownCharacters = 80;

/**
 * Shows a given value in a problem, as JSON text of at most 80 characters; of a list or an object only the size or the keys,
 * because a credential may be anywhere in it.
 *
 * @param isSecret - Whether it may be a secret: then `[REDACTED]` replaces a string.
 */
export function describeGiven(value: PlainData | undefined, isSecret: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `a list of ${value.length}`;
  if (isPlainObject(value))
    return isSecret ? "an object" : clipShown(`{${Object.keys(value).slice(0, 10).join(", ")}}`);
  if (typeof value === "number" && isSecret) return "a number";
  if (typeof value !== "string") return String(value);
  if (isSecret && value !== "") return redactedMarker;
  return clipShown(JSON.stringify(maskUrl(value).slice(0, maxShownCharacters)));
}

/** Hides all up to the last `@` (a password may hold a slash), and the values of a query, in what may be a URL. */
function maskUrl(text: string): string {
  const [scheme = ""] = /^[a-z]+:\/{0,2}/i.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf("@");
  const shown = at < 0 ? rest : `${redactedMarker}${rest.slice(at)}`;
  return scheme + shown.replace(/=[^&#]*/g, `=${redactedMarker}`);
}

function clipShown(text: string): string {
  return text.length <= maxShownCharacters ? text : `${text.slice(0, maxShownCharacters - 1)}…`;
}
