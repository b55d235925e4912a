/** Asks a document by JMESPath: exactly, within bounds, and with errors that teach. */

import { ApiSourceError } from "../errors.js";
import { isJsonContainer, type JsonValue } from "../json/exact-number.js";
import { compileExpression } from "./check-expression.js";
import { createInterpreter } from "./create-interpreter.js";
import { explainMiss, type SelectMiss } from "./explain-miss.js";
import { type JmespathLibrary, loadJmespathLibrary } from "./jmespath-library.js";
import { compileExactly } from "./mark-literals.js";
import { createStepCounter } from "./step-counter.js";

export type { SelectMiss };

export interface SelectResult {
  /** What the expression picked; its numbers are the wire's where they passed through untouched. */
  readonly document: JsonValue;
  /** Set when it picked nothing because a name is not there. */
  readonly miss?: SelectMiss;
}

export interface ResultLimits {
  readonly maxValues?: number;
}

export interface SelectEngine {
  /** @throws ApiSourceError `invalid_input` for an expression that can't be run on any body. */
  check(expression: string): void;
  /**
   * Runs an expression in the dialect of `@jmespath-community/jmespath`, where texts may be ordered too.
   *
   * @param limits.maxValues - The most values that a result may hold. Default: what 5,000,000 steps allow.
   * @throws ApiSourceError `invalid_input` for a wrong expression, a function on the wrong type, or too much work.
   */
  run(document: JsonValue, expression: string, limits?: ResultLimits): SelectResult;
}

/** Loads the query library when it is first needed. */
export async function loadSelectEngine(): Promise<SelectEngine> {
  const library = await loadJmespathLibrary();
  return {
    check: (expression) => {
      compileExpression(library, expression);
    },
    run: (document, expression, limits = {}) => runExpression(library, document, expression, limits),
  };
}

function runExpression(
  library: JmespathLibrary,
  value: JsonValue,
  expression: string,
  { maxValues }: ResultLimits,
): SelectResult {
  compileExpression(library, expression);
  const tree = compileExactly(library, expression);
  const count = createStepCounter();
  const interpreter = createInterpreter({ library, root: value, count });
  try {
    const picked = interpreter.visit(tree, value) ?? null;
    boundSize(picked, maxValues === undefined ? count : createStepCounter(maxValues));
    const miss = isEmpty(picked) ? explainMiss(interpreter, tree, value, expression) : undefined;
    return { document: picked, ...(miss === undefined ? {} : { miss }) };
  } catch (error) {
    throw explainFailure(error);
  }
}

/** A result may repeat the same part any number of times (`[@,@]`, again and again): its written size is what counts. */
function boundSize(picked: JsonValue, count: (steps: number) => void): void {
  const open: JsonValue[] = [picked];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    count(1);
    if (typeof value === "string") count(value.length / 100);
    else if (isJsonContainer(value)) for (const item of Object.values(value)) open.push(item);
  }
}

function isEmpty(value: JsonValue): boolean {
  if (value === null) return true;
  if (!isJsonContainer(value)) return false;
  return Object.values(value).every((item) => item === null);
}

function explainFailure(error: unknown): ApiSourceError {
  if (error instanceof ApiSourceError) return error;
  const tooDeep = error instanceof RangeError;
  const message = error instanceof Error ? error.message : "it failed";
  return new ApiSourceError({
    message: tooDeep
      ? "select can't be run: the body or the expression is nested too deeply."
      : `select can't be run: ${message}.`,
    category: "invalid_input",
    code: "invalid_select",
    hint: tooDeep
      ? "Go down to a part first, such as a.b.c."
      : "Numbers can be summed and compared, texts joined, lists counted; take to_number(@), to_string(@) or a filter such as [?price!=`null`] first.",
  });
}
