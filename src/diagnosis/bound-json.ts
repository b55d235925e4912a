/** Cuts a JSON value down to a number of characters, keeping its shape. */

import { ExactNumber, isJsonContainer, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { cleanText } from "./clean-text.js";
import { dropStack } from "./drop-stack.js";
import { traceKeys } from "./key-roles.js";

export interface BoundedJson {
  /** A copy without number marks; a marked number is the text of its literal. */
  readonly value: JsonValue;
  /** Whether something was left out. */
  readonly cut: boolean;
}

const maxStringChars = 300;

/** A stack under a name of its own; a short text is the id of a trace. */
function isTrace(key: string, value: JsonValue): boolean {
  if (!traceKeys.has(normalizeKey(key))) return false;
  return typeof value === "string" ? value.length > 80 || value.includes("\n") : isJsonContainer(value);
}

/** Stacks are left out without a word. Copies a value until its JSON text would be about `maxChars` long; the budget bounds its depth too. */
export function boundJson(value: JsonValue, maxChars: number): BoundedJson {
  const budget = { left: maxChars, cut: false };

  const copy = (item: JsonValue): JsonValue | undefined => {
    if (item instanceof ExactNumber) return copyString(item.text);
    if (typeof item === "string") return copyString(item);
    if (item === null || typeof item !== "object") return spend(String(item).length + 1) ? item : undefined;
    if (!spend(2)) return undefined;
    return Array.isArray(item) ? copyArray(item) : copyObject(item);
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
    const shown = dropStack(text);
    const kept = cleanText(shown, Math.min(maxStringChars, Math.max(1, budget.left)));
    if (kept.endsWith("…") && !shown.endsWith("…")) budget.cut = true;
    return spend(JSON.stringify(kept).length + 1) ? kept : undefined;
  };

  const copyArray = (items: readonly JsonValue[]): JsonValue => {
    const kept: JsonValue[] = [];
    for (const item of items) {
      const copied = copy(item);
      if (copied === undefined) break;
      kept.push(copied);
    }
    if (kept.length < items.length) drop();
    return kept;
  };

  const copyObject = (object: { [key: string]: JsonValue }): JsonValue => {
    const kept: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(object)) {
      if (isTrace(key, item)) continue;
      const name = cleanText(key, 120);
      if (!spend(JSON.stringify(name).length + 1)) break;
      const copied = copy(item);
      if (copied !== undefined) kept.push([name, copied]);
    }
    return Object.fromEntries(kept);
  };

  const bounded = copy(value);
  return { value: bounded ?? null, cut: budget.cut };
}
