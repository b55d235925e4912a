/** The keys of a record that no level of it has: what each was meant to be, and what to write instead. A guardrail that is misspelt must not be ignored. */

import { isPlainObject } from "../base/input.js";
import { suggest } from "../base/suggest.js";
import { quoteText } from "../base/text.js";
import { findReplacement } from "./other-names.js";
import {
  findMemberProblems,
  foldKey,
  inlineCredentialProblem,
  isCredentialKey,
  maxProblems,
  type Path,
  type PlacedProblem,
} from "./problem.js";
import { findFix, listKnownKeys } from "./record-schema.js";

/** The levels that a key may have been meant for when another level has it. */
const otherLevels: readonly Path[] = [
  ["api"],
  ...["limits", "network", "paths", "oauth2", "login", "jobs"].map((group) => ["api", group]),
];

/** A key that is not known, where it is. */
interface UnknownKey {
  readonly key: string;
  /** The object that has it. */
  readonly owner: Record<string, unknown>;
  readonly level: Path;
  /** The keys that this level has. */
  readonly known: readonly string[];
}

/** Whether a key is free for notes and editors on every level. */
const isFree = (key: string): boolean => key === "$schema" || /^x-/i.test(key);

/**
 * Finds every unknown key. The value of one that is surely another spelling is put in its place in `record`, so that it is judged too,
 * and not reported as missing.
 *
 * @param record - A copy of what was given.
 */
export function findUnknownKeys(record: unknown): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  const report = (unknown: UnknownKey): void => {
    // Finding what a key was meant to be takes time, and no one reads it behind the first hundred.
    const found = problems.length < maxProblems ? judgeKey(unknown) : [describeUnknown(unknown)];
    problems.push(...found);
  };
  const visit = (value: unknown, level: Path): void => {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) visit(item, [...level, index]);
    const known = isPlainObject(value) ? listKnownKeys(level) : undefined;
    if (!known || !isPlainObject(value)) return;
    for (const key of Object.keys(value)) {
      if (!known.includes(key) && !isFree(key)) report({ key, owner: value, level, known });
    }
    for (const key of known) visit(value[key], [...level, key]);
  };
  visit(record, []);
  return problems;
}

function judgeKey(unknown: UnknownKey): PlacedProblem[] {
  const { key, owner, level, known } = unknown;
  const path = [...level, key];
  // The name of a variable is not a credential.
  if (level.at(-1) === "credentialEnv") return [describeWrongVariable(unknown)];
  const nearest = suggest(key, known)?.name;
  // `client_secret` for `clientSecret` is a spelling, and no credential in a wrong place.
  const isSpelling = nearest !== undefined && foldKey(nearest) === foldKey(key);
  if (isCredentialKey(key) && !isSpelling) return [{ path, ...inlineCredentialProblem }];

  const hidden = findHiddenCredentials(owner[key], path);
  const meant = isSpelling ? nearest : (findSameLevel(unknown) ?? nearest);
  if (meant !== undefined) {
    owner[meant] ??= owner[key];
    const problem = describeSpelling(unknown, meant);
    return meant === "authType" ? [problem, ...hidden] : [problem];
  }
  const misplaced = describeWrongLevel(unknown) ?? describeReplaced(unknown);
  if (misplaced !== undefined) return [misplaced];
  return hidden.length > 0 ? hidden : [describeUnknown(unknown)];
}

/** `settings: { token }` contains a credential whatever `settings` was meant to be. */
function findHiddenCredentials(value: unknown, path: Path): PlacedProblem[] {
  const judge = (name: string) => (isCredentialKey(name) ? inlineCredentialProblem : undefined);
  return findMemberProblems(value, judge, path);
}

/** The field of the same level that takes the same value under another name. */
function findSameLevel({ key, level }: UnknownKey): string | undefined {
  const { field, fix } = findReplacement(key, nameLevel(level)) ?? {};
  return fix === undefined && field?.level === nameLevel(level) ? field.name : undefined;
}

/** `api.paging` for a rule in a list of them. */
function nameLevel(level: Path): string {
  return level.filter((step) => typeof step === "string").join(".");
}

function describeKey(unknown: UnknownKey, message: string, fix: string): PlacedProblem {
  const { key, level } = unknown;
  return { path: [...level, key], given: quoteText(key, 80), message, fix };
}

function describeSpelling(unknown: UnknownKey, meant: string): PlacedProblem {
  const message = `is not a known key; the nearest is \`${meant}\``;
  return describeKey(unknown, message, `Write \`${meant}\`.`);
}

function describeWrongVariable(unknown: UnknownKey): PlacedProblem {
  const message = "is neither `username` nor `password`";
  return describeKey(unknown, message, findFix(unknown.level));
}

/** A field of this very name is on another level. */
function describeWrongLevel(unknown: UnknownKey): PlacedProblem | undefined {
  const home = otherLevels.find((level) => listKnownKeys(level)?.includes(unknown.key));
  if (home === undefined) return undefined;
  const fix = `Move it into \`${home.join(".")}\`.`;
  return describeKey(unknown, "is on the wrong level of the record", fix);
}

/** A name that people write for a field of another level or form, or a field that went. */
function describeReplaced(unknown: UnknownKey): PlacedProblem | undefined {
  const replacement = findReplacement(unknown.key, nameLevel(unknown.level));
  if (replacement === undefined) return undefined;
  const { field, fix = "" } = replacement;
  const place = field?.level ? `in \`${field.level}\`` : "in the record itself";
  const written = fix || `Write \`${field?.name}\` ${place}.`;
  return describeKey(unknown, "is not a known key", written);
}

function describeUnknown(unknown: UnknownKey): PlacedProblem {
  const fix =
    "Remove it, or begin it with `x-` if it is a note of your own; docs/records.md lists every field.";
  return describeKey(unknown, "is not a known key", fix);
}
