/** Bounds the work and the memory of one query: it runs on the only thread, and its text comes from a model. */

import { ExactNumber, isJsonContainer, type JsonValue } from "../json/exact-number.js";

/** About a tenth of a second: a step is a node visited, an element read or made, or a few characters. */
const defaultMaxSteps = 2_000_000;
const charactersPerStep = 16;

/** Thrown when a query is stopped. */
export class OverBudgetError extends Error {}

/** What one run may still do. */
export class Budget {
  #left: number;

  constructor(maxSteps: number = defaultMaxSteps) {
    this.#left = maxSteps;
  }

  /** @throws OverBudgetError once more was spent than there was. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OverBudgetError();
  }

  /** Charges a string that is read or made, by its length in UTF-16 units. */
  spendText(characters: number): void {
    this.spend(characters / charactersPerStep);
  }

  /**
   * Charges a value as large as it would be written: a small query makes one that repeats the same part a million times
   * (`[@,@]`, again and again).
   *
   * @param weight - What a step costs, against looking at it once. @default 1
   */
  spendWhole(root: JsonValue, weight: number = 1): void {
    this.spend(weight);
    const open: JsonValue[] = [root];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (typeof value === "string") this.spendText(value.length * weight);
      if (value instanceof ExactNumber) this.spendText(value.text.length * weight);
      if (!isJsonContainer(value)) continue;
      const keys = Array.isArray(value) ? [] : Object.keys(value);
      const items = Array.isArray(value) ? value : Object.values(value);
      this.spend(items.length * weight);
      for (const key of keys) this.spendText(key.length * weight);
      for (const item of items) open.push(item);
    }
  }
}
