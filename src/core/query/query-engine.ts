/** Runs JMESPath over a document: exactly, within bounds, with errors that name the fix and notes about mistakes. */

import type { ApiSourceError } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import type { BodyKind } from "../body/response-body.js";
import { Budget, OverBudgetError } from "./budget.js";
import { type Grammar, parseExpression, refuseQuery } from "./compile-expression.js";
import { Evaluator } from "./evaluate.js";
import { RunDiagnostics } from "./run-diagnostics.js";

export interface QueryOptions {
  /** In CSV and XML, which have no others, strings that spell a number are ordered, added up, and compared with a number, as numbers. @default "json" */
  readonly kind?: BodyKind;
  /** A list of the document, and a name that the root may lack: models write `orders[]` for the answer of `/orders`. */
  readonly called?: { readonly name: string; readonly list: JsonValue } | undefined;
  /** Whether the expression is about an answer, whose member `data` is the document: a `select`. @default false */
  readonly isOfAnswer?: boolean;
  /** The name of the member that has the expression, for errors. @default "select" */
  readonly name?: string;
  /** The member names that lead to the rows, where the document is an envelope around them: a note names the place. */
  readonly rows?: readonly string[];
}

/**
 * Loads the grammar when it is first needed: most calls have no `select`.
 *
 * @example
 * const engine = await loadQueryEngine();
 * engine.run({ items: [{ id: 1, state: "open" }] }, "items[?state=='open'].id"); // { value: [1], notes: [] }
 */
export async function loadQueryEngine() {
  const grammar: Grammar = await import("@jmespath-community/jmespath");
  return {
    /**
     * @param name - Of the member that has the expression, for the error. @default "select"
     * @throws ApiSourceError `invalid_input` for an expression that can't be run on any body.
     */
    check: (expression: string, name?: string): void => {
      parseExpression(grammar, expression, name);
    },
    /**
     * Runs an expression in the dialect of `@jmespath-community/jmespath`, where strings may be ordered and grouping takes any key.
     * It ends within about a tenth of a second, and a result is never larger than some ten million characters.
     *
     * @returns The result; a number that was not computed with has the digits of the response. And sentences about missing names, compared
     *   kinds, case, and where the rows are; none for a correct query.
     * @throws ApiSourceError `invalid_input` for a wrong expression, a function on the wrong kind of value, or too much work.
     */
    run: (
      root: JsonValue,
      expression: string,
      { kind, called, rows, isOfAnswer = false, name = "select" }: QueryOptions = {},
    ) => {
      const tree = parseExpression(grammar, expression, name);
      const diagnostics = new RunDiagnostics(rows);
      const numericStrings = kind === "csv" || kind === "xml";
      try {
        const run = { root, budget: new Budget(), diagnostics, numericStrings, called, isOfAnswer };
        const value = new Evaluator(run).visit(tree, root);
        new Budget().spendWhole(value);
        return { value, notes: diagnostics.listNotes(tree, root) };
      } catch (error) {
        const notes = diagnostics.listNotes(tree, root);
        throw explainFailure(error, { notes, name, expression });
      }
    },
  };
}

/** A query that failed. */
interface FailedQuery {
  readonly expression: string;
  /** Notes about sure mistakes in it. */
  readonly notes: readonly string[];
  /** The name of the member that has it. */
  readonly name: string;
}

const adviceOnGroups =
  "items(group_by(rows,&field))[*].{key:[0],count:length([1]),sum:sum([1][].amount)} counts and adds up groups: [1] are the rows of one.";

function explainFailure(error: unknown, { expression, notes, name }: FailedQuery): ApiSourceError {
  if (error instanceof OverBudgetError)
    return refuseQuery(
      `The ${name} was stopped: it does too much work on this body, or its result is too large.`,
      "Filter first and compute after that, take a slice such as items[:100], or avoid a query inside a query.",
      "select_too_costly",
    );
  if (error instanceof RangeError)
    return refuseQuery(
      `${name} can't be run: the body or the expression is nested too deeply.`,
      "Go down to a part first, such as a.b.c.",
    );
  if (!(error instanceof TypeError)) throw error;
  const advice = advise(error.message, expression);
  return refuseQuery(`${name} can't be run: ${error.message}.`, [...notes, advice].join(" "));
}

function advise(message: string, expression: string): string {
  if (/takes a list.* not object$/.test(message))
    return `${adviceOnGroups} values(@) lists the members of an object.`;
  if (message.endsWith("not null") && expression.includes("group_by")) return adviceOnGroups;
  return "to_number(@) and to_string(@) convert; a filter such as [?price!=`null`] removes null.";
}
