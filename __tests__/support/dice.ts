/** Numbers that look random and are the same in every run. */

export function createDice(seed: number) {
  let state = seed >>> 0;
  return {
    /** A whole number from 0 to below `limit`. */
    whole(limit: number): number {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
    },
  };
}
