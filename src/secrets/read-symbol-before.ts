/** Reads backwards: the one symbol that ends where a match begins. */

import { isEscapeLead, readSymbols } from "./read-symbols.js";
import type { View } from "./view.js";

/** No escape of one ASCII character that an encoder would write is longer. */
const longestEscape = 24;

const equals = 0x3d;

/**
 * The value and start of the symbol that ends at `position`. An escape wins over its own last character (`%2B`
 * is `+`, not `B`), except the `=XX` of quoted-printable: `=` mostly stands before a value.
 */
export function readSymbolBefore(
  view: View,
  position: number,
): readonly [value: number, start: number] | undefined {
  const plain = view.at(position - 1);
  if (plain < 0) return undefined;
  for (let start = position - 2; start >= position - longestEscape; start--) {
    const lead = view.at(start);
    if (lead < 0) break;
    if (lead === equals || !isEscapeLead(lead)) continue;
    const value = valueThatEndsAt(readSymbols(view, start), position);
    if (value !== undefined) return [value, start];
  }
  return [plain, position - 1];
}

function valueThatEndsAt(symbols: readonly number[], position: number): number | undefined {
  for (let index = 2; index < symbols.length; index += 2) {
    if (symbols[index + 1] === position) return symbols[index];
  }
  return undefined;
}
