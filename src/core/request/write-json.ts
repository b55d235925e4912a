/** Writes plain data as JSON text. */

import { ApiSourceError, invalidInput } from "../base/errors.js";
import { ExactNumber } from "../base/exact-number.js";
import { readScalar } from "./parse-query.js";

/** The most bytes that a body may have, and the most characters of its text. */
export const maxBytes = 10_000_000;

export function tooLarge(): Error {
  return new ApiSourceError({
    message: `The request body is larger than ${maxBytes} bytes.`,
    category: "too_large",
    hint: "Send less in one request, for example in several smaller ones.",
  });
}

/** No API documents a body of more than a few levels, and what contains itself has no end. As text a body has no limit. */
const maxJsonDepth = 1_000;

/**
 * The JSON text of plain data, own keys such as `__proto__` included. Keys whose value is `undefined` are left out, as
 * everywhere in JavaScript. Writing stops as soon as the text is too long: shared objects could multiply without end.
 */
export function writeJson(value: unknown): string {
  let text = "";
  const write = (item: unknown, depth: number): void => {
    if (text.length > maxBytes) throw tooLarge();
    if (typeof item !== "object" || item === null || item instanceof ExactNumber) {
      text += writeScalar(item);
      return;
    }
    if (depth === maxJsonDepth) {
      const message = `The body is nested deeper than ${maxJsonDepth} levels, or contains itself.`;
      throw invalidInput(message, "Send fewer levels, without cycles, or JSON text.");
    }
    const isList = Array.isArray(item);
    if (!isList) checkPlain(item);
    text += isList ? "[" : "{";
    let comma = "";
    for (const [key, child] of isList ? item.entries() : Object.entries(item)) {
      if (!isList && child === undefined) continue;
      text += isList ? comma : `${comma}${JSON.stringify(key)}:`;
      comma = ",";
      write(child, depth + 1);
    }
    text += isList ? "]" : "}";
  };
  try {
    write(value, 0);
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    // A getter or proxy threw; its message is not ours to show.
    throw invalidInput("The body can't be read.", "Send plain JSON data.");
  }
  return text;
}

/** A Date or a Map would be written as something its sender didn't see. */
function checkPlain(value: object): void {
  const isPlain = Object.prototype.toString.call(value) === "[object Object]";
  if (isPlain && !("toJSON" in value && typeof value.toJSON === "function")) return;
  throw invalidInput("The body holds an object that is not plain data.", "Send plain JSON data.");
}

function writeScalar(value: unknown): string {
  if (value === null || typeof value === "string") return JSON.stringify(value);
  const text = readScalar(value, "A value in the body");
  if (text === undefined)
    throw invalidInput(`The body holds a ${typeof value}.`, "Send plain JSON data.");
  return typeof value === "number" ? JSON.stringify(value) : text;
}
