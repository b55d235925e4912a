/** Knows where the base URL ends and the agent's part begins. */

/** The base URL's path without its trailing slashes: `""` for a base without a path. */
export function toBasePath(base: URL): string {
  let end = base.pathname.length;
  while (end > 0 && base.pathname[end - 1] === "/") end -= 1;
  return base.pathname.slice(0, end);
}

/** Same scheme, host and port. Not by `origin`, which a `blob:` URL borrows from the URL inside it. */
export function isSameOrigin(one: URL, other: URL): boolean {
  return one.protocol === other.protocol && one.host === other.host;
}

/**
 * The part of a path below the base, with its leading slash, or `""` for the base itself. Compared by whole
 * segments: `/v1evil` isn't below `/v1`.
 *
 * @returns `undefined` when the path isn't below the base
 */
export function cutBasePath(pathname: string, basePath: string): string | undefined {
  if (!pathname.startsWith(basePath)) return undefined;
  const rest = pathname.slice(basePath.length);
  return rest === "" || rest.startsWith("/") ? rest : undefined;
}
