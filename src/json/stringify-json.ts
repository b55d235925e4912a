/** Writes a value as compact JSON text with every number as the wire had it. */

import type { JsonValue } from "./json-document.js";
import { printJson } from "./print-json.js";

/**
 * Takes a value of a document (or one made of its parts) and the document's `numberMark`. Returns compact JSON
 * text: number literals unquoted as they were, lone surrogates escaped, `__proto__` members included. Any depth.
 */
export function stringifyJson(value: JsonValue, numberMark: string): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    // The native writer recurses; it gives up after some thousand levels.
    if (!(error instanceof RangeError)) throw error;
    text = printJson(value);
  }
  return numberMark === "" ? text : unquoteLiterals(text, numberMark);
}

/** A mark occurs nowhere but at the start of a literal, and no literal holds a quote. */
function unquoteLiterals(text: string, mark: string): string {
  const opening = `"${mark}`;
  let written = "";
  let read = 0;
  let found = text.indexOf(opening);
  while (found >= 0) {
    const end = text.indexOf('"', found + 2);
    written += text.slice(read, found) + text.slice(found + 2, end);
    read = end + 1;
    found = text.indexOf(opening, read);
  }
  return read === 0 ? text : written + text.slice(read);
}
