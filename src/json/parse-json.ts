/** Reads JSON text without losing a number, at nearly the speed of `JSON.parse`. */

import { chooseMark } from "./choose-mark.js";
import { createLiteralFinder, type LiteralFinder } from "./find-literals.js";
import { guessChangedNumbers, type NumberSpans } from "./guess-changed-numbers.js";
import type { JsonDocument, JsonValue, NativeJson } from "./json-document.js";
import { markNumbers } from "./mark-numbers.js";
import { scanChangedNumbers } from "./scan-changed-numbers.js";

/**
 * Takes one JSON text (RFC 8259). Returns its value, with every number literal that JavaScript would print
 * differently kept as a marked string (see `JsonDocument`). Depth is not limited; of members with the same key
 * the last stays; a `__proto__` member is an own property.
 *
 * @throws SyntaxError when the text is not one JSON document. Its message quotes the text: don't show it.
 */
export function parseJson(text: string): JsonDocument {
  return parseExactly(text, () => JSON.parse(text));
}

/**
 * The same for a text of which mostly a small part is shown: it is parsed natively (`native`), and numbers are looked up in the text
 * one by one. The exact tree is made when `value` or `numberMark` is first read.
 *
 * @throws SyntaxError like `parseJson`.
 */
export function parseLargeJson(text: string): JsonDocument {
  const value = JSON.parse(text);
  let literals: LiteralFinder | undefined;
  let exact: JsonDocument | undefined;
  const native: NativeJson = {
    value,
    get literals() {
      literals ??= createLiteralFinder(text);
      return literals;
    },
  };
  const read = (): JsonDocument => {
    exact ??= parseExactly(text, () => value);
    return exact;
  };
  return {
    native,
    get value() {
      return read().value;
    },
    get numberMark() {
      return read().numberMark;
    },
  };
}

/** `parse` gives the tree of a text that holds no number to keep. */
function parseExactly(text: string, parse: () => JsonValue): JsonDocument {
  const guessed = guessChangedNumbers(text);
  if (guessed?.length === 0) return { value: parse(), numberMark: "" };
  if (guessed !== undefined) {
    try {
      return parseMarked(text, guessed, parse);
    } catch {
      // A guessed literal stands within a string (its mark broke the syntax), or the text is no JSON.
    }
  }
  return parseMarked(text, scanChangedNumbers(text), parse);
}

function parseMarked(text: string, spans: NumberSpans, parse: () => JsonValue): JsonDocument {
  const numberMark = spans.length === 0 ? "" : chooseMark(text);
  if (numberMark === "") return { value: parse(), numberMark };
  return { value: JSON.parse(markNumbers(text, spans, numberMark)), numberMark };
}
