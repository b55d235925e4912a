/** Asks a document by JMESPath: exactly, within bounds, and with errors and notes that teach. */

import type { BodyKind } from "../body/response-body.js";
import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { Budget, OverBudgetError } from "./budget.js";
import { type Grammar, parseExpression } from "./compile-expression.js";
import { Evaluator } from "./evaluate.js";
import { Witness } from "./witness.js";

export interface QueryResult {
  /** What the expression picked; a number that passed through untouched has the wire's digits. */
  readonly value: JsonValue;
  /** Sentences about names and comparisons that can't have been meant so; none for a query that is right. */
  readonly notes: readonly string[];
}

export interface QueryOptions {
  /** The most values that a result may hold, a long string counting as several. @default 2,000,000 */
  readonly maxValues?: number;
  /** In CSV and XML, which have no others, strings that spell a number compare and add up as numbers. @default "json" */
  readonly kind?: BodyKind;
  /** A list of the document, and a name that the root need not have for it: models write `orders[]` of what `/orders` answered. */
  readonly called?: { readonly name: string; readonly list: JsonValue } | undefined;
}

export interface QueryEngine {
  /** @throws ApiSourceError `invalid_input` for an expression that can't be run on any body. */
  check(expression: string): void;
  /**
   * Runs an expression in the dialect of `@jmespath-community/jmespath`, where strings may be ordered and grouping takes any key.
   * It ends within about a tenth of a second, and a result is never larger than some ten million characters.
   *
   * @throws ApiSourceError `invalid_input` for a wrong expression, a function on the wrong kind of value, or too much work.
   */
  run(document: JsonValue, expression: string, options?: QueryOptions): QueryResult;
}

/**
 * Loads the grammar when it is first needed: most calls ask nothing.
 *
 * @example
 * const engine = await loadQueryEngine();
 * engine.run({ items: [{ id: 1, state: "open" }] }, "items[?state=='open'].id"); // { value: [1], notes: [] }
 */
export async function loadQueryEngine(): Promise<QueryEngine> {
  const grammar: Grammar = await import("@jmespath-community/jmespath");
  return {
    check: (expression) => {
      parseExpression(grammar, expression);
    },
    run: (root, expression, { maxValues, kind, called } = {}) => {
      const tree = parseExpression(grammar, expression);
      const witness = new Witness();
      const numericStrings = kind === "csv" || kind === "xml";
      try {
        const run = { root, budget: new Budget(), witness, numericStrings, called };
        const value = new Evaluator(run).visit(tree, root);
        new Budget(maxValues).spendWhole(value);
        return { value, notes: witness.listNotes(tree, root) };
      } catch (error) {
        throw explainFailure(error, witness.listNotes(tree, root));
      }
    },
  };
}

function explainFailure(error: unknown, notes: readonly string[]): ApiSourceError {
  const refuse = (message: string, hint: string, code = "invalid_select"): ApiSourceError =>
    new ApiSourceError({ message, category: "invalid_input", code, hint });
  if (error instanceof OverBudgetError)
    return refuse(
      "The select was stopped: it does too much work on this body, or makes too large a result.",
      "Filter first and compute after that, take a slice such as items[:100], or avoid a query inside a query.",
      "select_too_costly",
    );
  if (error instanceof RangeError)
    return refuse(
      "select can't be run: the body or the expression is nested too deeply.",
      "Go down to a part first, such as a.b.c.",
    );
  if (!(error instanceof TypeError)) throw error;
  const advice = /takes a list.* got object$/.test(error.message)
    ? "An object is no list: items(group_by(rows,&field))[*].{key:[0],count:length([1])} counts groups, and values(@) lists members."
    : "Numbers can be summed and compared, strings joined, lists counted; take to_number(@), to_string(@) or a filter such as [?price!=`null`] first.";
  return refuse(`select can't be run: ${error.message}.`, [...notes, advice].join(" "));
}
