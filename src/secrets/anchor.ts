/** A stretch of text that stands wherever one needle stands in one form, and how to check the rest from there. */

import type { Needle } from "./needle.js";
import type { SymbolBits } from "./open-symbol-view.js";

/** An encoding of bytes that the needle is wrapped in at the anchor. */
export interface Layer {
  readonly bits: SymbolBits;
  /** The number of the symbol, counted from where byte 0 begins, that the layer's known text starts with. */
  readonly firstSymbol: number;
  /** The number of the byte that the wrapped text starts with. */
  readonly firstByte: number;
}

export interface Anchor {
  readonly text: string;
  /** Whether letters match in either case: hexadecimal is written in both. */
  readonly anyCase: boolean;
  readonly needle: Needle;
  /** Which character of the needle the anchor (or what it wraps) starts with. */
  readonly index: number;
  /** From the text inwards; none when the needle stands there itself. */
  readonly layers: readonly Layer[];
}
