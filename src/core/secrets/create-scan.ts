/** Finds many short texts in one pass over a long one. */

type Visit<Meaning> = (meaning: Meaning, at: number) => void;
type Scan<Meaning> = (text: string, visit: Visit<Meaning>) => void;

/** How many characters are looked at together. */
const blockLength = 3;
/** Short ones would make the steps for all others short: they have a pass of their own. Longer steps are not faster. */
const [shortestStep, longestStep] = [6, 16];

/** Makes a search that visits every place where one of the texts occurs. */
export function createScan<Meaning>(
  meanings: readonly Meaning[],
  textOf: (meaning: Meaning) => string,
): Scan<Meaning> {
  const between = (least: number, below: number): readonly Meaning[] =>
    meanings.filter((meaning) => textOf(meaning).length >= least && textOf(meaning).length < below);
  const tiny = between(1, blockLength);
  const passes = [between(blockLength, shortestStep), between(shortestStep, Number.POSITIVE_INFINITY)]
    .filter((some) => some.length > 0)
    .map((some) => createPass(some, textOf));
  return (text, visit) => {
    for (const pass of passes) pass(text, visit);
    for (const meaning of tiny) {
      const wanted = textOf(meaning);
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) visit(meaning, at);
    }
  };
}

/**
 * The scan of Wu and Manber (1994): it looks at three characters at a time and steps by as many as no text can end within, so that its
 * cost is a fraction of the text and hardly grows with the number of texts.
 */
function createPass<Meaning>(
  meanings: readonly Meaning[],
  textOf: (meaning: Meaning) => string,
): Scan<Meaning> {
  const width = Math.min(longestStep, ...meanings.map((meaning) => textOf(meaning).length));
  const steps = new Uint8Array(2 ** 16).fill(width - blockLength + 1);
  const endings = new Map<number, Meaning[]>();
  for (const meaning of meanings) {
    // The last characters of a secret are the ones that differ from another's.
    const start = textOf(meaning).length - width;
    for (let last = blockLength - 1; last < width; last++) {
      const block = hashBlock(textOf(meaning), start + last);
      steps[block] = Math.min(steps[block] ?? 0, width - 1 - last);
      if (last === width - 1) endings.set(block, [...(endings.get(block) ?? []), meaning]);
    }
  }
  return (text, visit) => {
    let last = width - 1;
    while (last < text.length) {
      const block = hashBlock(text, last);
      const step = steps[block] ?? 0;
      if (step === 0) {
        for (const meaning of endings.get(block) ?? []) {
          const wanted = textOf(meaning);
          const at = last + 1 - wanted.length;
          if (at >= 0 && text.startsWith(wanted, at)) visit(meaning, at);
        }
      }
      last += Math.max(1, step);
    }
  };
}

function hashBlock(text: string, last: number): number {
  return (
    ((text.charCodeAt(last - 2) << 10) ^ (text.charCodeAt(last - 1) << 5) ^ text.charCodeAt(last)) & 0xffff
  );
}
