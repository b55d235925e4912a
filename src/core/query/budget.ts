/** Bounds the work and the memory of one query: it runs on the only thread, and its text comes from a model. */

import { ExactNumber, isJsonContainer, type JsonValue, listKeys } from "../base/exact-number.js";

/** About a tenth of a second: a step is a node visited, an element read or made, or a few characters. */
const maxSteps = 2_000_000;
const charactersPerStep = 16;

/** Thrown when a query is stopped. */
export class OverBudgetError extends Error {}

/** The rest of the budget of one run. */
export class Budget {
  #left = maxSteps;

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
    const open: JsonValue[] = [root];
    this.spend(weight);
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (!isJsonContainer(value)) {
        if (typeof value === "string" || value instanceof ExactNumber)
          this.spendText(String(value).length * weight);
        continue;
      }
      if (Array.isArray(value)) {
        this.spend(value.length * weight);
        for (const item of value) open.push(item);
        continue;
      }
      const keys = listKeys(value);
      this.spend(keys.length * weight);
      let characters = 0;
      for (const key of keys) {
        characters += key.length;
        open.push(value[key] ?? null);
      }
      this.spendText(characters * weight);
    }
  }
}
