/** Other people's text in a message: one line, bounded. */

/** Blank runs become one space; what is longer than `maxCharacters` is cut and ends with `…`. */
export function clipText(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).trimEnd()}…`;
}
