/** One piece of memory for one body after the other: touching memory for the first time costs more than copying into it. */

/** What one transport keeps between bodies, at most. */
export const spareBytes: number = 2 ** 20;

export interface SpareMemory {
  /** A buffer of {@link spareBytes} for whoever comes; of several at the same time only one is kept afterwards. */
  take(): ArrayBuffer;
  /** Takes a buffer back, whose first bytes were used. Whoever still holds views of it holds nothing. */
  give(buffer: ArrayBuffer, usedBytes: number): void;
}

export function createSpareMemory(): SpareMemory {
  let spare: ArrayBuffer | undefined;
  return {
    take() {
      const taken = spare ?? new ArrayBuffer(spareBytes);
      spare = undefined;
      return taken;
    },
    give(buffer, usedBytes) {
      // The next body may be another user's.
      new Uint8Array(buffer, 0, usedBytes).fill(0);
      spare = structuredClone(buffer, { transfer: [buffer] });
    },
  };
}
