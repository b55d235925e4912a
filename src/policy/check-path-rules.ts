/** Applies a record's `paths` rules so that no spelling of a path dodges them. */

import { quoteText } from "../text.js";
import { foldPath } from "./find-path-danger.js";
import { matchPath } from "./match-path.js";
import { refusedByPolicy } from "./refuse-input.js";
import { toDecodedPath } from "./to-decoded-path.js";

export interface PathRules {
  /** Patterns of which one must match; absent allows every path, an empty list none. */
  readonly allow?: readonly string[] | undefined;
  /** Patterns of which none may match; they win over `allow`. */
  readonly deny?: readonly string[] | undefined;
}

/** One way in which a server may read a path or, alike, a pattern. */
type Reading = (path: string) => readonly string[];

const splits: readonly ((path: string) => string)[] = [
  // An encoded slash is part of its segment …
  (path) => path,
  // … or, to servers that decode before they route, a separator.
  (path) => path.replaceAll("%2F", "/"),
];

const cuts: readonly ((path: string) => string)[] = [
  (path) => path,
  // Path parameters don't take part in routing, and a "?" or "#" that was encoded ends the path for those who parse
  // again after decoding.
  (path) => path.replace(/[?#].*$/s, "").replace(/;[^/]*/g, ""),
];

const readings: readonly Reading[] = splits.flatMap((split) =>
  cuts.map(
    (cut): Reading =>
      (path) =>
        dropEnds(cut(split(path)).split("/")),
  ),
);

/** For `deny`, without regard to letter case, blanks, lookalikes and doubled slashes, as lax servers route. */
const denyReadings: readonly Reading[] = readings.map(
  (read): Reading =>
    (path) =>
      read(foldPath(path).toUpperCase().toLowerCase().replaceAll("%2f", "%2F")).filter(Boolean),
);

/**
 * Lets a path pass when the rules do. `deny` holds when it matches in any reading of the path (encoded slashes, path
 * parameters, doubled or trailing slashes, letter case); `allow` only when it matches in every reading, in exact
 * letter case.
 *
 * @param decodedPath `decodedPath` of `resolveUrl`
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkPathRules(decodedPath: string, rules: PathRules): void {
  const denied = rules.deny?.find((pattern) =>
    denyReadings.some((read) => matches(read, decodedPath, pattern)),
  );
  if (denied !== undefined) {
    throw refusedByPolicy(
      `The path ${quoteText(decodedPath)} is denied by this source's rule ${quoteText(denied)}.`,
      "Use another endpoint; this one can't be reached with this tool.",
    );
  }
  if (rules.allow === undefined) return;
  const { allow } = rules;
  if (readings.every((read) => allow.some((pattern) => matches(read, decodedPath, pattern)))) return;
  throw refusedByPolicy(
    `The path ${quoteText(decodedPath)} is not among those this source allows.`,
    allow.length === 0
      ? "This source allows no path at all."
      : `Use a path that matches one of: ${allow.slice(0, 20).join(", ")} ("*" is one segment, "**" any number; an encoded slash separates too).`,
  );
}

function matches(read: Reading, decodedPath: string, pattern: string): boolean {
  const normal = toDecodedPath(pattern.startsWith("/") ? pattern : `/${pattern}`);
  return matchPath(read(decodedPath), read(normal));
}

/** Without the empty parts that a leading and a trailing slash make. */
function dropEnds(parts: readonly string[]): readonly string[] {
  const start = parts[0] === "" ? 1 : 0;
  const end = parts.length > start && parts.at(-1) === "" ? parts.length - 1 : parts.length;
  return parts.slice(start, end);
}
