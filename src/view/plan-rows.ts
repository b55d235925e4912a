/** Decides how many rows of an array (or a map-like object) are shown, and how much of each. */

import { type Column, costOfOpening } from "./list-columns.js";
import { createPlan, type Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import { meanRows, rowKeyTokens, type Shape, wholeTokens } from "./shape.js";

/** What a row's identity is worth beside its facts, each about 1. */
const worthOfIdentity = 0.2;
/** More facts a row are not worth a row less when each token says this part of what it can. */
const nearly = 0.96;
const fewestFacts = 2;
/** The least a row of texts, or of arrays, is worth showing with. */
const fewestTokensOfRow = 24;

/** Plans one row with a budget in tokens. */
export type PlanElement = (shape: Shape, budget: number) => Plan;

/** Plans the rows of one array within a budget in tokens. */
export function planRows(plan: Plan, budget: number, planElement: PlanElement): void {
  const { shape } = plan;
  const element = shape.element;
  if (element === undefined) return;
  const separator = 1 + rowKeyTokens(shape);
  const count = meanRows(shape);
  const whole = wholeTokens(element) + separator;
  if (whole * count <= budget) {
    plan.rows = Number.POSITIVE_INFINITY;
    plan.element = planElement(element, Number.POSITIVE_INFINITY);
    return;
  }
  const least = Math.min(whole, separator + leastPerRow(element));
  const rows = least * count <= budget ? count : Math.max(1, Math.floor(budget / least));
  plan.rows = rows >= count ? Number.POSITIVE_INFINITY : Math.floor(rows);
  const perRow = budget / Math.max(1, rows) - separator;
  plan.element = perRow < 1 ? createPlan(element) : planElement(element, perRow);
  if (showsNothing(plan.element)) plan.rows = 0;
}

/**
 * The tokens that a row must have: its identity, and facts until each token says nearly as much as it can. Rows that have just
 * these are the most rows; a row of nothing but its identity answers no question.
 */
function leastPerRow(element: Shape): number {
  if (element.objects === 0) return Math.min(wholeTokens(element), fewestTokensOfRow);
  const { identity, facts } = rankFields(element);
  if (facts.length === 0) return fewestTokensOfRow;
  const opened = new Set<object>();
  let cost = 1 + identity.reduce((sum, column) => sum + costWithin(column, opened), 0);
  let worth = worthOfIdentity;
  const steps = facts.map((column) => {
    cost += costWithin(column, opened);
    worth += column.worth;
    return { cost, density: worth / cost };
  });
  const most = Math.max(...steps.map(({ density }) => density));
  const enough = steps
    .slice(Math.min(fewestFacts, steps.length) - 1)
    .find(({ density }) => density >= most * nearly);
  return enough?.cost ?? cost;
}

/** What a column costs behind those before it: its records' keys are paid once. */
function costWithin(column: Column, opened: Set<object>): number {
  const cost = column.cost + costOfOpening(column, opened);
  for (const step of column.chain) opened.add(step.field);
  return cost;
}

function showsNothing(plan: Plan): boolean {
  const fields = [...(plan.fields?.values() ?? [])];
  return !plan.scalars && plan.rows === 0 && fields.every(showsNothing);
}
