/** Evaluates the tree of an expression on a document: own members only, and every visit is charged. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import type { NodeOf, SyntaxNode, TwoSided } from "./compile-expression.js";
import { type Argument, type FunctionRun, readNumber } from "./function-call.js";
import { applyFunction, readSlice } from "./functions.js";
import {
  applyOperator,
  areEqual,
  compareOrdered,
  isJmespathTrue,
  isPair,
  kindOf,
  type QueryNumber,
} from "./kinds.js";
import type { RunDiagnostics } from "./run-diagnostics.js";

export interface Run extends FunctionRun {
  readonly root: JsonValue;
  readonly diagnostics: RunDiagnostics;
  /** A name that the root lacks, and the list that it means. */
  readonly called?: { readonly name: string; readonly list: JsonValue } | undefined;
  /** Whether `data` is the root where the root has no such member: a model sees the body as the member `data` of an answer. */
  readonly isOfAnswer: boolean;
}

/** Functions that count, order or add up rows. */
const listFunction = /^(?:length|avg|sum|map|reverse|zip|(?:group|max|min|sort)_by|max|min|sort)$/;

/** One run of one expression. */
export class Evaluator {
  #scope: ReadonlyMap<string, JsonValue> = new Map();

  constructor(private readonly run: Run) {}

  /** @throws TypeError for what can't be computed, OverBudgetError for too much. */
  visit(node: SyntaxNode, value: JsonValue): JsonValue {
    this.run.budget.spend(1);
    switch (node.type) {
      case "Identity":
      case "Current":
        return value;
      case "Root":
        return this.run.root;
      case "Field":
        return this.#readField(node, value);
      case "Literal":
        return node.value;
      case "Index":
        this.#noteList(node, value);
        return Array.isArray(value) ? (value.at(node.value) ?? null) : null;
      case "Subexpression": {
        const left = this.visit(node.left, value);
        return left === null ? null : this.visit(node.right, left);
      }
      case "IndexExpression":
      case "Pipe":
        return this.visit(node.right, this.visit(node.left, value));
      case "OrExpression":
      case "AndExpression": {
        const left = this.visit(node.left, value);
        return isJmespathTrue(left) === (node.type === "OrExpression")
          ? left
          : this.visit(node.right, value);
      }
      case "NotExpression":
        return !isJmespathTrue(this.visit(node.child, value));
      case "Ternary":
        return this.visit(
          isJmespathTrue(this.visit(node.condition, value)) ? node.trueExpr : node.falseExpr,
          value,
        );
      default:
        return this.#visitRare(node, value);
    }
  }

  #visitRare(node: SyntaxNode, value: JsonValue): JsonValue {
    const { budget } = this.run;
    switch (node.type) {
      case "Projection":
      case "FilterProjection":
      case "ValueProjection":
        return this.#project(node, value);
      case "Slice":
        this.#noteList(node, value);
        return typeof value === "string" || Array.isArray(value)
          ? readSlice(value, node, budget)
          : null;
      case "Comparator":
        return this.#compare(node, this.visit(node.left, value), this.visit(node.right, value));
      case "Arithmetic": {
        const operator = node.operator === "Star" ? "Multiply" : node.operator;
        const [left, right] = [this.visit(node.left, value), this.visit(node.right, value)];
        return applyOperator(operator, this.#number(left), this.#number(right));
      }
      case "Unary": {
        const operand = this.#number(this.visit(node.operand, value));
        return node.operator === "Plus" ? operand : applyOperator("Minus", 0, operand);
      }
      case "MultiSelectList":
        budget.spend(node.children.length);
        return node.children.map((child) => this.visit(child, value));
      case "MultiSelectHash":
        budget.spend(2 * node.children.length);
        // From pairs, because an assignment to `__proto__` would set the prototype.
        return Object.fromEntries(
          node.children.map(({ name, value: child }) => [name, this.visit(child, value)]),
        );
      case "Function":
        return this.#call(node, value);
      case "LetExpression":
        return this.#let(node, value);
      case "Variable": {
        const bound = this.#scope.get(node.name);
        if (bound !== undefined) return bound;
        throw new TypeError(`$${node.name} is not bound; let $${node.name} = … in … does`);
      }
      default:
        throw new TypeError(
          "& is allowed only before an argument of a function, and = only in let",
        );
    }
  }

