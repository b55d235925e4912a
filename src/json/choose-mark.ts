/** Chooses the character that marks number literals: one that the text doesn't hold, raw or escaped. */

/** C1 controls whose code has only decimal digits, so that an escape can be written in one way only. */
const preferred = [0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x90, 0x91, 0x92, 0x93];

/**
 * Takes a text. Returns a character that does not occur in it and that no `\u` escape in it stands for: a C1
 * control (so that a text of one-byte characters stays one), else any other; `""` when all 65,536 occur.
 */
export function chooseMark(text: string): string {
  for (const unit of preferred) {
    const mark = String.fromCharCode(unit);
    if (!text.includes(mark) && !text.includes(`\\u00${unit.toString(16)}`)) return mark;
  }
  return findUnused(text);
}

function findUnused(text: string): string {
  const used = new Uint8Array(0x10000);
  for (let index = 0; index < text.length; index += 1) used[text.charCodeAt(index)] = 1;
  for (const match of text.matchAll(/\\u([0-9a-fA-F]{4})/g)) used[Number.parseInt(match[1] ?? "", 16)] = 1;
  // Neither control characters, which JSON would escape, nor surrogates.
  for (let unit = 0x80; unit < 0x10000; unit += 1) {
    if (used[unit] === 0 && (unit < 0xd800 || unit > 0xdfff)) return String.fromCharCode(unit);
  }
  return "";
}
