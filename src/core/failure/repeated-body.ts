/** Whether an `error` already contains everything in the body it was read from: then the body is not shown again. */

import type { CallError } from "../base/errors.js";
import { isJsonContainer, isJsonObject, type JsonValue } from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { reasonPhrase, stateWord } from "./error-words.js";
import { cleanText } from "./shown-text.js";

/** A larger body is not compared. */
const maxValues = 200;
const maxDepth = 20;
/** When an error happened, its own address, and flags that repeat the status. */
const repeatedKey =
  /^(?:timestamp|time|date|path|instance|ok|success|successful|succeeded|iserror|haserrors?|jsonrpc)$/;

/** @param status - Of the response: a body often repeats it. */
export function isContained(document: JsonValue, error: CallError, status: number): boolean {
  const words = new Set(error.message.split(/[\s"'`,;:()[\]{}]+/));
  const texts = [error.message, error.code ?? ""];
  const known = new Set([String(status), error.code ?? ""]);
  for (const { value } of listLeaves(error.details as JsonValue | undefined) ?? []) {
    known.add(String(value));
    texts.push(String(value));
  }
  const isShown = (text: string): boolean =>
    known.has(text) || words.has(text) || (text.length > 3 && texts.some((each) => each.includes(text)));
  const leaves = listLeaves(document);
  return (
    leaves?.every(({ key, value }) => {
      if (value === null || value === "" || repeatedKey.test(normalizeKey(key))) return true;
      const text = cleanText(String(value), 20_000);
      return isShown(text) || reasonPhrase.test(text) || stateWord.test(text);
    }) ?? false
  );
}

interface Leaf {
  readonly key: string;
  readonly value: JsonValue;
}

/** Every value that is not a container, with its key; undefined where there are too many. */
function listLeaves(document: JsonValue | undefined): Leaf[] | undefined {
  const leaves: Leaf[] = [];
  let left = maxValues;
  const collect = (key: string, value: JsonValue, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > maxDepth) return false;
    if (!isJsonContainer(value)) return leaves.push({ key, value }) > 0;
    if (!isJsonObject(value))
      return value.length <= left && value.every((item) => collect(key, item, depth + 1));
    return Object.entries(value).every(([name, item]) => collect(name, item, depth + 1));
  };
  return document === undefined || collect("", document, 0) ? leaves : undefined;
}
