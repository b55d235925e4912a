/** Evaluates the tree of an expression on a document: own members only, and every visit is charged. */

import { isJsonNumber, isJsonObject, type JsonValue } from "../json/exact-number.js";
import type { Budget } from "./budget.js";
import type { CompiledExpression, NodeOf, SyntaxNode, TwoSided } from "./compile-expression.js";
import { applyFunction } from "./functions.js";
import { areEqual, compareOrdered, isJmespathTrue, kindOf } from "./kinds.js";
import { applyOperator, parseNumber, type QueryNumber } from "./numbers.js";
import { readSlice } from "./text-functions.js";
import type { Witness } from "./witness.js";

export interface Run {
  readonly compiled: CompiledExpression;
  readonly root: JsonValue;
  readonly budget: Budget;
  readonly witness: Witness;
  /** Whether strings that spell a number compare and add up as numbers, as in CSV and XML, which have no others. */
  readonly numericStrings: boolean;
  /** What a name that the root doesn't have stands for. */
  readonly called?: { readonly name: string; readonly list: JsonValue } | undefined;
}

type Scope = ReadonlyMap<string, JsonValue>;

/** One run of one expression. */
export class Evaluator {
  readonly #run: Run;
  /** The pairs that `items` made: `[]` keeps them whole before something else, since nobody wants keys and values in turn. */
  readonly #pairs = new WeakSet<object>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** @throws TypeError for what can't be computed, OverBudgetError for too much. */
  visit(node: SyntaxNode, value: JsonValue, scope: Scope = new Map()): JsonValue {
    this.#run.budget.spend(1);
    switch (node.type) {
      case "Identity":
      case "Current":
        return value;
      case "Root":
        return this.#run.root;
      case "Field":
        return this.#readField(node, value);
      case "Literal":
        return this.#run.compiled.readLiteral(node.value);
      case "Index":
        return Array.isArray(value) ? (value.at(node.value) ?? null) : null;
      case "Subexpression": {
        const left = this.visit(node.left, value, scope);
        return left === null ? null : this.visit(node.right, left, scope);
      }
      case "IndexExpression":
      case "Pipe":
        return this.visit(node.right, this.visit(node.left, value, scope), scope);
      case "OrExpression":
      case "AndExpression": {
        const left = this.visit(node.left, value, scope);
        return isJmespathTrue(left) === (node.type === "OrExpression")
          ? left
          : this.visit(node.right, value, scope);
      }
      case "NotExpression":
        return !isJmespathTrue(this.visit(node.child, value, scope));
      case "Ternary": {
        const chosen = isJmespathTrue(this.visit(node.condition, value, scope))
          ? node.trueExpr
          : node.falseExpr;
        return this.visit(chosen, value, scope);
      }
      default:
        return this.#visitRare(node, value, scope);
    }
  }

  #visitRare(node: SyntaxNode, value: JsonValue, scope: Scope): JsonValue {
    switch (node.type) {
      case "Projection":
      case "FilterProjection":
      case "ValueProjection":
        return this.#project(node, value, scope);
      case "Slice":
        return this.#slice(node, value);
      case "Comparator":
        return this.#compare(node, this.visit(node.left, value, scope), this.visit(node.right, value, scope));
      case "Arithmetic": {
        const operator = node.operator === "Star" ? "Multiply" : node.operator;
        const [left, right] = [this.visit(node.left, value, scope), this.visit(node.right, value, scope)];
        return applyOperator(operator, this.#number(left), this.#number(right), this.#run.budget);
      }
      case "Unary": {
        const operand = this.#number(this.visit(node.operand, value, scope));
        return node.operator === "Plus" ? operand : applyOperator("Minus", 0, operand, this.#run.budget);
      }
      case "MultiSelectList":
        this.#run.budget.spend(node.children.length);
        return node.children.map((child) => this.visit(child, value, scope));
      case "MultiSelectHash":
        this.#run.budget.spend(2 * node.children.length);
        // Pairs, because an assignment to `__proto__` would set the prototype.
        return Object.fromEntries(
          node.children.map(({ name, value: child }) => [name, this.visit(child, value, scope)]),
        );
      case "Function":
        return this.#call(node, value, scope);
      case "LetExpression":
        return this.visit(node.expression, value, this.#bind(node, value, scope));
      case "Variable": {
        const bound = scope.get(node.name);
        if (bound === undefined)
          throw new TypeError(`$${node.name} is not bound; let $${node.name} = … in … does`);
        return bound;
      }
      default:
        throw new TypeError("& stands only before an argument of a function, and = only in let");
    }
  }

  #readField(node: NodeOf<"Field">, value: JsonValue): JsonValue {
    const { root, witness, called } = this.#run;
    if (isJsonObject(value) && Object.hasOwn(value, node.name)) {
      witness.sawField(node);
      return value[node.name] ?? null;
    }
    // A model sees the body as the member `data` of an answer.
    if (node.name === "data" && value === root) return value;
    if (node.name === called?.name && value === root) return called.list;
    // `x == null` says what it means, though the standard reads the word as a name that stands nowhere.
    if (value !== null && node.name !== "null") witness.missedField(node, value);
    return null;
  }

  /** A slice of a string is parsed as a projection, too: what follows it takes the string. */
  #project(node: TwoSided, value: JsonValue, scope: Scope): JsonValue {
    const base = this.#readRows(node, value, scope);
    if (typeof base === "string") return this.visit(node.right, base, scope);
    if (base === undefined) return null;
    const collected: JsonValue[] = [];
    for (const item of base) {
      if (node.type === "FilterProjection" && !isJmespathTrue(this.visit(node.condition, item, scope)))
        continue;
      const picked = this.visit(node.right, item, scope);
      if (picked !== null) collected.push(picked);
    }
    return collected;
  }

