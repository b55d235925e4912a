/** What the keys of a record tell: misspelt, misplaced, a credential, or none of our business. */

import { redactedMarker } from "../secrets/secret.js";
import { isPlainObject, type PlainData, type PlainObject } from "./copy-plain-data.js";
import { findNearestKey } from "./find-nearest-key.js";
import type { PlacedFlaw } from "./flaw.js";
import { inlineCredentialFlaw, isCredentialKey } from "./inline-credentials.js";
import { knownKeys } from "./record-schema.js";

export interface KeyFindings {
  readonly flaws: PlacedFlaw[];
  /** Paths of keys that are kept and have no effect. */
  readonly unknown: (readonly PropertyKey[])[];
}

/** Levels whose fields are worth looking for on a wrong level. */
const settingLevels = ["api", "api.limits", "api.network", "api.paths"];

interface Walk extends KeyFindings {
  readonly root: PlainObject;
}

/**
 * Walks the levels that a record knows. A misspelt key is renamed in `record` to what it was meant to be, and a
 * misplaced one moved, so that its value is judged too and isn't reported as missing.
 */
export function findKeyFlaws(record: PlainObject): KeyFindings {
  const walk: Walk = { root: record, flaws: [], unknown: [] };
  visitLevel(record, [], "", walk);
  return walk;
}

function visitLevel(object: PlainObject, path: readonly PropertyKey[], level: string, walk: Walk): void {
  const known = knownKeys[level] ?? [];
  for (const key of Object.keys(object)) {
    if (!known.includes(key) && key !== "$schema" && !/^x-/i.test(key)) {
      judgeUnknown(object, key, { path: [...path, key], level, known }, walk);
    }
  }
  for (const key of known) {
    const inner = level === "" ? key : `${level}.${key}`;
    visitMember(Object.hasOwn(object, key) ? object[key] : undefined, [...path, key], inner, walk);
  }
}

function visitMember(
  member: PlainData | undefined,
  path: readonly PropertyKey[],
  level: string,
  walk: Walk,
): void {
  if (isPlainObject(member) && knownKeys[level]) visitLevel(member, path, level, walk);
  if (!Array.isArray(member) || !knownKeys[`${level}[]`]) return;
  for (const [index, item] of member.entries()) {
    if (isPlainObject(item)) visitLevel(item, [...path, index], `${level}[]`, walk);
  }
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly level: string;
  readonly known: readonly string[];
}

function judgeUnknown(object: PlainObject, key: string, { path, level, known }: Place, walk: Walk): void {
  if (level === "api.credentialEnv") {
    delete object[key];
    walk.flaws.push({
      path,
      given: JSON.stringify(key),
      message: "is neither `username` nor `password`",
      fix: 'For a token write the variable\'s name alone, such as "credentialEnv": "SHOP_TOKEN".',
    });
    return;
  }
  const candidates = known.filter((one) => one !== "$schema");
  const nearest = findNearestKey(key, candidates, level);
  const home = findHome(key, level);
  if (isCredentialKey(key)) walk.flaws.push({ path, given: redactedMarker, ...inlineCredentialFlaw });
  else if (nearest !== undefined) {
    if (nearest === "authType") findCredentials(object[key], key, path, walk);
    if (!Object.hasOwn(object, nearest)) object[nearest] = object[key] ?? null;
    walk.flaws.push({
      path,
      given: JSON.stringify(key),
      message: `is no known key; the nearest is \`${nearest}\``,
      fix: `Write \`${nearest}\`.`,
    });
  } else if (home !== undefined) {
    moveHome(walk.root, home, key, object[key] ?? null);
    const fix = `Move it into ${home === "" ? "the record itself, beside `api`" : `\`${home}\``}.`;
    walk.flaws.push({
      path,
      given: JSON.stringify(key),
      message: "stands on the wrong level of the record",
      fix,
    });
  } else {
    findCredentials(object[key], key, path, walk);
    walk.unknown.push(path);
  }
}

/** Looks under an unknown key as well: `auth: { token }` holds a credential whatever `auth` was meant to be. */
function findCredentials(
  value: PlainData | undefined,
  key: string,
  path: readonly PropertyKey[],
  walk: Walk,
): void {
  if (isCredentialKey(key)) walk.flaws.push({ path, given: redactedMarker, ...inlineCredentialFlaw });
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findCredentials(item, "", [...path, index], walk);
  } else if (isPlainObject(value)) {
    for (const [inner, member] of Object.entries(value))
      findCredentials(member, inner, [...path, inner], walk);
  }
}

/** The level that knows this very key, when it isn't this one. */
function findHome(key: string, level: string): string | undefined {
  if (level === "api" && key === "slug") return "";
  return settingLevels.find((candidate) => candidate !== level && knownKeys[candidate]?.includes(key));
}

function moveHome(root: PlainObject, home: string, key: string, value: PlainData): void {
  let target = root;
  for (const step of home.split(".").filter((part) => part !== "")) {
    if (!Object.hasOwn(target, step)) target[step] = {};
    const next = target[step];
    if (!isPlainObject(next)) return;
    target = next;
  }
  if (!Object.hasOwn(target, key)) target[key] = value;
}
