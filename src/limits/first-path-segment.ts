/** Knows which part of an API a path belongs to, as far as quotas go: many APIs count per endpoint. */

/** The first segment of a request's path below the base path, without query: `repos` of `/repos/a/b?page=2`; `""` of `/`. */
export function firstPathSegment(path: string): string {
  return /^\/{0,100}([^/?#]{0,200})/.exec(path)?.[1] ?? "";
}
