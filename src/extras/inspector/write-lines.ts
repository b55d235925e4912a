/** A document as indented lines, each with a mark: whether the model saw it. */

import { isJsonContainer, type JsonValue, writeJson } from "../../core/base/exact-number.js";
import { clipMark, plural } from "../../core/base/text.js";

/** What the model saw of a line: all of it, nothing, or a part of its text. */
export type Mark = "shown" | "omitted" | "part";

export interface MarkedLines {
  readonly lines: readonly (readonly [text: string, mark: Mark])[];
  /** How many lines the document has; `lines` are the first of them. */
  readonly total: number;
  /** How many of all the model did not see, or saw a part of. */
  readonly omitted: number;
}

/** More than a person reads; a query finds the rest. */
const maxLines = 5_000;
const maxLineCharacters = 2_000;
/** What is deeper is one line. */
const maxDepth = 100;

/**
 * @param view - The part that the model saw; `value` itself where it saw all.
 */
export function writeLines(value: JsonValue, view: JsonValue | undefined): MarkedLines {
  const lines: [string, Mark][] = [];
  let [total, omitted] = [0, 0];
  const add = (text: string, mark: Mark): void => {
    total += 1;
    omitted += mark === "shown" ? 0 : 1;
    if (lines.length < maxLines) lines.push([clipLine(text), mark]);
  };
  const visit = (each: JsonValue, seen: JsonValue | undefined, { depth, name, end }: Place): void => {
    const indent = "  ".repeat(depth);
    const children = isJsonContainer(each) && depth < maxDepth ? listChildren(each, seen) : [];
    if (children.length === 0) {
      add(`${indent}${name}${writeJson(each)}${end}`, markWhole(each, seen));
      return;
    }
    const mark = isJsonContainer(seen) ? "shown" : "omitted";
    const [open, close] = Array.isArray(each) ? ["[", "]"] : ["{", "}"];
    add(`${indent}${name}${open}`, mark);
    children.forEach(([key, child, seenChild], index) => {
      const last = index === children.length - 1;
      const inner = key === undefined ? "" : `${JSON.stringify(key)}: `;
      visit(child, seenChild, { depth: depth + 1, name: inner, end: last ? "" : "," });
    });
    add(`${indent}${close}${end}`, mark);
  };
  visit(value, view, { depth: 0, name: "", end: "" });
  return { lines, total, omitted };
}

/** Where a value is written: behind its name, before a comma. */
interface Place {
  readonly depth: number;
  readonly name: string;
  readonly end: string;
}

function clipLine(text: string): string {
  const more = text.length - maxLineCharacters;
  return more <= 0
    ? text
    : `${text.slice(0, maxLineCharacters)}${clipMark} (${plural(more, "more character")})`;
}

type Child = readonly [key: string | undefined, value: JsonValue, seen: JsonValue | undefined];

function listChildren(value: object, seen: JsonValue | undefined): Child[] {
  if (Array.isArray(value)) {
    const rows = Array.isArray(seen) ? seen : [];
    return value.map((child, index) => [undefined, child, rows[index]]);
  }
  return Object.entries(value).map(([key, child]) => [key, child, readMember(seen, key)]);
}

function readMember(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonContainer(value) && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
}

function markWhole(value: JsonValue, seen: JsonValue | undefined): Mark {
  if (seen === undefined) return "omitted";
  return value === seen || writeJson(value) === writeJson(seen) ? "shown" : "part";
}

/** Whether each value of a view is at its own path in the whole: marks would else be wrong. */
export function isViewOf(view: JsonValue, whole: JsonValue | undefined, depth: number = 0): boolean {
  if (view === whole || whole === undefined) return view === whole;
  if (typeof view === "string" && typeof whole === "string")
    return view.includes(clipMark) && whole.startsWith(view.split(clipMark, 1)[0] ?? "");
  if (!isJsonContainer(view) || !isJsonContainer(whole) || depth === maxDepth)
    return writeJson(view) === writeJson(whole);
  if (Array.isArray(view) !== Array.isArray(whole)) return false;
  return listChildren(view, whole).every(([, child, inWhole]) => isViewOf(child, inWhole, depth + 1));
}
