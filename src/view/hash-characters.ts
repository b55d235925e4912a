/** How characters are hashed into the tables. */

/** Odd numbers of 32 bits whose bits look random: of characters times these, added up, the highest bits are the hash. */
export const firstFactor = -1640531535;
export const secondFactor = -2048144789;
export const thirdFactor = -1028477387;

/** Tells the hash of a run with one more character. */
export function extendRun(hash: number, code: number): number {
  return ((hash << 5) - hash + code) | 0;
}

/** Stirs the hash of a run, so that all its bits are good. */
export function stirRun(hash: number): number {
  const stirred = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return stirred ^ (stirred >>> 12);
}
