/** Writes a document whole when it fits a number of tokens, and finds out cheaply when it does not. */

import type { JsonValue } from "../json/exact-number.js";
import { writeJsonPieces } from "../json/write-json.js";
import { hasMoreScalars } from "./count-scalars.js";
import type { CountTokens } from "./summary.js";

/** Bodies with more scalars than this times the budget are not even tried. */
const mostScalarsOfToken = 2;
/** Pieces cost a little more than the whole that they make. */
const seams = { part: 1.02, tokens: 2 } as const;

/** Characters that are counted at once. */
const pieceLength = 8_192;

/** Returns the document as compact JSON; `undefined` when that costs more than `maxTokens`, which is known as soon as its beginning does. */
export function writeIfFits(
  document: JsonValue,
  maxTokens: number,
  countTokens: CountTokens,
): string | undefined {
  if (hasMoreScalars(document, maxTokens * mostScalarsOfToken)) return undefined;
  let tokens = 0;
  let text = "";
  for (const piece of writeJsonPieces(document)) {
    for (let start = 0; start < piece.length; start += pieceLength) {
      tokens += countTokens(piece.slice(start, start + pieceLength));
      if (tokens > maxTokens * seams.part + seams.tokens) return undefined;
    }
    text += piece;
  }
  return countTokens(text) <= maxTokens ? text : undefined;
}
