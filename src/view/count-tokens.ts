/** Estimates tokens by a rule that a reader can check, and tells by it whether a document fits whole. */

import type { JsonValue } from "../json/exact-number.js";
import { writeJsonPieces } from "../json/write-json.js";
import type { CountTokens } from "./summary.js";

/** Words with the mark before them, digits, other alphabets, wide scripts and emoji, white space, punctuation. */
const runs =
  /[^A-Za-z0-9\s\u0080-\uffff]?(?:[A-Z]?[a-z]+|[A-Z]+)|\d+|[\u0080-\u2dff]+|[\u2e00-\uffff]+|\s+|[^A-Za-z0-9\s\u0080-\uffff]+/g;

/**
 * Estimates how many tokens a text costs: within a fifth of OpenAI's `o200k_base` for JSON, prose and most languages, up to a third for
 * some. Whoever needs it exactly passes the option `countTokens`.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(runs)) tokens += weighRun(run);
  return Math.ceil(tokens);
}

function weighRun(run: string): number {
  const { length } = run;
  const code = run.charCodeAt(length - 1);
  if (code >= 0x2e00) return length * 0.8;
  if (code >= 0x80) return Math.max(1, length * 0.36);
  if (code <= 0x20) return length > 1 ? 1.2 : 0;
  if (code >= 0x30 && code <= 0x39) return Math.ceil(length / 3);
  // A letter: a word with the mark before it, which costs a little.
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)
    return Math.max(1, length / 5.5) + (run.charCodeAt(0) < 0x41 && run.charCodeAt(0) > 0x20 ? 0.3 : 0);
  return Math.max(1, length / 2.6);
}

/** No text of this many characters per token fits: spaces are the cheapest, with some 40 to a token. */
const mostCharactersOfToken = 40;
/** Pieces cost a little more than the whole that they make. */
const seams = { part: 1.02, tokens: 2 } as const;

/**
 * Takes a document and a number of tokens. Returns its compact JSON, with the digits of the wire; `undefined` when that costs more, which
 * is known as soon as its beginning does.
 */
export function writeIfFits(
  document: JsonValue,
  maxTokens: number,
  countTokens: CountTokens,
): string | undefined {
  let text = "";
  let tokens = 0;
  for (const piece of writeJsonPieces(document)) {
    text += piece;
    if (text.length > maxTokens * mostCharactersOfToken) return undefined;
    tokens += countTokens(piece);
    if (tokens > maxTokens * seams.part + seams.tokens) return undefined;
  }
  return countTokens(text) <= maxTokens ? text : undefined;
}
