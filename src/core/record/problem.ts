/**
 * A problem with a value of a record, its place, and how a given value is shown. A credential must be neither in a record, which is shared, committed and
 * shown, nor in a message about one.
 */

import { isPlainObject } from "../base/input.js";
import { quoteText } from "../base/text.js";
import { redactedMarker } from "../secrets/secret.js";
import { findSecretNames } from "./field-syntax.js";

/** The keys and indexes that lead from the record's root to a place in it. */
export type Path = readonly PropertyKey[];

/** The most problems of one record that are listed: a list with thousands of wrong elements has one cause, and no person reads more. */
export const maxProblems = 100;

/** A problem with a value. */
export interface Problem {
  readonly message: string;
  /** The change that would fix it; absent where the field's own words say so. */
  readonly fix?: string;
}

/** A problem and its place. */
export interface PlacedProblem extends Problem {
  readonly path: Path;
  /** The given value, ready to be shown; by default it is looked up at `path`. */
  readonly given?: string;
}

/** Judges every member, at all depths, but not what is in one with a problem. Recursion is safe here: a record's depth is capped. */
export function findMemberProblems(
  value: unknown,
  findProblem: (key: string, member: unknown) => Problem | undefined,
  path: Path = [],
): PlacedProblem[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const problem = findProblem(key, member);
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    return problem ? [{ path: place, ...problem }] : findMemberProblems(member, findProblem, place);
  });
}

/** Names of headers and parameters that hold nothing but a credential: `token`, `X-Api-Key`, `client_secret`. Folded. */
const secretName =
  /^(?:x?(?:(?:api|auth|access)?token|(?:api|secret)key|(?:api|client)?secret)|authorization|password|passwd|pwd)$/;

/** Keys that announce a credential, or a part of one, where no known key is expected. Folded. */
const credentialKey =
  /^(?:(?:api|auth|access|client|secret|shared|bearer|refresh|private)?(?:token|key|secret)|bearer|jwt|pass(?:word|wd|phrase)?|pwd|user(?:name)?|credentials?)$/;

/** Folds a key: no case, and nothing of what some write between words: `base_url`, `Base-URL` and `baseUrl` are one. */
export function foldKey(key: string): string {
  return key
    .slice(0, 100)
    .toLowerCase()
    .replace(/[_\-\s.]/g, "");
}

/** Whether an unknown key announces a credential. */
export const isCredentialKey = (key: string): boolean => credentialKey.test(foldKey(key));

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
    if (typeof value !== "string" || value === "" || findSecretNames(value).length > 0)
      return undefined;
    return secretName.test(foldKey(name)) ? inlineSecretProblem : undefined;
  });
}

/**
 * Shows a given value in a problem; of a list or an object nothing but that, because a credential may be anywhere in it.
 *
 * @param isSecret - Whether it may be a secret: then `[REDACTED]` replaces it.
 */
export function describeGiven(value: unknown, isSecret: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isPlainObject(value)) return "an object";
  if (isSecret && value !== "") return redactedMarker;
  if (typeof value !== "string") return String(value);
  // Masks everything up to the last `@` of what may be a URL (a password may contain a slash), and the values of a query.
  const masked = value
    .replace(/^([a-z]+:\/{0,2})?.*@/is, `$1${redactedMarker}@`)
    .replace(/=[^&#]*/g, `=${redactedMarker}`);
  return quoteText(masked, 80);
}
