/** Reads base64 or hexadecimal text as the bytes it stands for, outwards from one known place. */

import { readSymbolBefore } from "./read-symbol-before.js";
import { hexValue, readSymbols } from "./read-symbols.js";
import type { Interval, View } from "./view.js";

/** Bits that one symbol carries: 6 in base64 and base64url, 4 in hexadecimal. */
export type SymbolBits = 4 | 6;

interface ReadSymbol {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A view of bytes. `position` of the parent holds the symbol numbered `index`, where byte 0 begins with symbol 0.
 * Symbols are read as they are asked for, so that a wrong guess costs a few characters and not a window.
 */
export function openSymbolView(parent: View, position: number, index: number, bits: SymbolBits): View {
  const toValue = bits === 4 ? hexValue : base64Value;
  const after: ReadSymbol[] = [];
  const before: ReadSymbol[] = [];

  function symbolAt(wanted: number): ReadSymbol | undefined {
    const offset = wanted - index;
    if (offset >= 0) {
      while (after.length <= offset) {
        const next = readForward(parent, after.at(-1)?.to ?? position, toValue);
        if (next === undefined) return undefined;
        after.push(next);
      }
      return after[offset];
    }
    while (before.length < -offset) {
      const next = readBackward(parent, before.at(-1)?.from ?? position, toValue);
      if (next === undefined) return undefined;
      before.push(next);
    }
    return before[-offset - 1];
  }

  function at(byte: number): number {
    const first = Math.floor((byte * 8) / bits);
    const last = Math.floor((byte * 8 + 7) / bits);
    let value = 0;
    for (let wanted = first; wanted <= last; wanted++) {
      const symbol = symbolAt(wanted);
      if (symbol === undefined) return -1;
      value = value * 2 ** bits + symbol.value;
    }
    return (value >> ((last + 1) * bits - byte * 8 - 8)) & 0xff;
  }

  function span(from: number, to: number): Interval {
    const first = symbolAt(Math.floor((from * 8) / bits));
    const last = symbolAt(Math.floor((to * 8 - 1) / bits));
    const end = last?.to ?? position;
    return parent.span(first?.from ?? position, bits === 6 ? skipPadding(parent, end) : end);
  }

  return { at, span };
}

function readForward(
  parent: View,
  position: number,
  toValue: (code: number) => number,
): ReadSymbol | undefined {
  const symbols = readSymbols(parent, position);
  for (let index = 0; index < symbols.length; index += 2) {
    const value = toValue(symbols[index] ?? 0);
    if (value >= 0) return { value, from: position, to: symbols[index + 1] ?? position };
  }
  return undefined;
}

function readBackward(
  parent: View,
  position: number,
  toValue: (code: number) => number,
): ReadSymbol | undefined {
  const symbol = readSymbolBefore(parent, position);
  const value = symbol === undefined ? -1 : toValue(symbol[0]);
  return symbol === undefined || value < 0 ? undefined : { value, from: symbol[1], to: position };
}

function skipPadding(parent: View, position: number): number {
  let end = position;
  for (let count = 0; count < 2; count++) {
    const symbols = readSymbols(parent, end);
    const padding = symbols.findIndex((value, index) => index % 2 === 0 && value === 0x3d);
    if (padding < 0) break;
    end = symbols[padding + 1] ?? end;
  }
  return end;
}

function base64Value(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x47;
  if (code >= 0x30 && code <= 0x39) return code + 4;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}
