/** Makes a stranger's text fit to be shown: one line, nothing invisible, bounded. */

/** Zero-width joiners are part of words and emoji; every other format character (bidi, tags, BOM) only hides things. */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;
const lineBreakOrControl = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** Returns the text on one line without control, bidi or other invisible characters, at most `maxChars` long (`…` marks a cut). */
export function cleanText(text: string, maxChars: number): string {
  const cleaned = text
    .slice(0, maxChars * 4)
    .replace(lineBreakOrControl, " ")
    .replace(invisible, "")
    .trim();
  const cutBefore = text.length > maxChars * 4;
  if (cleaned.length <= maxChars && !cutBefore) return cleaned;
  const kept = cleaned.slice(0, maxChars - 1);
  return `${endsInsidePair(kept) ? kept.slice(0, -1) : kept}…`;
}

function endsInsidePair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
