/** How many tokens a whole body would cost, at a price that does not grow with it. */

import type { CountTokens } from "../view/summary.js";

const sampleCount = 64;
const sampleCharacters = 320;
/** A tokenizer looks at a cut word once more than at a whole one: each sample costs about half a token too much. */
const cutTokens = 0.5;

/** Counts a short text; of a long one counts evenly spread samples and scales up, to three digits. */
export function estimateTotalTokens(text: string, countTokens: CountTokens): number {
  if (text.length <= 2 * sampleCount * sampleCharacters) return countTokens(text);
  const step = (text.length - sampleCharacters) / (sampleCount - 1);
  const samples = Array.from({ length: sampleCount }, (_, index) => {
    const start = Math.floor(index * step);
    return text.slice(start, start + sampleCharacters);
  });
  const sampled = samples.reduce((sum, sample) => sum + Math.max(0, countTokens(sample) - cutTokens), 0);
  return Number(((sampled / (sampleCount * sampleCharacters)) * text.length).toPrecision(3));
}
