/** Which part of a URL is the base of all calls, and which part of it is a secret by its looks, where no name says so. */

/** A session's id, a key: long, without a space, letters and digits mixed. Versions, dates and words are none of it. */
export function hasSecretLooks(value: string): boolean {
  const isAddress = value.includes("//") || /^(?:application|audio|image|multipart|text|video)\//.test(value);
  return /^[\w.~+/=:-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !isAddress;
}

/** A path without what may be a secret, or the id of something: `{id}` stands for letters of both cases and digits. */
export function hideIds(path: string): string {
  return path.replace(/[\w:-]{20,}/g, (word) =>
    /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) ? "{id}" : word,
  );
}

/** The credential as a path segment: a number, a colon and a key, after a word, as in Telegram's `/bot123456:ABC-DEF1234ghIkl/getMe`. */
const tokenSegment = /^([a-z]{0,10})(\d+(?::|%3A)[\w-]{10,})$/i;

export interface Base {
  /** The origin and the path up to a version: `https://api.example.com/v1`; a credential in the path is `{token}`. */
  readonly url: string;
  /** How many segments of the path it takes. */
  readonly length: number;
  readonly token?: string;
}

/** The base of one request's URL. */
export function findBase(url: URL): Base {
  const segments = url.pathname.split("/").filter(Boolean);
  const index = segments.findIndex((segment) => tokenSegment.test(segment));
  const [, prefix = "", token] = tokenSegment.exec(segments[index] ?? "") ?? [];
  if (token !== undefined) {
    const before = [url.origin, ...segments.slice(0, index), `${prefix}{token}`];
    return { url: before.join("/"), length: index + 1, token: decodeURIComponent(token) };
  }
  let end = 0;
  for (const [index, segment] of segments.slice(0, -1).slice(0, 5).entries()) {
    const isVersion = /^v\d[\w.]*$|^\d{4}-\d{2}(?:-\d{2})?$|^\d+\.\d+$/i.test(segment);
    const isRoot = /^(?:api|rest|jsonapi)$/i.test(segment) && index === end;
    const isNumber = /^\d$/.test(segment) && index === end;
    if (isVersion || isRoot || isNumber) end = index + 1;
  }
  return { url: [url.origin, ...segments.slice(0, end)].join("/"), length: end };
}

/** Most frequent first. */
export function rankServers(bases: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const base of bases) counts.set(base, (counts.get(base) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([base]) => base);
}
