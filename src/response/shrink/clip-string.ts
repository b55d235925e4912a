/** Cuts a text where a reader would not see half a character. */

/** Marks the end of a text that goes on. */
export const clipMark = "…";
/** Longest run of code units looked through for the end of a character (flags, families, stacked accents). */
const reach = 64;

/** Made at its first use: it takes longer than all the rest of a first answer's view. */
const openSegmenter: () => Intl.Segmenter = (() => {
  let segmenter: Intl.Segmenter | undefined;
  return () => {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
    return segmenter;
  };
})();

/** The longest beginning of at most `length` UTF-16 units that ends at a grapheme, without a mark. */
export function clipAtGrapheme(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.max(0, Math.floor(length));
  if (isPlain(text, end)) return text.slice(0, end);
  const start = Math.max(0, end - reach);
  let last = start;
  for (const { index, segment } of openSegmenter().segment(text.slice(start, end + reach))) {
    if (start + index + segment.length > end) break;
    last = start + index + segment.length;
  }
  // A single character longer than the reach: cut between its code points.
  return text.slice(0, last > start || start === 0 ? last : backToPair(text, end));
}

/** Whether a cut here can't split anything: both sides are ASCII, and not a line break's two halves. */
function isPlain(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  const before = end === 0 ? 0 : text.charCodeAt(end - 1);
  return before < 128 && after < 128 && !(before === 13 && after === 10);
}

function backToPair(text: string, end: number): number {
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? Math.max(0, end - 1) : end;
}

/** A text cut at its last line break, or blank, when that loses little. */
export function clipAtLine(text: string, length: number): string {
  const clipped = clipAtGrapheme(text, length);
  if (clipped.length === text.length) return clipped;
  const line = clipped.lastIndexOf("\n");
  return line >= clipped.length * 0.85 ? clipped.slice(0, line + 1) : clipped;
}
