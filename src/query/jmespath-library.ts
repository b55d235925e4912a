/** The parts of `@jmespath-community/jmespath` that are used, with the types its interpreter really works on. */

import type { JsonValue } from "../json/exact-number.js";

/** A node of the library's syntax tree; which members it has depends on `type`. */
export interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly left?: SyntaxNode;
  readonly right?: SyntaxNode;
  readonly condition?: SyntaxNode;
  readonly child?: SyntaxNode;
  readonly operand?: SyntaxNode;
  readonly children?: readonly SyntaxNode[];
}

export interface SyntaxToken {
  readonly type: string;
  readonly value: unknown;
  readonly start: number;
}

interface FunctionRuntime {
  _functionTable: Record<string, unknown>;
  getTypeName(value: unknown): number | undefined;
  callFunction(name: string, args: unknown[]): JsonValue;
}

/** The library's interpreter, as far as it is steered from outside. */
export interface LibraryInterpreter {
  readonly runtime: FunctionRuntime;
  _rootValue: unknown;
  visit(node: SyntaxNode, value: JsonValue): JsonValue;
  withScope(scope: Record<string, unknown>): LibraryInterpreter;
}

export interface JmespathLibrary {
  compile(expression: string): SyntaxNode;
  tokenize(expression: string): SyntaxToken[];
  createInterpreter(): LibraryInterpreter;
}

/** Loaded when a query is first asked: most calls ask none. */
export async function loadJmespathLibrary(): Promise<JmespathLibrary> {
  const { compile, tokenize, TreeInterpreter } = await import("@jmespath-community/jmespath");
  // The library exports one instance, whose root value and scope all callers would share; its class makes others.
  const Interpreter = TreeInterpreter.constructor as new () => LibraryInterpreter;
  return {
    compile: (expression) => compile(expression) as unknown as SyntaxNode,
    tokenize: (expression) => tokenize(expression),
    createInterpreter: () => new Interpreter(),
  };
}
