/** Decides how many rows of an array (or a map-like object) are shown, and how much of each. */

import { type Column, costOfOpening } from "./list-columns.js";
import { createPlan, type Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import { meanRows, rowKeyTokens, type Shape, wholeTokens } from "./shape.js";

/** What a row's identity is worth beside its facts, each about 1. */
const worthOfIdentity = 0.8;
/** All rows are kept as long as each shows its identity and this many facts, or this part of many. */
const fewestFacts = 2;
const mostOfFewest = 6;
const partOfFacts = 1 / 6;
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
  const least = Math.min(whole, separator + leastPerRow(element, budget / count - separator));
  const rows = least * count <= budget ? count : Math.max(1, Math.floor(budget / least));
  plan.rows = rows >= count ? Number.POSITIVE_INFINITY : Math.floor(rows);
  const perRow = budget / Math.max(1, rows) - separator;
  plan.element = perRow < 1 ? createPlan(element) : planElement(element, perRow);
  if (showsNothing(plan.element)) plan.rows = 0;
}

/**
 * The tokens that a row must have: its identity and a few facts where all rows can have these, else as many facts as make each
 * token say most. A row of nothing but its identity answers no question.
 */
function leastPerRow(element: Shape, available: number): number {
  if (element.objects === 0) return Math.min(wholeTokens(element), fewestTokensOfRow);
  const { identity, facts } = rankFields(element);
  if (facts.length === 0 && identity.length === 0) return fewestTokensOfRow;
  const wanted = Math.min(mostOfFewest, Math.max(fewestFacts, Math.floor(facts.length * partOfFacts)));
  const opened = new Set<object>();
  const start = 1 + identity.reduce((sum, column) => sum + costWithin(column, opened), 0);
  let cost = start;
  let worth = worthOfIdentity;
  let best = { cost: start, density: 0 };
  for (const [index, column] of facts.entries()) {
    cost += costWithin(column, opened);
    worth += column.worth;
    if (index === wanted - 1 && cost <= available) return cost;
    if (worth / cost > best.density) best = { cost, density: worth / cost };
  }
  return facts.length < wanted && cost <= available ? cost : best.cost;
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
