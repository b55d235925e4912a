/** Knows the normal form in which rules look at a path. */

import { decodeFully } from "./decode-stages.js";
import { isPlainPath } from "./is-plain-path.js";

/**
 * The path decoded to the fixed point and NFKC-normalised. A slash that was encoded stands as `%2F` in it, and
 * nothing else does, so a rule can look at it both as part of a segment and as a separator.
 */
export function toDecodedPath(path: string): string {
  if (isPlainPath(path)) return path;
  return path
    .split("/")
    .map((segment) => (decodeFully(segment) ?? segment).replaceAll("/", "%2F"))
    .join("/");
}
