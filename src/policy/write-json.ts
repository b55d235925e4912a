/** Writes a value as JSON at any depth, and refuses what JSON has no form for. */

import { ApiSourceError } from "../errors.js";
import { ExactNumber } from "../json/exact-number.js";
import { quoteText } from "../text.js";
import { isRoundedInteger } from "./read-scalar.js";
import { invalidInput } from "./refusal.js";

/** A container being written: what is left of it, and what closes it. */
interface OpenContainer {
  readonly container: object;
  readonly entries: Iterator<readonly [key: string | undefined, value: unknown]>;
  readonly close: string;
  isFirst: boolean;
}

/**
 * The JSON text of a value, own keys such as `__proto__` included. Without recursion, so no depth overflows the stack.
 * Keys whose value is `undefined` are left out, as everywhere in JavaScript.
 *
 * @param maxCharacters writing stops as soon as the text is longer; the caller then finds it too large
 * @throws ApiSourceError `invalid_input` for cycles, bigints, functions, symbols, NaN, infinities, integers that lost
 *   digits, and objects that stand for something else (a Date, a Map, anything with `toJSON`)
 */
export function writeJson(value: unknown, maxCharacters: number): string {
  try {
    return write(value, maxCharacters);
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    // A getter or proxy threw; its message is not ours to show.
    throw invalidInput("The body can't be read.", "Send plain JSON data.");
  }
}

function write(value: unknown, maxCharacters: number): string {
  const ancestors = new Set<object>();
  const open: OpenContainer[] = [];
  let text = openOrPrint(value, open, ancestors);
  for (let top = open.at(-1); top !== undefined && text.length <= maxCharacters; top = open.at(-1)) {
    const { done, value: entry } = top.entries.next();
    if (done === true) {
      text += top.close;
      ancestors.delete(top.container);
      open.pop();
      continue;
    }
    const [key, child] = entry;
    if (key !== undefined && child === undefined) continue;
    text += `${top.isFirst ? "" : ","}${key === undefined ? "" : `${JSON.stringify(key)}:`}`;
    top.isFirst = false;
    text += openOrPrint(child, open, ancestors);
  }
  return text;
}

function openOrPrint(value: unknown, open: OpenContainer[], ancestors: Set<object>): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== "object" || value === null) return printScalar(value);
  if (ancestors.has(value)) throw invalidInput("The body contains itself.", "Send a body without cycles.");
  ancestors.add(value);
  if (Array.isArray(value)) {
    open.push({ container: value, entries: listItems(value), close: "]", isFirst: true });
    return "[";
  }
  checkPlain(value);
  open.push({ container: value, entries: Object.entries(value).values(), close: "}", isFirst: true });
  return "{";
}

function* listItems(list: readonly unknown[]): Generator<readonly [undefined, unknown]> {
  for (const item of list) yield [undefined, item];
}

/** A Date or a Map would be written as something its sender didn't see. */
function checkPlain(value: object): void {
  const isPlain = Object.prototype.toString.call(value) === "[object Object]";
  if (isPlain && !("toJSON" in value && typeof value.toJSON === "function")) return;
  throw invalidInput("The body holds an object that is no plain data.", "Send plain JSON data.");
}

function printScalar(value: unknown): string {
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value) && !isRoundedInteger(value))
    return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "bigint") {
    throw invalidInput(
      `The body holds the number ${quoteText(String(value))}, which JSON data can't carry exactly.`,
      "Send the body as JSON text, in which every digit is kept, or the number as a string.",
    );
  }
  throw invalidInput(`The body holds a ${typeof value}.`, "Send plain JSON data.");
}