  #readField(node: NodeOf<"Field">, value: JsonValue): JsonValue {
    const { root, diagnostics, called, isOfAnswer } = this.run;
    if (isJsonObject(value) && Object.hasOwn(value, node.name)) {
      diagnostics.visited(node);
      return value[node.name] ?? null;
    }
    if (isOfAnswer && node.name === "data" && value === root) return value;
    if (node.name === called?.name && value === root) return called.list;
    // The standard reads the word in `x == null` as a name; the intention is clear.
    if (value !== null && node.name !== "null") diagnostics.unmatched(node, value);
    return null;
  }

  #project(node: TwoSided, value: JsonValue): JsonValue {
    const { left, right } = node;
    const flattens = left.type === "Flatten";
    const base = this.visit(flattens ? left.child : left, value);
    // A slice of a string is parsed as a projection, too: what follows it takes the string.
    if (typeof base === "string" && left.type === "IndexExpression" && left.right.type === "Slice")
      return this.visit(right, base);
    const rows = this.#readRows(node, base);
    if (rows === undefined) return null;
    const collected: JsonValue[] = [];
    for (const item of flattens ? listFlattened(rows, right.type !== "Identity") : rows) {
      if (node.type === "FilterProjection" && !isJmespathTrue(this.visit(node.condition, item)))
        continue;
      const projected = this.visit(right, item);
      if (projected !== null) collected.push(projected);
    }
    return collected;
  }

  #readRows(node: TwoSided, base: JsonValue): JsonValue[] | undefined {
    if (node.type === "ValueProjection")
      return isJsonObject(base) ? Object.values(base) : undefined;
    if (Array.isArray(base) || isJsonObject(base)) this.#noteList(node, base);
    return Array.isArray(base) ? base : undefined;
  }

  /** Strings have an order, which the specification leaves null: dates in ISO 8601 are compared so. */
  #compare(node: NodeOf<"Comparator">, left: JsonValue, right: JsonValue): JsonValue {
    const { budget, diagnostics, numericStrings } = this.run;
    const isEquality = node.name === "EQ" || node.name === "NE";
    const [first, second] = this.#readSides(left, right, isEquality);
    const [kind, other] = [kindOf(first), kindOf(second)];
    diagnostics.compared(node, first, second);
    if (node.name === "EQ") return areEqual(first, second, budget);
    if (node.name === "NE") return !areEqual(first, second, budget);
    if (kind !== other || (kind !== "number" && kind !== "string")) return null;
    // An empty cell of a table has no order.
    if (numericStrings && (first === "" || second === "")) return null;
    const order = compareOrdered(first, second, budget);
    if (node.name === "GT") return order > 0;
    if (node.name === "GTE") return order >= 0;
    return node.name === "LT" ? order < 0 : order <= 0;
  }

  /**
   * The sides as they are compared. In CSV and XML a string that spells a number is one beside a number, and where two are ordered. Two strings
   * are equal only as strings: `007` is another article than `7`.
   */
  #readSides(left: JsonValue, right: JsonValue, isEquality: boolean): [JsonValue, JsonValue] {
    const areStrings = typeof left === "string" && typeof right === "string";
    if (isEquality && areStrings) return [left, right];
    const [first, second] = [readNumber(left, this.run), readNumber(right, this.run)];
    return first === undefined || second === undefined ? [left, right] : [first, second];
  }

  /** A value that the expression uses as a list. */
  #noteList(node: SyntaxNode, value: JsonValue): void {
    if (Array.isArray(value)) this.run.diagnostics.visited(node);
    else if (!this.#isRoot(value) && value !== null) this.run.diagnostics.unmatched(node, value);
  }

  /** The root, an object, that is used as if it were the list of rows. */
  #isRoot(value: Argument): boolean {
    const isRoot = value === this.run.root && isJsonObject(this.run.root);
    if (isRoot) this.run.diagnostics.usedRootAsList();
    return isRoot;
  }

  /** Charged for the decimals that it may be computed in. */
  #number(operand: JsonValue): QueryNumber {
    this.run.budget.spend(10);
    const number = readNumber(operand, this.run);
    if (number !== undefined) return number;
    throw new TypeError(`arithmetic takes numbers, and one side is ${kindOf(operand)}`);
  }

  #call(node: NodeOf<"Function">, value: JsonValue): JsonValue {
    const args = node.children.map((child) =>
      child.type === "ExpressionReference"
        ? (item: JsonValue) => this.visit(child.child, item)
        : this.visit(child, value),
    );
    if (listFunction.test(node.name)) for (const arg of args) this.#isRoot(arg);
    return applyFunction(node.name, args, this.run);
  }

  /** No expression outlives the call it is given to, so that what is bound here ends here. */
  #let({ bindings, expression }: NodeOf<"LetExpression">, value: JsonValue): JsonValue {
    const outer = this.#scope;
    this.run.budget.spend(outer.size);
    const bound = new Map(outer);
    for (const { variable, reference } of bindings)
      bound.set(variable, this.visit(reference, value));
    this.#scope = bound;
    const result = this.visit(expression, value);
    this.#scope = outer;
    return result;
  }
}

/** One by one, since a list that holds the same list many times would make a very long one. */
function* listFlattened(
  list: readonly JsonValue[],
  keepsPairs: boolean,
): Generator<JsonValue, void> {
  for (const item of list) {
    if (Array.isArray(item) && !(keepsPairs && isPair(item))) yield* item;
    else yield item;
  }
}
