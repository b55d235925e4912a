/** Writes a document whole when it fits a number of tokens, and finds out cheaply when it does not. */

import type { JsonValue } from "../json/exact-number.js";
import { writeJsonPieces } from "../json/write-json.js";
import type { CountTokens } from "./summary.js";

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
