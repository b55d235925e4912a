/** Finds many short byte strings in one pass over a text. */

/** A byte string to look for, and what a find means. */
export interface Anchor<Meaning> {
  readonly bytes: Buffer;
  readonly meaning: Meaning;
}

/** How many bytes are looked at together. */
const blockLength = 3;

/** Anchors of fewer bytes would make the steps for all others short: they have a pass of their own. */
const shortestStep = 6;

type Visit<Meaning> = (meaning: Meaning, at: number) => void;
type Scan<Meaning> = (bytes: Buffer, visit: Visit<Meaning>) => void;

/** Makes a search that visits every place where one of the anchors occurs. */
export function createScanner<Meaning>(anchors: readonly Anchor<Meaning>[]): Scan<Meaning> {
  const withLength = (least: number, below: number): readonly Anchor<Meaning>[] =>
    anchors.filter(({ bytes }) => bytes.length >= least && bytes.length < below);
  const tiny = withLength(1, blockLength);
  const scans = [withLength(blockLength, shortestStep), withLength(shortestStep, Number.POSITIVE_INFINITY)]
    .filter((some) => some.length > 0)
    .map(createPass);
  return (bytes, visit) => {
    for (const scan of scans) scan(bytes, visit);
    for (const anchor of tiny) {
      for (let at = bytes.indexOf(anchor.bytes); at >= 0; at = bytes.indexOf(anchor.bytes, at + 1))
        visit(anchor.meaning, at);
    }
  };
}

/**
 * The scan of Wu and Manber (1994): it looks at three bytes at a time and steps by as many as no anchor can end within, so
 * that its cost is a fraction of the text and hardly grows with the number of anchors.
 */
function createPass<Meaning>(anchors: readonly Anchor<Meaning>[]): Scan<Meaning> {
  const width = Math.min(...anchors.map((anchor) => anchor.bytes.length));
  const steps = new Uint8Array(2 ** 16).fill(width - blockLength + 1);
  const endings = new Map<number, Anchor<Meaning>[]>();
  for (const anchor of anchors) {
    for (let last = blockLength - 1; last < width; last++) {
      const block = hashBlock(anchor.bytes, last);
      steps[block] = Math.min(steps[block] ?? 0, width - 1 - last);
      if (last === width - 1) endings.set(block, [...(endings.get(block) ?? []), anchor]);
    }
  }
  return (bytes, visit) => {
    let last = width - 1;
    while (last < bytes.length) {
      const block = hashBlock(bytes, last);
      const step = steps[block] ?? 0;
      if (step === 0) {
        const at = last - width + 1;
        for (const anchor of endings.get(block) ?? []) {
          if (isAt(bytes, anchor.bytes, at)) visit(anchor.meaning, at);
        }
      }
      last += Math.max(1, step);
    }
  };
}

function hashBlock(bytes: Uint8Array, last: number): number {
  return (((bytes[last - 2] ?? 0) << 10) ^ ((bytes[last - 1] ?? 0) << 5) ^ (bytes[last] ?? 0)) & 0xffff;
}

/** Whether a byte string is at a place. */
export function isAt(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  if (at < 0 || at + wanted.length > bytes.length) return false;
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[at + index] !== wanted[index]) return false;
  }
  return true;
}

/** 1 for each byte that is such a character, 0 for the others. */
export function createByteTable(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
}
