/** Shows a piece of refused input inside a message: short, quoted, and with nothing unprintable in it. */

/**
 * The text in double quotes, cut at `maxCharacters`, with every control, format, private, surrogate and
 * exotic space character as `\u{…}`: a message is read by terminals, logs and models, and none may be steered by it.
 * What may hold a secret must not be cut here, but after redaction: pass `Number.POSITIVE_INFINITY` for it.
 */
export function showInput(text: string, maxCharacters: number = 120): string {
  const shown = [...text.slice(0, maxCharacters)].map(showCharacter).join("");
  return text.length > maxCharacters ? `"${shown}…"` : `"${shown}"`;
}

function showCharacter(character: string): string {
  if (character === " " || !/[\p{C}\p{Z}]/u.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
