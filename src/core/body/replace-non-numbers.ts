/** Makes JSON of what Python, JavaScript's `eval` and others write as JSON: `NaN` and `Infinity`, which RFC 8259 does not have. */

import { skipString } from "../base/scan-json.js";

/** A text in which every value is JSON. */
export interface FiniteText {
  readonly text: string;
  /** How many values were replaced by null. */
  readonly replaced: number;
}

const nonNumber = /-?\b(?:NaN|Infinity)\b/g;

/** Takes JSON text. Returns it with null in the place of each `NaN`, `Infinity` and `-Infinity` outside of strings. */
export function replaceNonNumbers(text: string): FiniteText {
  if (!text.includes("NaN") && !text.includes("Infinity")) return { text, replaced: 0 };
  const pieces: string[] = [];
  let replaced = 0;
  const replace = (): string => {
    replaced += 1;
    return "null";
  };
  for (let position = 0; position < text.length; ) {
    const quote = text.indexOf('"', position);
    const between = text.slice(position, quote < 0 ? text.length : quote);
    pieces.push(between.replace(nonNumber, replace));
    if (quote < 0) break;
    position = skipString(text, quote);
    pieces.push(text.slice(quote, position));
  }
  return { text: pieces.join(""), replaced };
}

/** The note about them; none where nothing was replaced. */
export function describeReplaced({ replaced }: FiniteText): string[] {
  if (replaced === 0) return [];
  const values = replaced === 1 ? "1 value is" : `${replaced} values are`;
  return [`${values} NaN or Infinity, which JSON does not have: null stands there.`];
}
