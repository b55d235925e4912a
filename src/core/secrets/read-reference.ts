/** The character that a reference of HTML and XML means. */

import { decodeHTMLStrict } from "entities/decode";

/** `CounterClockwiseContourIntegral;` is the longest name that HTML knows. */
export const longestReference = 33;

/** The value of a hexadecimal digit; 16 for every other byte. */
export const hexValues: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? 16 : value;
});

/** The value of the digit at a place; far over 255 without a digit, whatever it is multiplied with or added to. */
export function hexAt(bytes: Uint8Array, at: number): number {
  const value = at < 0 ? 16 : (hexValues[bytes[at] ?? 0] ?? 16);
  return value === 16 ? 0x1000 : value;
}

/** The code points that `name` or `#65` means; undefined for anything but a reference, and for one whose characters have more bytes. */
export function readReference(bytes: Buffer, from: number, to: number): readonly number[] | undefined {
  return bytes[from] === 0x23
    ? readNumber(bytes, from + 1, to)
    : readName(bytes.toString("latin1", from, to));
}

/** A page has the same few references thousands of times. */
const named = new Map<string, readonly number[] | undefined>();

function readName(name: string): readonly number[] | undefined {
  if (named.has(name)) return named.get(name);
  const text = decodeHTMLStrict(`&${name};`);
  const isKnown = text !== `&${name};` && Buffer.byteLength(text) <= name.length + 2;
  const codes = isKnown ? [...text].map((one) => one.codePointAt(0) ?? 0) : undefined;
  if (named.size > 5_000) named.clear();
  named.set(name, codes);
  return codes;
}

function readNumber(bytes: Buffer, from: number, to: number): readonly number[] | undefined {
  const isHex = ((bytes[from] ?? 0) | 0x20) === 0x78;
  const base = isHex ? 16 : 10;
  let value = 0;
  for (let at = isHex ? from + 1 : from; at < to && value <= 0x10ffff; at++) {
    const digit = hexAt(bytes, at);
    value = digit < base ? value * base + digit : 0x110000;
  }
  return value > 0x10ffff || to <= (isHex ? from + 1 : from) ? undefined : [value];
}
