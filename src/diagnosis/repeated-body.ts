/** Whether an `error` already contains everything in the body it was read from: then the body is not shown again. */

import type { CallError } from "../errors.js";
import { isJsonContainer, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { reasonPhrase, stateWord } from "./error-words.js";
import { cleanText } from "./shown-text.js";

/** A larger body is not compared. */
const maxLeaves = 200;
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
  const open: (Leaf & { readonly depth: number })[] =
    document === undefined ? [] : [{ key: "", value: document, depth: 0 }];
  for (const { key, value, depth } of open) {
    if (open.length > maxLeaves || depth > maxDepth) return undefined;
    if (!isJsonContainer(value)) {
      leaves.push({ key, value });
      continue;
    }
    const members: [string, JsonValue][] = isJsonObject(value)
      ? Object.entries(value)
      : value.slice(0, maxLeaves + 1).map((item) => [key, item]);
    if (members.length > maxLeaves) return undefined;
    open.push(...members.map(([name, item]) => ({ key: name, value: item, depth: depth + 1 })));
  }
  return leaves;
}
