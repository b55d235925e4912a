/** Tells whether an object of a JSON text has the same key twice: `JSON.parse` keeps the last one without a word. */

import { isJsonSpace } from "./parse-json.js";

/** Longer texts are looked at only in their beginning: rows that repeat a key do so in each row. */
const wholeUpTo = 100_000;
const beginning = 16_000;

/**
 * Takes valid JSON text. Returns the first key that stands twice in one object; `undefined` when there is none in
 * the text, or in the first 16,000 characters of one over 100,000.
 */
export function findRepeatedKey(text: string): string | undefined {
  const length = text.length > wholeUpTo ? beginning : text.length;
  // One set per open container; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let position = 0;
  while (position < length) {
    const unit = text.charCodeAt(position);
    if (unit === 123) open.push(new Set());
    else if (unit === 91) open.push(undefined);
    else if (unit === 125 || unit === 93) open.pop();
    else if (unit === 34) {
      const end = stringEnd(text, position);
      const keys = open.at(-1);
      if (keys !== undefined && isBeforeColon(text, end)) {
        const key = readKey(text.slice(position, end));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      position = end - 1;
    }
    position += 1;
  }
  return undefined;
}

function stringEnd(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length) {
    const unit = text.charCodeAt(position);
    if (unit === 34) return position + 1;
    position += unit === 92 ? 2 : 1;
  }
  return text.length;
}

function isBeforeColon(text: string, end: number): boolean {
  let position = end;
  while (isJsonSpace(text.charCodeAt(position))) position += 1;
  return text.charCodeAt(position) === 58;
}

function readKey(quoted: string): string {
  return quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
