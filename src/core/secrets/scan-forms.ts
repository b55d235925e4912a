/** Finds every place of a text where one of many texts occurs, in one pass. */

import type { Form } from "./secret-forms.js";

/** Visits every place where one of the forms occurs. */
export type Scan = (text: string, visit: (form: Form, at: number) => void) => void;

/** How many characters are looked at together. */
const blockLength = 3;
/** Short ones would make the steps for all others short: they have a pass of their own. Longer steps are not faster. */
const [shortestStep, longestStep] = [6, 16];

/** Makes a search for these forms. */
export function createScan(forms: readonly Form[]): Scan {
  const between = (least: number, below: number): readonly Form[] =>
    forms.filter(({ text: { length } }) => length >= least && length < below);
  const tiny = between(1, blockLength);
  const passes = [
    between(blockLength, shortestStep),
    between(shortestStep, Number.POSITIVE_INFINITY),
  ]
    .filter((some) => some.length > 0)
    .map(createPass);
  return (text, visit) => {
    for (const pass of passes) pass(text, visit);
    for (const form of tiny)
      for (let at = text.indexOf(form.text); at >= 0; at = text.indexOf(form.text, at + 1))
        visit(form, at);
  };
}

/**
 * The scan of Wu and Manber (1994): it looks at three characters at a time and steps by as many as no text can end within, so that its
 * cost is a fraction of the text and hardly grows with the number of texts.
 */
function createPass(forms: readonly Form[]): Scan {
  const width = Math.min(longestStep, ...forms.map((form) => form.text.length));
  const steps = new Uint8Array(2 ** 16).fill(width - blockLength + 1);
  const endings = new Map<number, Form[]>();
  for (const form of forms) {
    // The last characters of a secret are the ones that differ from another's.
    const start = form.text.length - width;
    for (let last = blockLength - 1; last < width; last++) {
      const block = hashBlock(form.text, start + last);
      steps[block] = Math.min(steps[block] ?? 0, width - 1 - last);
      if (last === width - 1) endings.set(block, [...(endings.get(block) ?? []), form]);
    }
  }
  return (text, visit) => {
    let last = width - 1;
    while (last < text.length) {
      const block = hashBlock(text, last);
      const step = steps[block] ?? 0;
      if (step === 0) {
        for (const form of endings.get(block) ?? []) {
          const at = last + 1 - form.text.length;
          if (at >= 0 && text.startsWith(form.text, at)) visit(form, at);
        }
      }
      last += Math.max(1, step);
    }
  };
}

function hashBlock(text: string, last: number): number {
  return (
    ((text.charCodeAt(last - 2) << 10) ^ (text.charCodeAt(last - 1) << 5) ^ text.charCodeAt(last)) &
    0xffff
  );
}
