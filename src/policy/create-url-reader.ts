/** Parses a URL that comes with every call, such as the base URL, only once. */

/** The parsed URL; others share it, so nobody may change it. Throws what `new URL` does. */
export type UrlReader = (text: string) => URL;

const maxUrls = 100;

export function createUrlReader(): UrlReader {
  const known = new Map<string, URL>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const url = new URL(text);
    // As many tenants with a base URL of their own don't call at the same time.
    if (known.size >= maxUrls) known.clear();
    known.set(text, url);
    return url;
  };
}
