/** Writes a document whole when it fits a number of tokens, and finds out cheaply when it does not. */

import { glanceAt, type JsonDocument } from "../json/json-document.js";
import { hasMoreScalars } from "./count-scalars.js";
import type { CountTokens } from "./summary.js";
import { writeWhole } from "./write-whole.js";

/** Bodies with more scalars than this times the budget are not even tried. */
const mostScalarsOfToken = 2;
/** Pieces cost a little more than the whole that they make. */
const seams = { part: 1.02, tokens: 2 } as const;

/**
 * Returns the document as compact JSON; `undefined` when that costs more than `maxTokens`, which is known as soon as its beginning does. A
 * large text's exact tree is only made when its native one fits.
 */
export function writeIfFits(
  document: JsonDocument,
  maxTokens: number,
  countTokens: CountTokens,
): string | undefined {
  const native = glanceAt(document);
  if (hasMoreScalars(native.value, maxTokens * mostScalarsOfToken)) return undefined;
  const write = (written: JsonDocument): string | undefined => {
    let tokens = 0;
    const text = writeWhole(written, (piece) => {
      tokens += countTokens(piece);
      return tokens <= maxTokens * seams.part + seams.tokens;
    });
    return text !== undefined && countTokens(text) <= maxTokens ? text : undefined;
  };
  return native !== document && write(native) === undefined ? undefined : write(document);
}
