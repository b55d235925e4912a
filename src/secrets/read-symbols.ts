/** Knows every way one character is written by an encoder that works character by character, nested or not. */

import { longestEntityName, namedEntities } from "./named-entities.js";
import type { View } from "./view.js";

const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;
const equals = 0x3d;

/** How many encoders may have worked on top of each other. Backslashes nest without this limit (see below). */
export const nestingDepth = 3;

/** A JSON text in JSON text, six deep, writes 64 backslashes for one. */
const longestBackslashRun = 64;

const controls: ReadonlyMap<number, number> = new Map(
  Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0" }).map(
    ([letter, control]) => [letter.charCodeAt(0), control.charCodeAt(0)] as const,
  ),
);

/** Whether an escape can begin with this character. */
export function isEscapeLead(code: number): boolean {
  return code === backslash || code === percent || code === ampersand || code === equals;
}

/**
 * Everything that can have been meant at `position`: a flat list of value and end, value and end, …; the character
 * itself first. Values are UTF-16 code units, bytes (`%C3`, `=C3`) or whole code points (`&#26085;`).
 *
 * The reading is lenient on purpose: it is only ever compared with a known secret, and a reading that no real
 * encoder meant costs nothing, while one that is missing shows the secret.
 */
export function readSymbols(view: View, position: number, depth: number = nestingDepth): number[] {
  const code = view.at(position);
  if (code < 0) return [];
  const found = [code, position + 1];
  if (!isEscapeLead(code)) return found;
  // Backslashes that stand in the text are read with what follows them; below, only what escapes have made is read on.
  const done = code === backslash ? readBackslashes(view, position, depth, found) : 0;
  for (let level = 0; level < depth; level++) {
    const known = found.length;
    for (let index = done; index < known; index += 2) {
      const end = found[index + 1] ?? 0;
      if (isEscapeLead(found[index] ?? 0)) readEscape(view, found[index] ?? 0, end, level, found);
    }
  }
  return found;
}

/** A run of backslashes is read at once: encoders double it at each level, so that level by level would be exponential. */
function readBackslashes(view: View, position: number, depth: number, found: number[]): number {
  let run = 1;
  while (run < longestBackslashRun && view.at(position + run) === backslash) run++;
  for (let length = 2; length <= run; length *= 2) found.push(backslash, position + length);
  const read = found.length;
  if (depth > 0 && view.at(position + run) !== backslash) {
    readAfterBackslash(view, position + run, depth - 1, found);
    // The last backslash may begin an escape of what the ones before it escape.
    if (isPowerOfTwo(run - 1)) readAfterBackslash(view, position + run - 1, depth - 1, found);
  }
  return read;
}

function isPowerOfTwo(value: number): boolean {
  return value > 1 && (value & (value - 1)) === 0;
}

function readEscape(view: View, lead: number, position: number, depth: number, found: number[]): void {
  if (lead === ampersand) readEntity(view, position, depth, found);
  else if (lead !== backslash) readBytes(view, lead, position, depth, found);
  else readAfterBackslash(view, position, depth, found);
}

function readAfterBackslash(view: View, position: number, depth: number, found: number[]): void {
  const symbols = readSymbols(view, position, depth);
  for (let index = 0; index < symbols.length; index += 2) {
    const code = symbols[index] ?? 0;
    const end = symbols[index + 1] ?? 0;
    if (code === 0x75) readHex(view, end, 4, depth, found);
    else if (code === 0x78) readHex(view, end, 2, depth, found);
    else if (!isAlphanumeric(code)) add(found, code, end);
    const control = controls.get(code);
    if (control !== undefined) add(found, control, end);
  }
}

function readBytes(view: View, lead: number, position: number, depth: number, found: number[]): void {
  readHex(view, position, 2, depth, found);
  // JavaScript's old escape() writes %u65E5.
  if (lead === percent && view.at(position) === 0x75) readHex(view, position + 1, 4, depth, found);
}

function readHex(view: View, position: number, digits: number, depth: number, found: number[]): void {
  let value = 0;
  let end = position;
  for (let count = 0; count < digits; count++) {
    const digit = pick(view, end, depth, (code) => hexValue(code) >= 0);
    if (digit === undefined) return;
    value = value * 16 + hexValue(digit[0]);
    end = digit[1];
  }
  add(found, value, end);
}

function readEntity(view: View, position: number, depth: number, found: number[]): void {
  let name = "";
  let end = position;
  while (name.length <= longestEntityName + 2) {
    const next = pick(view, end, depth, (code) => isAlphanumeric(code) || code === 0x23 || code === 0x3b);
    if (next === undefined) return;
    end = next[1];
    if (next[0] === 0x3b) break;
    name += String.fromCharCode(next[0]);
  }
  const value = entityValue(name);
  if (value !== undefined) add(found, value, end);
}

function entityValue(name: string): number | undefined {
  if (!name.startsWith("#")) return namedEntities.get(name);
  const hex = /^#x[0-9a-f]+$/i.test(name);
  const value = hex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return Number.isInteger(value) && value <= 0x10ffff ? value : undefined;
}

/** The first reading at a position that is wanted: an inner character of an escape may itself be escaped. */
function pick(
  view: View,
  position: number,
  depth: number,
  wanted: (code: number) => boolean,
): readonly [code: number, end: number] | undefined {
  const plain = view.at(position);
  if (plain >= 0 && wanted(plain)) return [plain, position + 1];
  if (depth === 0 || !isEscapeLead(plain)) return undefined;
  const symbols = readSymbols(view, position, depth);
  for (let index = 0; index < symbols.length; index += 2) {
    const code = symbols[index] ?? 0;
    if (wanted(code)) return [code, symbols[index + 1] ?? 0];
  }
  return undefined;
}

function add(found: number[], value: number, end: number): void {
  for (let index = 0; index < found.length; index += 2) {
    if (found[index] === value && found[index + 1] === end) return;
  }
  found.push(value, end);
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** The value of a hexadecimal digit in either case, or -1. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
