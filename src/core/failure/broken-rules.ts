/** The rules of HTTP/1.1 that an answer can break, by the codes of Node's parser, as parts of a sentence. */

/** RFC 9112: sections 4 (first line), 5 (headers), 6 (Content-Length, Transfer-Encoding), 7.1 (chunks). */
const rules: readonly (readonly [RegExp, string])[] = [
  [/HEADER_OVERFLOW/, "its headers are larger than Node.js takes"],
  [/INVALID_HEADER_TOKEN/, "a header has a character that HTTP does not allow"],
  [/TRANSFER_ENCODING/, "its Transfer-Encoding is wrong, or stands beside a Content-Length"],
  [/UNEXPECTED_CONTENT_LENGTH/, "it has a Content-Length too many"],
  [/CONTENT_LENGTH/, "its Content-Length is not a number"],
  [/CHUNK|STRICT/, "the parts of its body are not as long as they say"],
  [/(?:CR|LF)_EXPECTED|UNEXPECTED_SPACE/, "a line of its head does not end as HTTP says"],
  [/STATUS|VERSION/, "its first line has no valid version or status"],
];

/** Takes a code. Returns the rule that was broken; undefined for a code of another kind. */
export function describeBrokenRule(code: string | undefined): string | undefined {
  if (code?.startsWith("HPE_") !== true) return undefined;
  return rules.find(([pattern]) => pattern.test(code))?.[1] ?? "it is not as HTTP says";
}
