/** One text to look for, prepared for comparing character by character. */

export interface Needle {
  readonly text: string;
  readonly codePoints: readonly number[];
  /** The UTF-8 bytes of each code point. */
  readonly utf8: readonly (readonly number[])[];
  /** Whether only an exact whole value counts, because the text is so short that it stands inside ordinary words. */
  readonly whole: boolean;
  /** Whether it is all digits, and so must not be found inside a longer number. */
  readonly digits: boolean;
}

/** A secret of fewer characters is redacted only where it is an exact whole value. */
export const shortestAnywhere = 8;

export function createNeedle(text: string): Needle {
  const characters = [...text];
  return {
    text,
    codePoints: characters.map((character) => character.codePointAt(0) ?? 0),
    utf8: characters.map((character) => [...Buffer.from(character, "utf8")]),
    whole: characters.length < shortestAnywhere,
    digits: /^[0-9]+$/.test(text),
  };
}
