/** What the unknown keys of a record are: nearly a known one, a credential, one that went, or custom. */

import { isPlainObject } from "../base/input.js";
import { findNearest } from "../base/text.js";
import { foldKey, inlineCredentialProblem, isCredentialKey } from "./inline-credentials.js";
import {
  findMemberProblems,
  type Path,
  type PlacedProblem,
  type PlainData,
  type PlainObject,
  placeAt,
} from "./plain-data.js";
import { findFix, listKnownKeys } from "./record-schema.js";

/** The fields that records had and no longer have: each by its path, with what took its place. A record with one is loaded, with a warning. */
export const goneFields: ReadonlyMap<string, string> = new Map([
  [
    "api.preflight",
    "a misspelt name is answered unsent once, and after a failure the hint names what the API's document knows",
  ],
]);

/** More unknown keys are not compared with the known ones: that would take seconds. */
const maxUnknown = 500;

/** Levels that a key may have been meant for, when it is unknown at its own. */
const otherLevels = [
  ["api"],
  ...["limits", "network", "paths", "oauth2", "login", "jobs"].map((group) => ["api", group]),
];

/** What other configurations call a key, folded as `foldKey` does. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["auth", "authType"],
  ["authentication", "authType"],
  ["url", "baseUrl"],
  ["allowed", "allow"],
  ["denied", "deny"],
  ["user", "username"],
  ["pass", "password"],
]);

/**
 * Finds what each unknown key was meant to be. Its value is put there in `record`, so that it is judged too and isn't reported as missing.
 *
 * @returns what is wrong, and the paths of the keys that are kept and have no effect
 */
export function findKeyProblems(record: PlainObject): { problems: PlacedProblem[]; unknown: Path[] } {
  const problems: PlacedProblem[] = [];
  const unknown: Path[] = [];
  let judged = 0;
  const visit = (value: PlainData | undefined, path: Path): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    const known = isPlainObject(value) ? listKnownKeys(path) : undefined;
    if (!known || !isPlainObject(value)) return;
    for (const key of Object.keys(value)) {
      if (known.includes(key) || key === "$schema" || /^x-/i.test(key)) continue;
      judged += 1;
      if (judged === maxUnknown + 1)
        problems.push({
          path,
          message: `has more than ${maxUnknown} unknown keys`,
          fix: "Remove them.",
        });
      if (judged > maxUnknown) continue;
      const found = judgeKey(record, value, key, path, known);
      if (found.length === 0) unknown.push([...path, key]);
      problems.push(...found);
    }
    for (const key of known) visit(value[key], [...path, key]);
  };
  visit(record, []);
  return { problems, unknown };
}

function judgeKey(
  record: PlainObject,
  object: PlainObject,
  key: string,
  level: Path,
  known: readonly string[],
): PlacedProblem[] {
  const path = [...level, key];
  const value = object[key] ?? null;
  const report = (message: string, fix: string) => ({ path, given: JSON.stringify(key), message, fix });
  const nearest = findNearestKey(key, known);
  // The name of a variable is not a credential; `client_secret` for `clientSecret` is a spelling, and no credential in a wrong place.
  const namesVariable = level.at(-1) === "credentialEnv";
  const isSpelling = nearest !== undefined && (namesVariable || foldKey(nearest) === foldKey(key));
  if (namesVariable && nearest === undefined)
    return [report("is neither `username` nor `password`", findFix(level))];
  if (isCredentialKey(key) && !isSpelling) return [{ path, ...inlineCredentialProblem }];
  // `auth: { token }` holds a credential whatever `auth` was meant to be.
  const isCredential = (name: string) => (isCredentialKey(name) ? inlineCredentialProblem : undefined);
  const hidden = placeAt(path, findMemberProblems(value, isCredential));
  if (nearest !== undefined) {
    object[nearest] ??= value;
    const problem = report(`is not a known key; the nearest is \`${nearest}\``, `Write \`${nearest}\`.`);
    return [problem, ...(nearest === "authType" ? hidden : [])];
  }
  const home = key === "slug" ? [] : otherLevels.find((other) => listKnownKeys(other)?.includes(key));
  if (home === undefined) return hidden;
  moveHome(record, home, key, value);
  const place = home.length === 0 ? "the record itself, beside `api`" : `\`${home.join(".")}\``;
  return [report("is on the wrong level of the record", `Move it into ${place}.`)];
}

/** The known key that `key` is nearly, or undefined. */
function findNearestKey(key: string, known: readonly string[]): string | undefined {
  const other = otherNames.get(foldKey(key));
  return other !== undefined && known.includes(other)
    ? other
    : findNearest(
        key,
        known.filter((candidate) => candidate !== "$schema"),
      );
}

function moveHome(record: PlainObject, home: readonly string[], key: string, value: PlainData): void {
  let level: PlainData = record;
  for (const step of home) if (isPlainObject(level)) level = level[step] ??= {};
  if (isPlainObject(level)) level[key] ??= value;
}
