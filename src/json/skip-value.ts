/** Passes over one value of a sound JSON text, forwards or backwards, without reading it. */

import { isJsonSpace } from "./number-literal.js";

/** Takes the index of a value's first character. Returns the index behind its last. */
export function skipValue(text: string, start: number): number {
  const unit = text.charCodeAt(start);
  if (unit === 34) return skipString(text, start);
  if (unit === 123 || unit === 91) return skipContainer(text, start, 0);
  let position = start;
  while (isScalarUnit(text.charCodeAt(position))) position += 1;
  return position;
}

export function skipSpaces(text: string, start: number): number {
  let position = start;
  while (isJsonSpace(text.charCodeAt(position))) position += 1;
  return position;
}

/** Shorter strings are passed faster by a loop than by a search for their end. */
const shortString = 12;

/** Takes the index of an opening quote. Returns the index behind the closing one. */
export function skipString(text: string, start: number): number {
  let position = start + 1;
  for (const near = position + shortString; position < near; position += 1) {
    const unit = text.charCodeAt(position);
    if (unit === 34) return position + 1;
    if (unit === 92) position += 1;
  }
  for (let quote = text.indexOf('"', position); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (before > position && text.charCodeAt(before - 1) === 92) before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Takes an index within a container. Returns the index behind the bracket that closes it. */
export function skipRest(text: string, start: number): number {
  return skipContainer(text, start, 1);
}

/**
 * A stretch without brackets, but for lists that hold none and no string. The regular expression engine is twice as fast as a loop over
 * characters. Its repetitions are bounded, because it remembers each; where it stops, the loop goes on.
 */
const flatStretch = (() => {
  const plain = '[^"{}[\\]]*';
  const string = '"[^"\\\\]*(?:\\\\.[^"\\\\]*){0,50}"';
  return new RegExp(`${plain}(?:(?:${string}|\\[${plain}\\])${plain}){0,200}`, "y");
})();

function skipContainer(text: string, start: number, depthAtStart: number): number {
  let depth = depthAtStart;
  let position = start;
  while (position < text.length) {
    const unit = text.charCodeAt(position);
    if (unit === 34) {
      position = skipString(text, position);
      continue;
    }
    // `[` and `{`, `]` and `}` differ in one bit.
    if ((unit | 32) === 123) depth += 1;
    else if ((unit | 32) === 125) {
      depth -= 1;
      if (depth === 0) return position + 1;
    }
    flatStretch.lastIndex = position + 1;
    flatStretch.test(text);
    position = flatStretch.lastIndex;
  }
  return text.length;
}

/**
 * Takes the index behind a value's last character, and how far back to look. Returns the index of its first; `undefined` when that is
 * farther. A quote that an even number of backslashes stands before begins or ends a string, seen from either side.
 */
export function skipValueBack(text: string, end: number, least: number): number | undefined {
  const unit = text.charCodeAt(end - 1);
  if (unit === 34) return skipStringBack(text, end, least);
  if (unit === 125 || unit === 93) return skipContainerBack(text, end, least);
  let position = end;
  while (position > 0 && isScalarUnit(text.charCodeAt(position - 1))) position -= 1;
  return position;
}

export function skipSpacesBack(text: string, end: number): number {
  let position = end;
  while (isJsonSpace(text.charCodeAt(position - 1))) position -= 1;
  return position;
}

function skipStringBack(text: string, end: number, least: number): number | undefined {
  let position = end - 2;
  while (position >= least) {
    if (text.charCodeAt(position) === 34) {
      let before = position;
      while (text.charCodeAt(before - 1) === 92) before -= 1;
      if ((position - before) % 2 === 0) return position;
    }
    position -= 1;
  }
  return undefined;
}

function skipContainerBack(text: string, end: number, least: number): number | undefined {
  let depth = 0;
  let position = end;
  while (position > least) {
    const unit = text.charCodeAt(position - 1);
    if (unit === 34) {
      const start = skipStringBack(text, position, least);
      if (start === undefined) return undefined;
      position = start;
      continue;
    }
    if ((unit | 32) === 125) depth += 1;
    else if ((unit | 32) === 123) depth -= 1;
    position -= 1;
    if (depth === 0) return position;
  }
  return undefined;
}

/** Letters, digits and signs: what numbers, `true`, `false` and `null` consist of. */
function isScalarUnit(unit: number): boolean {
  return (
    unit > 32 && unit !== 44 && unit !== 93 && unit !== 125 && unit !== 58 && unit !== 91 && unit !== 123
  );
}
