/** A document as indented lines, each with a mark: whether the model saw it. */

import { isJsonContainer, type JsonValue, writeJson } from "../../core/base/exact-number.js";
import { clipMark, plural } from "../../core/base/text.js";

/** The part of a line that the model saw: all of it, nothing, or some of its text. */
export type Mark = "shown" | "omitted" | "part";

export interface MarkedLines {
  readonly lines: readonly (readonly [text: string, mark: Mark])[];
  /** How many lines the document has; `lines` are the first of them. */
  readonly total: number;
  /** How many of all the model did not see, or saw a part of. */
  readonly omitted: number;
  /** Whether the marks say what the model saw. */
  readonly isMarked: boolean;
}

/** More than a person reads; a query finds the rest. */
const maxLines = 5_000;
const maxLineCharacters = 2_000;
/** Deeper values are one line. */
const maxDepth = 100;

/** @param seen - What the model saw. Where that is not a part of this document, nothing is marked: marks would be wrong. */
export function writeLines(value: JsonValue, seen?: JsonValue): MarkedLines {
  const seenLines = seen === undefined ? undefined : [...listLines(seen)];
  const lines: [string, Mark][] = [];
  let [total, omitted, found] = [0, 0, 0];
  for (const line of listLines(value)) {
    // A part has its lines in the order of the whole, each as deep as there.
    const mark = seenLines === undefined ? "shown" : markLine(line, seenLines[found]);
    total += 1;
    omitted += Number(mark !== "shown");
    found += Number(mark !== "omitted");
    if (lines.length < maxLines) lines.push([clipLine(line), mark]);
  }
  if (seenLines !== undefined && found < seenLines.length) return writeLines(value);
  return { lines, total, omitted, isMarked: seenLines !== undefined };
}

/** One line for each value but a container, which has one for each end. */
function* listLines(value: JsonValue, depth = 0, name = "", end = ""): Generator<string> {
  const start = `${"  ".repeat(depth)}${name}`;
  if (!isJsonContainer(value) || depth === maxDepth) return yield start + writeJson(value) + end;
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  yield start + (isList ? "[" : "{");
  for (const [index, [key, child]] of members.entries()) {
    const inner = isList ? "" : `${JSON.stringify(key)}: `;
    yield* listLines(child, depth + 1, inner, index === members.length - 1 ? "" : ",");
  }
  yield "  ".repeat(depth) + (isList ? "]" : "}") + end;
}

/** @param seen - The next line that the model saw. */
function markLine(line: string, seen: string = ""): Mark {
  if (line.replace(/,$/, "") === seen.replace(/,$/, "")) return "shown";
  return seen.includes(clipMark) && line.startsWith(seen.split(clipMark, 1)[0] ?? "")
    ? "part"
    : "omitted";
}

function clipLine(text: string): string {
  const more = text.length - maxLineCharacters;
  return more <= 0
    ? text
    : `${text.slice(0, maxLineCharacters)}${clipMark} (${plural(more, "more character")})`;
}
