/** Percent-encodes the characters that can't stand in a URL as they are, once, and leaves every other byte alone. */

/** What RFC 3986 has no place for in a path or query, but for what the wall refuses anyway. */
const foreign = /[ "<>^`{}|\\]|[^\0-\u007f]+/g;

/** A path for the wire. `|` is encoded too; `[` and `]` stay, as the URL standard leaves them. */
export function encodePathOnce(path: string): string {
  return path.replace(foreign, encodeURIComponent);
}

/** A query string for the wire; `'` is encoded because the URL standard would do so. */
export function encodeQueryOnce(query: string): string {
  return query.replace(foreign, encodeURIComponent).replaceAll("'", "%27");
}
