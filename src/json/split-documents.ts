/** Splits a text that holds several JSON documents, one after the other, into their texts. */

import { skipSpaces, skipString } from "./scan-json.js";

export interface SplitDocuments {
  readonly texts: readonly string[];
  /** The text of the last document when it does not end. */
  readonly unfinished?: string;
}

/** RFC 7464 puts this before each document. */
const recordSeparator = 0x1e;

/**
 * Takes NDJSON, a JSON text sequence (RFC 7464), or documents written one after the other, also over several lines.
 * Returns their texts; `undefined` when anything in between is neither an object nor an array, or there is no
 * document. A document's own syntax is not checked.
 */
export function splitDocuments(text: string): SplitDocuments | undefined {
  const texts: string[] = [];
  let position = 0;
  for (;;) {
    position = skipSpaces(text, position);
    while (text.charCodeAt(position) === recordSeparator) position = skipSpaces(text, position + 1);
    if (position >= text.length) return texts.length === 0 ? undefined : { texts };
    const unit = text.charCodeAt(position);
    if (unit !== 123 && unit !== 91) return undefined;
    const end = documentEnd(text, position);
    if (end === undefined) return { texts, unfinished: text.slice(position) };
    texts.push(text.slice(position, end));
    position = end;
  }
}

function documentEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let position = start; position < text.length; ) {
    const unit = text.charCodeAt(position);
    position = unit === 34 ? skipString(text, position) : position + 1;
    if (unit === 123 || unit === 91) depth += 1;
    if (unit === 125 || unit === 93) depth -= 1;
    if (depth === 0) return position;
  }
  return undefined;
}
