/** How characters are hashed into the tables: multiplied, added, stirred. */

/** Odd numbers of 32 bits whose bits look random, as such hashes use them. */
export const firstFactor = -1640531535;
export const secondFactor = -2048144789;
export const thirdFactor = -1028477387;
const stirFactor = 0x2c1b3c6d;

/** Stirs a sum of characters times factors; the highest bits are the best. */
export function stirSum(sum: number): number {
  return Math.imul(sum ^ (sum >>> 15), stirFactor);
}

/** Tells the hash of a word with one more character. */
export function extendWord(hash: number, code: number): number {
  return ((hash << 5) - hash + code) | 0;
}

/** Stirs the hash of a word, so that all its bits are good. */
export function stirWord(hash: number): number {
  const stirred = stirSum(hash);
  return stirred ^ (stirred >>> 12);
}
