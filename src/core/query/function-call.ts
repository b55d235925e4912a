/** The arguments of one call: each is checked and charged when a function takes it. */

import { isJsonNumber, isJsonObject, type JsonValue } from "../base/exact-number.js";
import type { Budget } from "./budget.js";
import { kindOf, parseNumber, type QueryNumber } from "./kinds.js";

export type Argument = JsonValue | ((item: JsonValue) => JsonValue);

export interface FunctionRun {
  readonly budget: Budget;
  /** Whether strings that spell a number are taken as numbers, and empty ones as null: CSV and XML have no others. */
  readonly numericStrings: boolean;
  /** Is given each text of which no number could be made. */
  readonly diagnostics: { noNumber(text: string): void; groupedByNull(count: number): void };
}

/** The number that a value is, or spells where strings may; undefined for any other. */
export function readNumber(
  value: JsonValue,
  { numericStrings }: Pick<FunctionRun, "numericStrings">,
): QueryNumber | undefined {
  if (typeof value === "string") return numericStrings ? parseNumber(value) : undefined;
  return isJsonNumber(value) ? value : undefined;
}

/** The fewest and the most arguments, and what a call with so many gives. */
export type QueryFunction = readonly [
  fewest: number,
  most: number,
  give: (call: Call) => JsonValue,
];

/** Positions are from 0. Every getter throws a TypeError for an argument of another kind. */
export class Call {
  readonly budget: Budget;

  constructor(
    readonly name: string,
    readonly args: readonly Argument[],
    readonly run: FunctionRun,
  ) {
    this.budget = run.budget;
  }

  any(position: number): JsonValue {
    const value = this.args[position] ?? null;
    if (typeof value === "function") throw this.#refuse(position, "a value, without &");
    return value;
  }

  string(position: number, wanted: string = "a string"): string {
    const value = this.any(position);
    if (typeof value !== "string") throw this.#refuse(position, wanted);
    this.budget.spendText(value.length);
    return value;
  }

  number(position: number): QueryNumber {
    const value = readNumber(this.any(position), this.run);
    if (value === undefined) throw this.#refuse(position, "a number");
    return value;
  }

  /** The number that a text spells. */
  toNumber(position: number): QueryNumber | null {
    const value = this.any(position);
    if (typeof value !== "string") return isJsonNumber(value) ? value : null;
    const number = parseNumber(this.string(position));
    if (number === undefined && value !== "") this.run.diagnostics.noNumber(value);
    return number ?? null;
  }

  /** A whole number from 0; undefined when the argument is left out or null. */
  count(position: number): number | undefined {
    if (this.any(position) === null) return undefined;
    const value = Number(this.number(position));
    if (Number.isInteger(value) && value >= 0) return value;
    throw this.#refuse(position, "a whole number from 0");
  }

  list(position: number): readonly JsonValue[] {
    const value = this.any(position);
    if (!Array.isArray(value)) throw this.#refuse(position, "a list");
    this.budget.spend(value.length);
    return value;
  }

  numbers(position: number): readonly QueryNumber[] {
    this.budget.spend(5 * this.list(position).length);
    // An empty cell of a table is what null is in JSON, and a projection leaves that out.
    const items = this.list(position).filter((item) => !this.run.numericStrings || item !== "");
    return items.map(
      (item) => readNumber(item, this.run) ?? this.#refuseItem(position, "numbers", item),
    );
  }

  /** Also numbers as strings: ids are numbers as often, and what was grouped by is given back as it was. */
  strings(position: number): readonly string[] {
    return this.list(position).map((item) =>
      typeof item === "string" || isJsonNumber(item)
        ? String(item)
        : this.#refuseItem(position, "strings", item),
    );
  }

  members(position: number, wanted: string = "an object"): [string, JsonValue][] {
    const value = this.any(position);
    if (!isJsonObject(value)) throw this.#refuse(position, wanted);
    const members = Object.entries(value);
    this.budget.spend(2 * members.length);
    return members;
  }

  expression(position: number): (item: JsonValue) => JsonValue {
    const value = this.args[position];
    if (typeof value !== "function") throw this.#refuse(position, "an expression such as &field");
    return value;
  }

  /** The key by which items are ordered, an expression or themselves: in a table a number where it spells one, and nothing where it is empty. */
  keyToOrder(position: number): (item: JsonValue) => JsonValue {
    const keyOf =
      this.args.length > position ? this.expression(position) : (item: JsonValue) => item;
    return (item) => {
      const key = keyOf(item);
      if (this.run.numericStrings && key === "") return null;
      return readNumber(key, this.run) ?? key;
    };
  }

  #refuseItem(position: number, items: string, item: JsonValue): never {
    throw this.#refuse(position, `a list of ${items}`, `a list with ${kindOf(item)} in it`);
  }

  #refuse(position: number, wanted: string, given?: string): TypeError {
    const value = this.args[position] ?? null;
    const actual = given ?? (typeof value === "function" ? "an expression" : kindOf(value));
    return new TypeError(
      `${this.name}() takes ${wanted} as argument ${position + 1}, not ${actual}`,
    );
  }
}