  #readRows(
    { type, left, right }: TwoSided,
    value: JsonValue,
    scope: Scope,
  ): Iterable<JsonValue> | undefined {
    const flattens = left.type === "Flatten";
    const base = this.visit(flattens ? left.child : left, value, scope);
    if (type === "ValueProjection") {
      if (!isJsonObject(base)) return undefined;
      return Object.values(base);
    }
    if (typeof base === "string" && left.type === "IndexExpression" && left.right.type === "Slice")
      return base;
    if (!Array.isArray(base)) {
      if (isJsonObject(base)) this.#run.witness.missedList(left, base);
      return undefined;
    }
    if (!flattens) return base;
    return listFlattened(base, (item) => right.type !== "Identity" && this.#pairs.has(item));
  }

  #slice({ start, stop, step }: NodeOf<"Slice">, value: JsonValue): JsonValue {
    if (step === 0) throw new TypeError("the step of a slice can't be 0");
    if (typeof value !== "string" && !Array.isArray(value)) return null;
    return readSlice(value, { start, stop, step: step ?? 1 }, this.#run.budget);
  }

  /** Strings are ordered by code point, which the specification leaves null: dates in ISO 8601 are compared so. */
  #compare(node: NodeOf<"Comparator">, left: JsonValue, right: JsonValue): JsonValue {
    const [first, second] = this.#run.numericStrings ? this.#alignKinds(left, right) : [left, right];
    const [one, other] = [kindOf(first), kindOf(second)];
    if (one === other) this.#run.witness.sawComparison(node);
    else if (first !== null && second !== null && first !== "" && second !== "")
      this.#run.witness.missedComparison(node, one, other);
    if (node.name === "EQ") return areEqual(first, second, this.#run.budget);
    if (node.name === "NE") return !areEqual(first, second, this.#run.budget);
    if (one !== other || (one !== "number" && one !== "string")) return null;
    // An empty cell of a table is no value that comes before all others.
    if (this.#run.numericStrings && (first === "" || second === "")) return null;
    const order = compareOrdered(first, second, this.#run.budget);
    if (node.name === "GT") return order > 0;
    if (node.name === "GTE") return order >= 0;
    return node.name === "LT" ? order < 0 : order <= 0;
  }

  /** Beside a number, a string of CSV or XML is a number; two strings are numbers where both spell one. */
  #alignKinds(left: JsonValue, right: JsonValue): readonly [JsonValue, JsonValue] {
    const [one, other] = [this.#asNumber(left), this.#asNumber(right)];
    return one === undefined || other === undefined ? [left, right] : [one, other];
  }

  #asNumber(value: JsonValue): QueryNumber | undefined {
    if (typeof value === "string") return this.#run.numericStrings ? parseNumber(value) : undefined;
    return isJsonNumber(value) ? value : undefined;
  }

  #number(value: JsonValue): QueryNumber {
    const number = this.#asNumber(value);
    if (number === undefined)
      throw new TypeError(`arithmetic takes numbers, and one side is ${kindOf(value)}`);
    return number;
  }

  #call(node: NodeOf<"Function">, value: JsonValue, scope: Scope): JsonValue {
    const args = node.children.map((child) =>
      child.type === "ExpressionReference"
        ? (item: JsonValue) => this.visit(child.child, item, scope)
        : this.visit(child, value, scope),
    );
    const result = applyFunction(node.name, args, this.#run);
    if (node.name === "items") for (const pair of result as JsonValue[][]) this.#pairs.add(pair);
    return result;
  }

  #bind({ bindings }: NodeOf<"LetExpression">, value: JsonValue, scope: Scope): Scope {
    const bound = new Map(scope);
    this.#run.budget.spend(bound.size);
    for (const { variable, reference } of bindings) bound.set(variable, this.visit(reference, value, scope));
    return bound;
  }
}

/** One by one, since a list that holds the same list many times would make a very long one. */
function* listFlattened(
  list: readonly JsonValue[],
  isWhole: (item: JsonValue[]) => boolean,
): Generator<JsonValue, void> {
  for (const item of list) {
    if (Array.isArray(item) && !isWhole(item)) yield* item;
    else yield item;
  }
}
