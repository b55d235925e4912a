/** Why a query found nothing, when the reason is a name that is not there: it says which names are. */

import { isJsonContainer, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { quoteComparedNames } from "./check-expression.js";
import type { Interpreter } from "./create-interpreter.js";
import { isJmespathTrue } from "./is-jmespath-true.js";
import type { SyntaxNode } from "./jmespath-library.js";

export interface SelectMiss {
  readonly message: string;
  readonly hint: string;
}

/** How many rows are looked at for a key. */
const maxRows = 1_000;
const maxShownKeys = 40;

/**
 * Explains an empty result.
 *
 * @returns undefined when nothing is wrong with the names: a filter that no row passes is an answer.
 */
export function explainMiss(
  interpreter: Interpreter,
  tree: SyntaxNode,
  root: JsonValue,
  expression: string,
): SelectMiss | undefined {
  const missing = findMissing(interpreter, tree, root);
  if (missing === undefined) return undefined;
  const { name, keys, compared } = missing;
  const nearest = keys.find((key) => key.toLowerCase() === name.toLowerCase());
  const corrected = compared ? quoteComparedNames(expression) : expression;
  const advice =
    corrected === expression
      ? nearest === undefined
        ? "Use one of these keys."
        : `Write ${nearest}.`
      : `A text to compare with stands in single quotes: ${corrected}`;
  return {
    message: `select found nothing: there is no key "${name.slice(0, 80)}" at that place; ${describeKeys(keys)}`,
    hint: `Correct the select. ${advice}`,
  };
}

interface Missing {
  readonly name: string;
  readonly keys: readonly string[];
  /** Whether the name stands where a value to compare with was meant. */
  readonly compared?: boolean;
}

function findMissing(interpreter: Interpreter, node: SyntaxNode, value: JsonValue): Missing | undefined {
  switch (node.type) {
    case "Field":
      return missingField(node, [value]);
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return inChain(interpreter, node, value);
    case "Projection":
    case "ValueProjection":
    case "FilterProjection":
      return inProjection(interpreter, node, value);
    case "Flatten":
      return node.child === undefined ? undefined : findMissing(interpreter, node.child, value);
    case "Function":
      return firstOf(node.children ?? [], (child) => findMissing(interpreter, child, value));
    case "MultiSelectHash":
      return firstOf(node.children ?? [], (child) =>
        findMissing(interpreter, child.value as SyntaxNode, value),
      );
    case "MultiSelectList":
      return firstOf(node.children ?? [], (child) => findMissing(interpreter, child, value));
    default:
      return undefined;
  }
}

function inChain(
  interpreter: Interpreter,
  { left, right }: SyntaxNode,
  value: JsonValue,
): Missing | undefined {
  if (left === undefined || right === undefined) return undefined;
  const before = interpreter.visit(left, value);
  return isNothing(before) ? findMissing(interpreter, left, value) : findMissing(interpreter, right, before);
}

function inProjection(interpreter: Interpreter, node: SyntaxNode, value: JsonValue): Missing | undefined {
  const { left, right, condition } = node;
  if (left === undefined || right === undefined) return undefined;
  const base = interpreter.visit(left, value);
  if (isNothing(base)) return findMissing(interpreter, left, value);
  const rows = toRows(base).slice(0, maxRows);
  if (rows.length === 0) return undefined;
  const unknown = condition === undefined ? undefined : missingInCondition(condition, rows);
  if (unknown !== undefined) return unknown;
  const matched =
    condition === undefined ? rows : rows.filter((row) => isJmespathTrue(interpreter.visit(condition, row)));
  return matched.length === 0 ? undefined : missingOfRows(interpreter, right, matched);
}

/** A name is missing from rows only when no row has it: rows may differ. */
function missingOfRows(
  interpreter: Interpreter,
  node: SyntaxNode,
  rows: readonly JsonValue[],
): Missing | undefined {
  if (node.type === "Field") return missingField(node, rows);
  const found = rows.slice(0, 20).map((row) => findMissing(interpreter, node, row));
  return found.every((missing) => missing !== undefined) ? found[0] : undefined;
}

function missingInCondition(
  node: SyntaxNode,
  rows: readonly JsonValue[],
  compared = false,
): Missing | undefined {
  if (node.type === "Field") {
    const missing = missingField(node, rows);
    return missing === undefined ? undefined : { ...missing, compared };
  }
  if (node.type === "Comparator") {
    const [left, right] = [node.left, node.right];
    return (
      (left === undefined ? undefined : missingInCondition(left, rows)) ??
      (right === undefined ? undefined : missingInCondition(right, rows, true))
    );
  }
  if (node.type !== "AndExpression" && node.type !== "NotExpression") return undefined;
  return firstOf(
    [node.left, node.right, node.child].filter((child) => child !== undefined),
    (child) => missingInCondition(child, rows),
  );
}

function missingField({ name = "" }: SyntaxNode, rows: readonly JsonValue[]): Missing | undefined {
  const keys = new Set<string>();
  for (const row of rows) {
    if (!isJsonObject(row)) continue;
    if (Object.hasOwn(row, name)) return undefined;
    for (const key of Object.keys(row).slice(0, maxShownKeys)) if (keys.size < maxShownKeys) keys.add(key);
  }
  return { name, keys: keys.size > 0 ? [...keys] : describeKind(rows[0]) };
}

/** What stands where an object with keys was expected. */
function describeKind(row: JsonValue | undefined): string[] {
  if (!Array.isArray(row)) return [];
  const first = row.find(isJsonObject);
  return first === undefined
    ? ["[]"]
    : Object.keys(first as object)
        .slice(0, maxShownKeys)
        .map((key) => `[].${key}`);
}

function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "what stands there has no keys.";
  return `the keys are: ${keys.map((key) => key.slice(0, 60)).join(", ")}.`;
}

function toRows(base: JsonValue): readonly JsonValue[] {
  if (Array.isArray(base)) return base;
  return isJsonContainer(base) ? Object.values(base) : [];
}

function isNothing(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function firstOf<T, R>(list: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
