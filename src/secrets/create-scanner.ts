/** Finds the anchors of all needles in one pass over the text. */

import type { Anchor } from "./anchor.js";

/** Reports that an anchor begins at a position of the text. */
export type AnchorVisitor = (anchor: Anchor, position: number) => void;

export type Scanner = (text: string, visit: AnchorVisitor) => void;

/** Shorter anchors would make the steps of the common pass too short; they are searched one by one. */
const shortestStep = 6;

/** How many characters are looked at together. */
const blockLength = 3;

/** Up to this many anchors the small table, which stays in cache, is sparse enough. */
const fewAnchors = 100;

/** Small enough to stay in a processor's first cache. */
const chunkLength = 16_384;

/**
 * The scan of Wu and Manber (1994): it looks at three characters at a time and steps by as many as no anchor can end
 * within, so that its cost is a fraction of the text and hardly grows with the number of anchors. It reads the low bytes
 * of a chunk at a time, because a typed array is read several times faster than a string; finds are checked on the text.
 */
export function createScanner(anchors: readonly Anchor[]): Scanner {
  const common = anchors.filter((anchor) => anchor.text.length >= shortestStep);
  const short = anchors.filter((anchor) => anchor.text.length < shortestStep);
  const scanCommon = common.length === 0 ? undefined : createCommonScan(common);
  return (text, visit) => {
    scanCommon?.(text, visit);
    for (const anchor of short) scanOne(text, anchor, visit);
  };
}

function scanOne(text: string, anchor: Anchor, visit: AnchorVisitor): void {
  const spellings = anchor.anyCase ? [anchor.text, anchor.text.toUpperCase()] : [anchor.text];
  for (const spelling of spellings) {
    for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) visit(anchor, at);
  }
}

function createCommonScan(anchors: readonly Anchor[]): Scanner {
  const width = Math.min(...anchors.map((anchor) => anchor.text.length));
  const tableLength = anchors.length <= fewAnchors ? 2 ** 16 : 2 ** 18;
  const steps = new Uint8Array(tableLength).fill(width - blockLength + 1);
  const endings = new Map<number, Anchor[]>();
  for (const anchor of anchors) addAnchor(anchor, width, steps, endings);
  const chunk = Buffer.alloc(chunkLength);

  return (text, visit) => {
    for (let base = 0; base + width <= text.length; base += chunkLength - width + 1) {
      const length = chunk.write(text.slice(base, base + chunkLength), "latin1");
      scanChunk(chunk, length, width, steps, (last) => {
        const position = base + last + 1 - width;
        for (const anchor of endings.get(blockAt(chunk, last) & (tableLength - 1)) ?? []) {
          if (standsAt(text, anchor, position)) visit(anchor, position);
        }
      });
    }
  };
}

function addAnchor(
  anchor: Anchor,
  width: number,
  steps: Uint8Array,
  endings: Map<number, readonly Anchor[]>,
): void {
  for (let last = blockLength - 1; last < width; last++) {
    for (const block of listBlocks(anchor, last)) {
      const entry = block & (steps.length - 1);
      steps[entry] = Math.min(steps[entry] ?? 0, width - 1 - last);
      if (last === width - 1) endings.set(entry, [...(endings.get(entry) ?? []), anchor]);
    }
  }
}

/** The blocks that end at a character of the anchor: one, or one for each mix of cases. */
function listBlocks({ text, anyCase }: Anchor, last: number): readonly number[] {
  const [first, second, third] = [last - 2, last - 1, last].map((at) =>
    caseCodes(text.charCodeAt(at), anyCase),
  );
  const blocks: number[] = [];
  for (const one of first ?? [])
    for (const two of second ?? []) for (const three of third ?? []) blocks.push(joinBlock(one, two, three));
  return blocks;
}

/** A letter's code in both cases. */
function caseCodes(code: number, anyCase: boolean): readonly number[] {
  return anyCase && (code | 0x20) >= 0x61 ? [code | 0x20, code & ~0x20] : [code];
}

/** A number for three bytes; different blocks may share one. */
function joinBlock(first: number, second: number, third: number): number {
  return (first << 11) ^ (second << 5) ^ third;
}

function blockAt(bytes: Uint8Array, last: number): number {
  return joinBlock(bytes[last - 2] ?? 0, bytes[last - 1] ?? 0, bytes[last] ?? 0);
}

/**
 * Four cursors, each over its quarter of the chunk: while one waits for its table entry the others go on, which more than
 * doubles the speed. What a quarter still has when another is done is scanned by one cursor.
 */
function scanChunk(
  bytes: Uint8Array,
  length: number,
  width: number,
  steps: Uint8Array,
  check: (last: number) => void,
): void {
  const mask = steps.length - 1;
  const quarter = Math.max(width, length >> 2);
  const ends = [quarter, quarter * 2, quarter * 3, length].map((end) => Math.min(end, length));
  const [firstEnd = 0, secondEnd = 0, thirdEnd = 0, fourthEnd = 0] = ends;
  let first = width - 1;
  let second = firstEnd;
  let third = secondEnd;
  let fourth = thirdEnd;
  while (first < firstEnd && second < secondEnd && third < thirdEnd && fourth < fourthEnd) {
    const firstStep = steps[blockAt(bytes, first) & mask] ?? 1;
    const secondStep = steps[blockAt(bytes, second) & mask] ?? 1;
    const thirdStep = steps[blockAt(bytes, third) & mask] ?? 1;
    const fourthStep = steps[blockAt(bytes, fourth) & mask] ?? 1;
    if (firstStep === 0) check(first);
    if (secondStep === 0) check(second);
    if (thirdStep === 0) check(third);
    if (fourthStep === 0) check(fourth);
    first += firstStep === 0 ? 1 : firstStep;
    second += secondStep === 0 ? 1 : secondStep;
    third += thirdStep === 0 ? 1 : thirdStep;
    fourth += fourthStep === 0 ? 1 : fourthStep;
  }
  scanRest(bytes, first, firstEnd, steps, check);
  scanRest(bytes, second, secondEnd, steps, check);
  scanRest(bytes, third, thirdEnd, steps, check);
  scanRest(bytes, fourth, fourthEnd, steps, check);
}

function scanRest(
  bytes: Uint8Array,
  start: number,
  end: number,
  steps: Uint8Array,
  check: (last: number) => void,
): void {
  for (let at = start; at < end; ) {
    const step = steps[blockAt(bytes, at) & (steps.length - 1)] ?? 1;
    if (step === 0) check(at);
    at += step === 0 ? 1 : step;
  }
}

function standsAt(text: string, anchor: Anchor, position: number): boolean {
  if (!anchor.anyCase) return text.startsWith(anchor.text, position);
  const stretch = text.slice(position, position + anchor.text.length);
  return stretch.toLowerCase() === anchor.text;
}
