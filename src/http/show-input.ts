/** Shows a piece of refused input inside a message: short, quoted, and with nothing unprintable in it. */

const maxShown = 120;

/**
 * The text in double quotes, cut at 120 characters, with every control, format, private, surrogate and
 * exotic space character as `\u{…}`: a message is read by terminals, logs and models, and none may be steered by it.
 */
export function showInput(text: string): string {
  const shown = [...text.slice(0, maxShown)].map(showCharacter).join("");
  return text.length > maxShown ? `"${shown}…"` : `"${shown}"`;
}

function showCharacter(character: string): string {
  if (character === " " || !/[\p{C}\p{Z}]/u.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
