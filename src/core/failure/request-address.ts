/** The parts of the address of a request that texts name: host, path without a query, segments that a path repeats of the base URL. */

/** A URL without its query, which may contain anything. */
export function dropQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Host and port as they are written; they may contain a placeholder or a redacted part. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
}

/** The same base URL with another scheme. */
export function toBase(baseUrl: string, scheme: "http" | "https"): string {
  return baseUrl.replace(/^https?/i, scheme).replace(/\/$/, "");
}

/**
 * The longest beginning of a path that is the end of the base URL, too, such as `/v1`, and the path without it; undefined when there is
 * none. Placeholders are compared as they are written.
 */
export function findRepeatedSegments(
  baseUrl: string,
  path: string,
): { segments: string; rest: string } | undefined {
  const [own = "", ...query] = path.split("?");
  const base = listSegments(baseUrl.replace(/^https?:\/\/[^/]*/i, ""));
  const segments = listSegments(own);
  for (let length = Math.min(base.length, segments.length); length > 0; length--) {
    const tail = `/${base.slice(-length).join("/")}`;
    if (tail !== `/${segments.slice(0, length).join("/")}`) continue;
    return { segments: tail, rest: [`/${segments.slice(length).join("/")}`, ...query].join("?") };
  }
  return undefined;
}

/** The segments of a path, without its query. */
export function listSegments(path: string): string[] {
  return dropQuery(path)
    .split("/")
    .filter((segment) => segment !== "");
}
