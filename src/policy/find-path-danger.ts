/** Judges a path by the most lenient server there could be: could any reading of it climb out of the base path? */

import { decodeStages, hasOverlongEscape } from "./decode-stages.js";

export type PathDanger =
  | "dot_segment"
  | "backslash"
  | "control_character"
  | "overlong_encoding"
  | "endless_encoding"
  | "leading_double_slash";

/** Characters that are not a slash or a dot after NFKC either, but that some servers map to one. */
const slashLookalikes = /[\\\u00a5\u20a9\u2044\u2215\u2216\u2571\u2572\u29f5\u29f8\u29f9]/g;
const dotLookalikes = /[\u06d4\u0701\u0702\u3002\ua4f8\uff61]/g;

/** What servers are known to drop from a segment: blanks (`+` is one in forms), controls, invisible characters. */
const droppedCharacters = /[\s+\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The first danger in any reading of a path, `undefined` when all are harmless. It looks at the path as it was
 * given and after each round of percent-decoding and NFKC down to the fixed point.
 *
 * @param path a path below the base, starting with `/`, without query
 */
export function findPathDanger(path: string): PathDanger | undefined {
  const stages = decodeStages(path);
  if (stages === undefined) return "endless_encoding";
  for (const stage of stages) {
    const danger = findStageDanger(stage);
    if (danger !== undefined) return danger;
  }
  return undefined;
}

function findStageDanger(stage: string): PathDanger | undefined {
  if (hasOverlongEscape(stage)) return "overlong_encoding";
  if (hasDotSegment(stage)) return "dot_segment";
  if (stage.includes("\\")) return "backslash";
  if (/[\p{Cc}\u2028\u2029]/u.test(stage)) return "control_character";
  return stage.startsWith("//") ? "leading_double_slash" : undefined;
}

function hasDotSegment(stage: string): boolean {
  return foldPath(stage).split("/").some(isDotSegment);
}

/** The path with lookalikes of `/` and `.` made plain and everything gone that servers drop. */
export function foldPath(path: string): string {
  return path.replace(slashLookalikes, "/").replace(dotLookalikes, ".").replace(droppedCharacters, "");
}

/** `.` or `..`, also before path parameters (`..;x`) and before what a second parse would cut off (`..?`, `..#`). */
function isDotSegment(segment: string): boolean {
  const end = segment.search(/[;?#]/);
  const name = end === -1 ? segment : segment.slice(0, end);
  return name === "." || name === "..";
}
