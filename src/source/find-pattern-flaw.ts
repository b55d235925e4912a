/** Whether a pattern of `paths.allow` or `paths.deny` can match anything. */

import type { Flaw } from "./flaw.js";
import { hasDotSegment } from "./path-readings.js";

/** A pattern is a path from the base URL on; a whole segment may be `*` (any one) or `**` (any number). */
export function findPatternFlaw(pattern: string): Flaw | undefined {
  if (!pattern.startsWith("/")) {
    return { message: "does not begin with `/`", fix: 'Begin it with a slash, such as "/issues/**".' };
  }
  if (/[?#\\\s\p{Cc}]/u.test(pattern)) {
    return {
      message: "holds `?`, `#`, a backslash, a space or a control character, which no path has",
      fix: "Leave out the query and write a space as %20.",
    };
  }
  if (/[{}]/.test(pattern)) {
    return {
      message: "holds a brace, which matches itself alone",
      fix: 'Write "*" in place of a {name} segment.',
    };
  }
  const segments = pattern.slice(1).split("/");
  if (segments.some((segment) => segment.includes("*") && segment !== "*" && segment !== "**")) {
    return {
      message: "has a `*` that is part of a segment",
      fix: 'Let `*` (one segment) or `**` (any number) stand alone between slashes, such as "/users/*/repos/**".',
    };
  }
  if (hasDotSegment(pattern)) {
    return {
      message: "has a `.` or `..` segment, which no request has",
      fix: "Write the path that it leads to.",
    };
  }
  return undefined;
}
