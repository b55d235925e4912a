/** One character of any code point, for texts of fast-check. */

import fc from "fast-check";

const firstSurrogate = 0xd8_00;
const surrogates = 0x8_00;

/**
 * The characters of fast-check's unit `binary`: all but the halves of surrogate pairs. That unit first lists its million characters, in each
 * process: 2 seconds and 90 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ff_ff - surrogates })
  .map(toCharacter, toNumber);

function toCharacter(number: number): string {
  return String.fromCodePoint(number < firstSurrogate ? number : number + surrogates);
}

function toNumber(character: unknown): number {
  const codePoint = typeof character === "string" ? (character.codePointAt(0) ?? 0) : 0;
  const number = codePoint < firstSurrogate ? codePoint : Math.max(0, codePoint - surrogates);
  if (toCharacter(number) !== character) throw new Error("This is not one whole character.");
  return number;
}
