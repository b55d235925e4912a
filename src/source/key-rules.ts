/** What the unknown keys of a record are: misspelt, on the wrong level, a credential, or custom. */

import { redactedMarker } from "../secrets/secret.js";
import { findDistance } from "../text.js";
import { foldKey, inlineCredentialFlaw, isCredentialKey } from "./inline-credentials.js";
import { isPlainObject, type Path, type PlacedFlaw, type PlainData, type PlainObject } from "./plain-data.js";
import { listKnownKeys } from "./record-schema.js";

export interface KeyFindings {
  readonly flaws: PlacedFlaw[];
  /** Paths of keys that are kept and have no effect. */
  readonly unknown: Path[];
}

interface Walk extends KeyFindings {
  readonly root: PlainObject;
}

/** Levels whose fields are worth looking for on a wrong level. */
const settingLevels = [
  ["api"],
  ["api", "limits"],
  ["api", "network"],
  ["api", "paths"],
  ["api", "oauth2"],
  ["api", "login"],
];

/** Keys, each with the names that other configurations have for it. Folded as `foldKey` does. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  authType: ["auth", "authentication"],
  baseUrl: ["url", "apiurl"],
  headerName: ["authheader"],
  requestsPerMinute: ["rpm", "ratelimit"],
  retries: ["maxretries"],
  allow: ["allowed"],
  deny: ["denied"],
  about: ["description", "summary"],
  oauth2: ["oauth"],
  grant: ["granttype"],
  scopes: ["scope"],
  tokenUrl: ["tokenendpoint", "accesstokenurl"],
  authorizationUrl: ["authurl", "authorizeurl", "authorizationendpoint"],
  deviceAuthorizationUrl: ["deviceauthorizationendpoint"],
  tokenAt: ["tokenpath"],
  expiresInSecondsAt: ["expiresin"],
};

/**
 * Walks the levels that a record knows. A misspelt key is renamed in `record` to what it was meant to be, and a
 * misplaced one moved, so that its value is judged too and isn't reported as missing.
 */
export function findKeyFlaws(record: PlainObject): KeyFindings {
  const walk: Walk = { root: record, flaws: [], unknown: [] };
  visit(record, [], walk);
  return walk;
}

function visit(value: PlainData | undefined, path: Path, walk: Walk): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index], walk);
  const known = listKnownKeys(path);
  if (!known || !isPlainObject(value)) return;
  for (const key of Object.keys(value)) {
    const isSilent = key === "$schema" || /^x-/i.test(key);
    if (!known.includes(key) && !isSilent) judge(value, [...path, key], known, walk);
  }
  for (const key of known) if (Object.hasOwn(value, key)) visit(value[key], [...path, key], walk);
}

function judge(object: PlainObject, path: Path, known: readonly string[], walk: Walk): void {
  const key = String(path.at(-1));
  const value = object[key] ?? null;
  const tell = (message: string, fix: string): void => {
    walk.flaws.push({ path, given: JSON.stringify(key), message, fix });
  };
  const nearest = findNearestKey(key, known);
  const home = findHome(key, path);
  // `client_secret` for `clientSecret` is a spelling, and no credential in a wrong place.
  const isSpelling = nearest !== undefined && foldKey(nearest) === foldKey(key);
  if (path.at(-2) === "credentialEnv") {
    delete object[key];
    const fix = 'For a token write the variable\'s name alone, such as "credentialEnv": "SHOP_TOKEN".';
    tell("is neither `username` nor `password`", fix);
  } else if (isCredentialKey(key) && !isSpelling) {
    findCredentials({ [key]: value }, path.slice(0, -1), walk);
  } else if (nearest !== undefined) {
    if (nearest === "authType") findCredentials(value, path, walk);
    if (!Object.hasOwn(object, nearest)) object[nearest] = value;
    tell(`is no known key; the nearest is \`${nearest}\``, `Write \`${nearest}\`.`);
  } else if (home !== undefined) {
    moveHome(walk.root, home, key, value);
    const place = home.length === 0 ? "the record itself, beside `api`" : `\`${home.join(".")}\``;
    tell("stands on the wrong level of the record", `Move it into ${place}.`);
  } else {
    findCredentials(value, path, walk);
    walk.unknown.push(path);
  }
}

/** Looks under an unknown key as well: `auth: { token }` holds a credential whatever `auth` was meant to be. */
function findCredentials(value: PlainData | undefined, path: Path, walk: Walk): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    if (isCredentialKey(key))
      walk.flaws.push({ path: place, given: redactedMarker, ...inlineCredentialFlaw });
    else findCredentials(member, place, walk);
  }
}

/** The known key that `key` is nearly, or undefined. */
function findNearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > 40) return undefined;
  const folded = foldKey(key);
  const other = known.find((candidate) => otherNames[candidate]?.includes(folded));
  if (other !== undefined) return other;
  return known
    .filter((candidate) => candidate !== "$schema")
    .map((candidate) => ({ candidate, distance: findDistance(folded, foldKey(candidate)) }))
    .filter(({ candidate, distance }) => distance <= findTolerance(candidate))
    .sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/** How many slips still mean that key: in a short word, one slip makes another word. */
function findTolerance(known: string): number {
  if (known.length <= 3) return 0;
  return known.length <= 5 ? 1 : 2;
}

/** The level that knows this very key, when it isn't this one. */
function findHome(key: string, path: Path): readonly string[] | undefined {
  const level = path.slice(0, -1).join(".");
  if (level === "api" && key === "slug") return [];
  return settingLevels.find((home) => home.join(".") !== level && listKnownKeys(home)?.includes(key));
}

function moveHome(root: PlainObject, home: readonly string[], key: string, value: PlainData): void {
  let target = root;
  for (const step of home) {
    if (!Object.hasOwn(target, step)) target[step] = {};
    const next = target[step];
    if (!isPlainObject(next)) return;
    target = next;
  }
  if (!Object.hasOwn(target, key)) target[key] = value;
}
