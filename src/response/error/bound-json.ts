/** Cuts a JSON value down to a number of characters, keeping its shape. */

import { isNumberLiteral, type JsonValue, toLiteral } from "../json-document.js";
import { cleanText } from "./clean-text.js";

export interface BoundedJson {
  /** A copy without number marks; a marked number is the text of its literal. */
  readonly value: JsonValue;
  /** Whether something was left out. */
  readonly cut: boolean;
}

const maxDepth = 6;
const maxStringChars = 300;

/** Copies a value until its JSON text would be about `maxChars` long; deeper than 6 levels it is cut too. */
export function boundJson(value: JsonValue, numberMark: string, maxChars: number): BoundedJson {
  const budget = { left: maxChars, cut: false };

  const copy = (item: JsonValue, depth: number): JsonValue | undefined => {
    if (typeof item === "string") return copyString(item);
    if (item === null || typeof item !== "object") return spend(String(item).length + 1) ? item : undefined;
    if (depth >= maxDepth || !spend(2)) return drop();
    return Array.isArray(item) ? copyArray(item, depth) : copyObject(item, depth);
  };

  const spend = (chars: number): boolean => {
    if (budget.left >= chars) {
      budget.left -= chars;
      return true;
    }
    budget.cut = true;
    return false;
  };

  const drop = (): undefined => {
    budget.cut = true;
    return undefined;
  };

  const copyString = (text: string): string | undefined => {
    const shown = isNumberLiteral(text, numberMark) ? toLiteral(text) : text;
    const kept = cleanText(shown, Math.min(maxStringChars, Math.max(1, budget.left)));
    if (kept.endsWith("…") && !shown.endsWith("…")) budget.cut = true;
    return spend(JSON.stringify(kept).length + 1) ? kept : undefined;
  };

  const copyArray = (items: readonly JsonValue[], depth: number): JsonValue => {
    const kept: JsonValue[] = [];
    for (const item of items) {
      const copied = copy(item, depth + 1);
      if (copied === undefined) break;
      kept.push(copied);
    }
    if (kept.length < items.length) drop();
    return kept;
  };

  const copyObject = (object: { [key: string]: JsonValue }, depth: number): JsonValue => {
    const kept: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(object)) {
      const name = cleanText(key, 120);
      if (!spend(JSON.stringify(name).length + 1)) break;
      const copied = copy(item, depth + 1);
      if (copied !== undefined) kept.push([name, copied]);
    }
    return Object.fromEntries(kept);
  };

  const bounded = copy(value, 0);
  return { value: bounded ?? null, cut: budget.cut };
}
