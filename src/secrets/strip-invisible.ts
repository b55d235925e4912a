/** Removes characters that a reader doesn't see and that would hide a secret from a search. */

/** Zero-width characters and the soft hyphen; raw, or as JSON escapes. */
const invisible =
  /[\u200b-\u200f\u2060-\u2064\ufeff\u180e\u00ad]|(?<!\\)(\\+)u(?:200[b-f]|206[0-4]|feff|180e|00ad)/gi;

/** On a text of one-byte characters the engine knows at once that this can't match. */
const wide = /[\u0100-\uffff]/;

/** The low bytes of U+200B to U+200F, which hardly any other text holds. */
const joinerBytes = [0x0b, 0x0c, 0x0d, 0x0e, 0x0f];

const joiner = /[\u200b-\u200f]/;

const escapes = ["\\u200", "\\u206", "\\ufe", "\\uFE"];

const chunkLength = 16_384;

export interface StrippedText {
  readonly text: string;
  /** Where a position of the stripped text lies in the original. */
  locate(position: number): number;
}

/** The text without invisible characters; undefined when it has none, which is found out natively and fast. */
export function stripInvisible(text: string): StrippedText | undefined {
  if (!hasEscaped(text) && !hasRaw(text)) return undefined;
  // Where each removed stretch begins in the stripped text, and how much was removed up to and including it.
  const places: number[] = [];
  const totals: number[] = [];
  let removed = 0;
  const stripped = text.replace(invisible, (stretch: string, backslashes: string | undefined, at: number) => {
    const kept = countKept(backslashes?.length ?? 0);
    places.push(at + kept - removed);
    removed += stretch.length - kept;
    totals.push(removed);
    return stretch.slice(0, kept);
  });
  return { text: stripped, locate: (position) => position + (totals[lastUpTo(places, position)] ?? 0) };
}

function hasEscaped(text: string): boolean {
  return text.includes("\\u") && escapes.some((beginning) => text.includes(beginning));
}

/** A character class over the whole of a wide text would take as long as parsing it: native searches come first. */
function hasRaw(text: string): boolean {
  if (!wide.test(text)) return false;
  if (text.includes("\ufeff") || text.includes("\u2060")) return true;
  const chunk = Buffer.alloc(Math.min(chunkLength, text.length));
  for (let base = 0; base < text.length; base += chunk.length) {
    const stretch = text.slice(base, base + chunk.length);
    const lowBytes = chunk.subarray(0, chunk.write(stretch, "latin1"));
    if (joinerBytes.some((byte) => lowBytes.includes(byte)) && joiner.test(stretch)) return true;
  }
  return false;
}

/**
 * How many of the backslashes before `u200b` belong to what stands before it. Each level of JSON doubles them, so the
 * escape's own are the lowest power of two in their number: `\\\u200b` is an escaped backslash and then the escape.
 */
function countKept(backslashes: number): number {
  return backslashes - (backslashes & -backslashes);
}

/** The index of the last entry that is at most `limit`, or -1. */
function lastUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
