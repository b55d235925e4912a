/** The library's interpreter, steered where our documents need it: number literals, own keys only, bounded work. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import type { JmespathLibrary, LibraryInterpreter, SyntaxNode } from "./jmespath-library.js";
import { areEqual, compareTexts, createQueryNumbers, type QueryNumbers } from "./numbers.js";
import { fromPairs, queryFunctions, refusesArguments } from "./query-functions.js";
import type { CountSteps } from "./step-counter.js";

/** Evaluates a syntax tree on a value of the document. */
export interface Interpreter {
  readonly numbers: QueryNumbers;
  visit(node: SyntaxNode, value: JsonValue): JsonValue;
}

interface Steering {
  readonly library: JmespathLibrary;
  readonly root: JsonValue;
  readonly count: CountSteps;
}

type Visit = (node: SyntaxNode, value: JsonValue) => JsonValue;

/** The library's numbers of types: its `TYPE_NUMBER`, `TYPE_OBJECT`, `TYPE_EXPREF`. */
const typeNumber = 0;
const typeObject = 4;
const typeReference = 6;

export function createInterpreter(steering: Steering): Interpreter {
  const numbers = createQueryNumbers();
  return { numbers, visit: steer(steering.library.createInterpreter(), steering, numbers).visit };
}

function steer(
  interpreter: LibraryInterpreter,
  steering: Steering,
  numbers: QueryNumbers,
): LibraryInterpreter {
  const { count, root } = steering;
  interpreter._rootValue = root;
  const { runtime } = interpreter;
  const references = new WeakSet<object>();
  const getTypeName = runtime.getTypeName.bind(runtime);
  runtime.getTypeName = (value) => {
    if (numbers.isNumber(value)) return typeNumber;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return getTypeName(value);
    // The library would take an object of the body that has a member `expref` for an expression.
    return references.has(value) ? typeReference : typeObject;
  };
  const withScope = interpreter.withScope.bind(interpreter);
  // Its own would make an unsteered interpreter, whose functions would lose the scope's variables besides.
  interpreter.withScope = (scope) => steer(withScope(scope), steering, numbers);
  const visitByLibrary = interpreter.visit.bind(interpreter);
  const visit: Visit = (node, value) => {
    count(1);
    const special = visitors[node.type];
    return special === undefined ? visitByLibrary(node, value) : special(node, value, tools);
  };
  const tools: VisitTools = { visit, visitByLibrary, numbers, count, interpreter, references };
  interpreter.visit = visit;
  return interpreter;
}

interface VisitTools {
  readonly visit: Visit;
  readonly visitByLibrary: Visit;
  readonly numbers: QueryNumbers;
  readonly count: CountSteps;
  readonly interpreter: LibraryInterpreter;
  /** What `&…` made: nothing else is an expression. */
  readonly references: WeakSet<object>;
}

type Visitor = (node: SyntaxNode, value: JsonValue, tools: VisitTools) => JsonValue;

const identity: SyntaxNode = { type: "Identity" };

const visitors: Readonly<Record<string, Visitor>> = {
  Field: ({ name = "" }, value) => readOwn(value, name),
  Comparator: compare,
  Function: callFunction,
  Arithmetic: (node, value, { visit, visitByLibrary, numbers }) =>
    visitByLibrary(
      {
        ...node,
        left: literal(visit(node.left ?? identity, value), numbers),
        right: literal(visit(node.right ?? identity, value), numbers),
      },
      value,
    ),
  Unary: (node, value, { visit, visitByLibrary, numbers }) =>
    visitByLibrary({ ...node, operand: literal(visit(node.operand ?? identity, value), numbers) }, value),
  // A literal is text to the library: it would be cut.
  Slice: (node, value, { visitByLibrary, numbers, count }) => {
    if (numbers.isNumber(value)) return null;
    if (Array.isArray(value)) count(value.length);
    return visitByLibrary(node, value);
  },
  Flatten: (node, value, { visit, visitByLibrary, count }) => {
    const list = visit(node.child ?? identity, value);
    if (Array.isArray(list)) for (const item of list) count(Array.isArray(item) ? item.length + 1 : 1);
    return visitByLibrary({ ...node, child: { type: "Literal", value: list } }, value);
  },
  ExpressionReference: (node, value, { visitByLibrary, references }) => {
    const reference = visitByLibrary(node, value);
    if (typeof reference === "object" && reference !== null) references.add(reference);
    return reference;
  },
  MultiSelectHash: ({ children = [] }, value, { visit }) =>
    fromPairs(children.map(({ name = "", value: child }) => [name, visit(child as SyntaxNode, value)])),
};

