/** Applies a record's `paths` rules so that no spelling of a path dodges them. */

import { refusedByPolicy } from "../base/errors.js";
import { encodedSlash, listReadings, toDecoded, toFolded } from "../base/path-readings.js";
import { dropEnd, quoteText } from "../base/text.js";

/** Patterns of which one must match, where there are any, and those that may not: these win. */
export interface PathRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** `*` and `**` of a pattern: only where they are written so. A `%2A` is a star in a name. */
const one = Symbol("*");
const many = Symbol("**");
type PatternPart = string | typeof one | typeof many;

interface Piece {
  readonly text: string;
  /** Whether the slash before it was encoded, so that both may be one name. */
  readonly joins: boolean;
}

/** Other readings that a server may have of a path: path parameters play no part in routing, and "?" or "#" end a path parsed again. */
const truncations: readonly ((reading: string) => string)[] = [
  (reading) => reading,
  (reading) => reading.replace(/[?#].*$/s, "").replace(/;[^/]*/g, ""),
  (reading) => reading.replace(/[?#].*$/s, "").replace(/;[^/\ue02f]*/g, ""),
];

/**
 * Lets a path pass when the rules do. It is judged in every reading: decoded once and further, an encoded slash as a separator
 * and as part of a name, with and without path parameters, accents, and dots at the end of a name. `deny` holds when it
 * matches in any of them, also in other letter case and with slashes doubled. `allow` must match in all of them, and
 * in exact letter case as the path is decoded once.
 *
 * @param path below the base URL, encoded as it is sent, without query
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkPathRules(path: string, { allow, deny = [] }: PathRules): void {
  if (allow === undefined && deny.length === 0) return;
  const decoded = toDecoded(path);
  const listed = listReadings(decoded);
  if (listed === undefined) throw refuseOther(path, allow ?? []);
  const readings = [
    ...new Set(listed.flatMap((each) => truncations.map((truncate) => truncate(each)))),
  ];
  const loose = [...new Set(readings.map(toLoose))].map(toPieces);
  const denied = deny.find((pattern) => {
    const parts = toParts(pattern, (name) => splitNames(toLoose(name)).filter(Boolean));
    return loose.some((pieces) => isMatch(pieces, parts));
  });
  if (denied !== undefined)
    throw refusedByPolicy(
      `The path ${quoteText(path)} is denied by this source's rule ${quoteText(denied)}.`,
      "Use another endpoint; this one can't be reached with this tool.",
    );
  if (allow === undefined) return;
  const exact = truncations.map((truncate) => truncate(decoded));
  const isAllowed =
    isEachAllowed(exact, allow, (name) => name.normalize("NFC")) &&
    isEachAllowed(readings, allow, (name) => dropEndDots(toFolded(name)));
  if (!isAllowed) throw refuseOther(path, allow);
}

/** Whether the rules let a path pass. */
export function isPathAllowed(path: string, rules: PathRules): boolean {
  try {
    checkPathRules(path, rules);
    return true;
  } catch {
    return false;
  }
}

/** Whether each reading matches a pattern, both written alike, with an encoded slash as part of a name and as a separator. */
function isEachAllowed(
  readings: readonly string[],
  allow: readonly string[],
  write: (name: string) => string,
): boolean {
  const views = [(name: string) => [write(name)], (name: string) => splitNames(write(name))];
  return views.every((view) => {
    const patterns = allow.map((pattern) => toParts(pattern, view));
    return readings.every((reading) => {
      const names = dropEnds(reading.split("/").flatMap(view));
      const pieces = names.map((text) => ({ text, joins: false }));
      return patterns.some((parts) => isMatch(pieces, parts));
    });
  });
}

/** As the laxest servers route. Upper case first: it folds letters such as "ſ" that lower case leaves alone. */
function toLoose(reading: string): string {
  return dropEndDots(toFolded(reading)).toUpperCase().toLowerCase();
}

/** Removes the dots at the end of each name, as Windows does: `admin.` is `admin`. */
function dropEndDots(reading: string): string {
  return reading
    .split(/([/\ue02f])/)
    .map((name) => dropEnd(name, "."))
    .join("");
}

function splitNames(text: string): string[] {
  return text.split(encodedSlash);
}

function toPieces(reading: string): Piece[] {
  const pieces: Piece[] = [];
  let joins = true;
  for (const token of reading.split(/([/\ue02f])/)) {
    if (token === "/") joins = false;
    if (token === "" || token === "/" || token === encodedSlash) continue;
    pieces.push({ text: token, joins });
    joins = true;
  }
  return pieces;
}

function toParts(
  pattern: string,
  change: (text: string) => readonly string[],
): readonly PatternPart[] {
  const written = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  return dropEnds(
    written.split("/").flatMap((part): readonly PatternPart[] => {
      if (part === "*") return [one];
      return part === "**" ? [many] : change(toDecoded(part));
    }),
  );
}

/** Removes the empty parts that a leading and a trailing slash make. */
function dropEnds<Part>(parts: readonly Part[]): readonly Part[] {
  const start = parts[0] === "" ? 1 : 0;
  const end = parts.length > start && parts.at(-1) === "" ? parts.length - 1 : parts.length;
  return parts.slice(start, end);
}

/** Whether the whole path matches, in time proportional to the product of both lengths. `*` does not match an empty name. */
function isMatch(pieces: readonly Piece[], parts: readonly PatternPart[]): boolean {
  // reachable[i]: the parts so far can have consumed exactly i pieces.
  let reachable = [true, ...pieces.map(() => false)];
  for (const part of parts) {
    const next = [part === many && reachable[0] === true];
    pieces.forEach(({ text, joins }, index) => {
      const before = reachable[index] === true;
      const within = next[index] === true;
      if (part === many) next.push(reachable[index + 1] === true || within);
      else if (part === one) next.push(text !== "" && (before || (within && joins)));
      else next.push(before && text === part);
    });
    reachable = next;
  }
  return reachable[pieces.length] === true;
}

function refuseOther(path: string, allow: readonly string[]): Error {
  return refusedByPolicy(
    `The path ${quoteText(path)} is not among those this source allows.`,
    allow.length === 0
      ? "This source allows no path at all."
      : `Use a path that matches one of: ${allow.slice(0, 20).join(", ")} ("*" is one segment, "**" any number; an encoded slash separates too).`,
  );
}
