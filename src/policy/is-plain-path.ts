/** Knows the paths that every server reads alike: most are so, and need no further look. */

const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/;

/**
 * Whether a path consists of unreserved ASCII characters (RFC 3986 section 2.3) and single slashes, and no segment is `.` or
 * `..`. Nothing in such a path can be decoded, folded or normalised to anything else.
 */
export function isPlainPath(path: string): boolean {
  return plainPath.test(path);
}