/** Inherited keys (`constructor`) are no part of a body. */
export function readOwn(value: JsonValue, name: string): JsonValue {
  if (!isJsonObject(value)) return null;
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/**
 * Numbers by value; texts by code point too, which the specification leaves null and jmespath.py (`aws --query`) does: dates
 * in ISO 8601 are compared so.
 */
function compare(node: SyntaxNode, value: JsonValue, { visit, numbers, count }: VisitTools): JsonValue {
  const first = visit(node.left ?? identity, value);
  const second = visit(node.right ?? identity, value);
  if (Array.isArray(first)) count(first.length);
  if (node.name === "EQ") return areEqual(first, second, numbers);
  if (node.name === "NE") return !areEqual(first, second, numbers);
  const order = orderOf(first, second, numbers);
  if (order === undefined) return null;
  if (node.name === "GT") return order > 0;
  if (node.name === "GTE") return order >= 0;
  return node.name === "LT" ? order < 0 : order <= 0;
}

function orderOf(first: JsonValue, second: JsonValue, numbers: QueryNumbers): number | undefined {
  const areNumbers = [numbers.isNumber(first), numbers.isNumber(second)];
  if (numbers.isNumber(first) && numbers.isNumber(second)) return numbers.compare(first, second);
  if (areNumbers.includes(true)) return undefined;
  return typeof first === "string" && typeof second === "string" ? compareTexts(first, second) : undefined;
}

function callFunction(node: SyntaxNode, value: JsonValue, tools: VisitTools): JsonValue {
  const { visit, numbers, count, interpreter } = tools;
  const { name = "", children = [] } = node;
  const args = children.map((child) => visit(child, value));
  for (const argument of args) count(sizeOf(argument));
  const { runtime } = interpreter;
  if (!Object.hasOwn(runtime._functionTable, name)) throw new TypeError(`Unknown function: ${name}()`);
  if (refusesArguments(name, args, numbers))
    throw new TypeError(`Invalid value: the width of ${name}() is too large`);
  const own = Object.hasOwn(queryFunctions, name) ? queryFunctions[name] : undefined;
  if (own === undefined) return runtime.callFunction(name, args);
  checkArguments(interpreter, name, args);
  const run = (reference: JsonValue, item: JsonValue): JsonValue =>
    isReference(reference, tools.references) ? visit(reference, item) : null;
  return own(args, { numbers, count, run });
}

/** The library checks types and numbers of arguments before it calls; its own function is left out. */
function checkArguments({ runtime }: LibraryInterpreter, name: string, args: JsonValue[]): void {
  const entry = runtime._functionTable[name] as { _signature: unknown };
  const { validateArgs } = runtime as unknown as {
    validateArgs(name: string, args: unknown, signature: unknown): void;
  };
  validateArgs.call(runtime, name, args, entry._signature);
}

function isReference(value: unknown, references: WeakSet<object>): value is SyntaxNode {
  return typeof value === "object" && value !== null && references.has(value);
}

function literal(value: JsonValue, numbers: QueryNumbers): SyntaxNode {
  return { type: "Literal", value: numbers.isNumber(value) ? numbers.toNative(value) : value };
}

function sizeOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + value.length / 100;
  return Array.isArray(value) ? value.length : 1;
}
