/** Makes documents of text that is not one JSON document: one that ends in the middle, or several in a row. */

import { skipSpaces, skipString } from "./parse-json.js";

/** A container that is open where the text ends. */
interface OpenContainer {
  readonly isArray: boolean;
  /** The place behind its last complete row or member; 0 without one. */
  end: number;
}

/**
 * Takes JSON text that ends in the middle. Returns it up to its last complete row, and closed: the row of its outermost list, or a member
 * where there is no list. `undefined` when more than half of the text would go: a long unfinished value is of more use as text. The syntax
 * of what is left is not checked.
 */
export function closeTruncatedJson(text: string): string | undefined {
  const open = listOpenContainers(text);
  const isMost = ({ end }: OpenContainer): boolean => end * 2 > text.length;
  const list = open.findIndex((container) => container.isArray && isMost(container));
  const level = list < 0 ? open.findLastIndex(isMost) : list;
  const { end = 0 } = open[level] ?? {};
  if (end === 0) return undefined;
  const kept = open.slice(0, level + 1);
  return text.slice(0, end) + kept.reduceRight((closing, { isArray }) => closing + (isArray ? "]" : "}"), "");
}

/** Outermost first; none where a bracket closes what is not open. */
function listOpenContainers(text: string): readonly OpenContainer[] {
  const open: OpenContainer[] = [];
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    position = unit === 34 ? skipString(text, position) : position + 1;
    const isEnd = unit === 93 || unit === 125;
    if (unit === 91 || unit === 123) open.push({ isArray: unit === 91, end: 0 });
    if (isEnd && open.pop()?.isArray !== (unit === 93)) return [];
    const container = open.at(-1);
    if (container !== undefined && (isEnd || unit === 44)) container.end = isEnd ? position : position - 1;
  }
  return open;
}

export interface SplitDocuments {
  readonly texts: readonly string[];
  /** The text of the last document when it does not end. */
  readonly unfinished?: string;
}

/** RFC 7464 puts this before each document. */
const recordSeparator = 0x1e;

/**
 * Takes NDJSON, a JSON text sequence (RFC 7464), or documents written one after the other, also over several lines.
 * Returns their texts; `undefined` when anything in between is neither an object nor an array, or without a
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
