/** What the unknown keys of a record are: misspelt, on the wrong level, a credential, or custom. */

import { isPlainObject } from "../base/input.js";
import { findNearest } from "../base/text.js";
import { foldKey, inlineCredentialProblem, isCredentialKey } from "./inline-credentials.js";
import {
  findMemberProblems,
  type Path,
  type PlacedProblem,
  type PlainData,
  type PlainObject,
} from "./plain-data.js";
import { findFix, listKnownKeys } from "./record-schema.js";

/** More unknown keys are not compared with the known ones: that would take seconds. */
const maxUnknown = 500;

/** Levels whose fields are worth looking for on a wrong level. */
const settingLevels = [
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
 * Walks the levels that a record knows. A misspelt key is renamed in `record` to what it was meant to be, and a
 * misplaced one moved, so that its value is judged too and isn't reported as missing.
 *
 * @returns what is wrong, and the paths of the keys that are kept and have no effect
 */
export function findKeyProblems(record: PlainObject): { problems: PlacedProblem[]; unknown: Path[] } {
  const problems: PlacedProblem[] = [];
  const unknown: Path[] = [];
  let judged = 0;
  const judge = (object: PlainObject, key: string, known: readonly string[], level: Path): void => {
    judged += 1;
    if (judged === maxUnknown + 1) {
      problems.push({
        path: level,
        message: `has more than ${maxUnknown} unknown keys`,
        fix: "Remove them.",
      });
    }
    if (judged > maxUnknown) return;
    const path = [...level, key];
    const value = object[key] ?? null;
    const report = (message: string, fix: string) =>
      problems.push({ path, given: JSON.stringify(key), message, fix });
    const nearest = findNearestKey(key, known);
    const home = key === "slug" ? [] : settingLevels.find((place) => listKnownKeys(place)?.includes(key));
    // `client_secret` for `clientSecret` is a spelling, and no credential in a wrong place; nor is the name of a variable one.
    const isSpelling = nearest && (foldKey(nearest) === foldKey(key) || level.at(-1) === "credentialEnv");
    if (level.at(-1) === "credentialEnv" && nearest === undefined) {
      report("is neither `username` nor `password`", findFix(level));
    } else if (isCredentialKey(key) && !isSpelling) {
      problems.push({ path, ...inlineCredentialProblem });
    } else if (nearest !== undefined) {
      object[nearest] ??= value;
      report(`is not a known key; the nearest is \`${nearest}\``, `Write \`${nearest}\`.`);
      if (nearest === "authType") problems.push(...findCredentials(value, path));
    } else if (home !== undefined) {
      moveHome(record, home, key, value);
      const place = home.length === 0 ? "the record itself, beside `api`" : `\`${home.join(".")}\``;
      report("is on the wrong level of the record", `Move it into ${place}.`);
    } else {
      problems.push(...findCredentials(value, path));
      unknown.push(path);
    }
  };
  const visit = (value: PlainData | undefined, path: Path): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    const known = isPlainObject(value) ? listKnownKeys(path) : undefined;
    if (!known || !isPlainObject(value)) return;
    for (const key of Object.keys(value)) {
      if (!known.includes(key) && key !== "$schema" && !/^x-/i.test(key)) judge(value, key, known, path);
    }
    for (const key of known) visit(value[key], [...path, key]);
  };
  visit(record, []);
  return { problems, unknown };
}

/** Looks under an unknown key as well: `auth: { token }` holds a credential whatever `auth` was meant to be. */
function findCredentials(value: PlainData, path: Path): PlacedProblem[] {
  return findMemberProblems(value, path, (key) =>
    isCredentialKey(key) ? inlineCredentialProblem : undefined,
  );
}

/** The known key that `key` is nearly, or undefined. */
function findNearestKey(key: string, known: readonly string[]): string | undefined {
  const other = otherNames.get(foldKey(key));
  if (other !== undefined && known.includes(other)) return other;
  return findNearest(
    key,
    known.filter((candidate) => candidate !== "$schema"),
  );
}

function moveHome(record: PlainObject, home: readonly string[], key: string, value: PlainData): void {
  let level: PlainData = record;
  for (const step of home) if (isPlainObject(level)) level = level[step] ??= {};
  if (isPlainObject(level)) level[key] ??= value;
}
