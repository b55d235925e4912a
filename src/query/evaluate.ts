/** Evaluates the tree of an expression on a document: own members only, and every visit is charged. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import type { CompiledExpression, NodeOf, SyntaxNode, TwoSided } from "./compile-expression.js";
import { type FunctionRun, readNumber } from "./function-call.js";
import { applyFunction } from "./functions.js";
import { areEqual, compareOrdered, isJmespathTrue, kindOf } from "./kinds.js";
import { applyOperator, type QueryNumber } from "./numbers.js";
import { readSlice } from "./text-functions.js";
import type { Witness } from "./witness.js";

export interface Run extends FunctionRun {
  readonly compiled: CompiledExpression;
  readonly root: JsonValue;
  readonly witness: Witness;
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
        const isDecided = isJmespathTrue(left) === (node.type === "OrExpression");
        return isDecided ? left : this.visit(node.right, value, scope);
      }
      case "NotExpression":
        return !isJmespathTrue(this.visit(node.child, value, scope));
      case "Ternary": {
        const isChosen = isJmespathTrue(this.visit(node.condition, value, scope));
        return this.visit(isChosen ? node.trueExpr : node.falseExpr, value, scope);
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
        return applyOperator(operator, this.#number(left), this.#number(right));
      }
      case "Unary": {
        const operand = this.#number(this.visit(node.operand, value, scope));
        return node.operator === "Plus" ? operand : applyOperator("Minus", 0, operand);
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
        if (bound !== undefined) return bound;
        throw new TypeError(`$${node.name} is not bound; let $${node.name} = … in … does`);
      }
      default:
        throw new TypeError("& stands only before an argument of a function, and = only in let");
    }
  }

  #readField(node: NodeOf<"Field">, value: JsonValue): JsonValue {
    const { root, witness, called } = this.#run;
    if (isJsonObject(value) && Object.hasOwn(value, node.name)) {
      witness.saw(node);
      return value[node.name] ?? null;
    }
    // A model sees the body as the member `data` of an answer.
    if (node.name === "data" && value === root) return value;
    if (node.name === called?.name && value === root) return called.list;
    // `x == null` says what it means, though the standard reads the word as a name that stands nowhere.
    if (value !== null && node.name !== "null") witness.missed(node, value);
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

  #readRows(node: TwoSided, value: JsonValue, scope: Scope): Iterable<JsonValue> | undefined {
    const { type, left, right } = node;
    const flattens = left.type === "Flatten";
    const base = this.visit(flattens ? left.child : left, value, scope);
    if (type === "ValueProjection") return isJsonObject(base) ? Object.values(base) : undefined;
    if (typeof base === "string" && left.type === "IndexExpression" && left.right.type === "Slice")
      return base;
    if (isJsonObject(base)) this.#run.witness.missed(node, base);
    if (!Array.isArray(base)) return undefined;
    this.#run.witness.saw(node);
    if (!flattens) return base;
    return listFlattened(base, (item) => right.type !== "Identity" && this.#pairs.has(item));
  }

  #slice({ start, stop, step }: NodeOf<"Slice">, value: JsonValue): JsonValue {
    if (step === 0) throw new TypeError("the step of a slice can't be 0");
    if (typeof value !== "string" && !Array.isArray(value)) return null;
    return readSlice(value, { start, stop, step: step ?? 1 }, this.#run.budget);
  }

  /** Strings have an order, which the specification leaves null: dates in ISO 8601 are compared so. */
  #compare(node: NodeOf<"Comparator">, left: JsonValue, right: JsonValue): JsonValue {
    const { budget, witness, numericStrings } = this.#run;
    const [first, second] = this.#alignKinds(left, right);
    const [one, other] = [kindOf(first), kindOf(second)];
    const isEmpty = first === "" || second === "";
    if (one === other) witness.saw(node);
    else if (first !== null && second !== null && !isEmpty) witness.missed(node, first, second);
    if (node.name === "EQ") return areEqual(first, second, budget);
    if (node.name === "NE") return !areEqual(first, second, budget);
    if (one !== other || (one !== "number" && one !== "string")) return null;
    // An empty cell of a table is no value that comes before all others.
    if (numericStrings && isEmpty) return null;
    const order = compareOrdered(first, second, budget);
    if (node.name === "GT") return order > 0;
    if (node.name === "GTE") return order >= 0;
    return node.name === "LT" ? order < 0 : order <= 0;
  }

  /** Beside a number, a string of CSV or XML is a number; two strings are numbers where both spell one. */
  #alignKinds(left: JsonValue, right: JsonValue): readonly [JsonValue, JsonValue] {
    const [one, other] = [readNumber(left, this.#run), readNumber(right, this.#run)];
    return one === undefined || other === undefined ? [left, right] : [one, other];
  }

  /** Charged for the decimals that it may be computed in. */
  #number(value: JsonValue): QueryNumber {
    this.#run.budget.spend(10);
    const number = readNumber(value, this.#run);
    if (number !== undefined) return number;
    throw new TypeError(`arithmetic takes numbers, and one side is ${kindOf(value)}`);
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
