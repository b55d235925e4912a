/** Whether a path segment could climb out of its place on any server, however leniently that server decodes it. */

/** Deeper nesting of escapes than this is no honest value. */
const maxDecodings = 10;

/** Bytes that only an overlong UTF-8 form begins with; some servers read `%c0%ae` as a dot (RFC 3629, section 3). */
const overlongPattern = /%(?:c[01]|e0%[89]|f0%8)/i;

/**
 * Decodes to a fixed point, and judges as the most lenient server would: NFKC, `\` as `/`, `;params` dropped,
 * control characters dropped.
 */
export function hasDotSegment(text: string): boolean {
  let current = text;
  for (let round = 0; round < maxDecodings; round += 1) {
    if (overlongPattern.test(current)) return true;
    const decoded = decodeOnce(current).normalize("NFKC");
    if (decoded === current) return holdsDotSegment(current);
    current = decoded;
  }
  return true;
}

function decodeOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

function holdsDotSegment(text: string): boolean {
  const segments = text
    .replace(/\p{Cc}/gu, "")
    .replaceAll("。", ".")
    .split(/[/\\]/);
  return segments.some((segment) => {
    const [name = ""] = segment.split(";", 1);
    return name.trim() === "." || name.trim() === "..";
  });
}
