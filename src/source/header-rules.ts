/** Which header names and values a record may hold. */

/** A field name is a token (RFC 9110, sections 5.1 and 5.6.2). */
export const headerNamePattern: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * What Node's parser and every server take in a field value (RFC 9110, section 5.5): tab, visible ASCII and the upper
 * half of Latin-1. No line break, no other control character.
 */
export const headerValuePattern: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that say where a message goes or where it ends (RFC 9110 section 7, RFC 9112 section 6): given by a record,
 * they would contradict what is really sent. `Content-Length: 0` before a body is a second, smuggled request.
 */
const framingHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "proxy-connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "http2-settings",
  "proxy-authorization",
  "proxy-authenticate",
]);

/** Whether a header belongs to the connection and not to the record. */
export function isFramingHeader(name: string): boolean {
  return framingHeaders.has(name.toLowerCase());
}
