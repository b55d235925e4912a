/** Decides how many rows of an array (or a map-like object) are shown, and how much of each. */

import type { Column } from "./list-columns.js";
import { createPlan, type Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import { meanRows, rowKeyTokens, type Shape, wholeTokens } from "./shape.js";

/** What a row's identity is worth beside its facts, each about 1. */
const worthOfIdentity = 1.2;
/** All rows are kept as long as each shows its identity and this many facts. */
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
  const least = Math.min(whole, separator + leastPerRow(element, budget / count - separator));
  const rows = least * count <= budget ? count : Math.max(1, Math.floor(budget / least));
  plan.rows = rows >= count ? Number.POSITIVE_INFINITY : Math.floor(rows);
  const perRow = budget / Math.max(1, rows) - separator;
  plan.element = perRow < 1 ? createPlan(element) : planElement(element, perRow);
  if (showsNothing(plan.element)) plan.rows = 0;
}

/** The tokens that a row must have for its array to be shown with all its rows; else those it has at its best. */
function leastPerRow(element: Shape, available: number): number {
  if (element.objects === 0) return Math.min(wholeTokens(element), fewestTokensOfRow);
  const ranked = rankFields(element);
  const identity = costOf(ranked.identity);
  const facts = ranked.facts;
  const least = identity + costOf(facts.slice(0, fewestFacts)) + 1;
  if (facts.length === 0 && ranked.identity.length === 0) return fewestTokensOfRow;
  if (least <= available) return least;
  return bestPerRow(identity, facts);
}

function costOf(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + column.price, 0);
}

/** The tokens per row at which each token says most. */
function bestPerRow(identity: number, facts: readonly Column[]): number {
  let cost = identity + 1;
  let worth = worthOfIdentity;
  let best = { cost, density: worth / cost };
  for (const column of facts) {
    cost += column.price;
    worth += column.worth;
    if (worth / cost > best.density) best = { cost, density: worth / cost };
  }
  return best.cost;
}

function showsNothing(plan: Plan): boolean {
  const fields = [...(plan.fields?.values() ?? [])];
  return !plan.scalars && plan.rows === 0 && fields.every(showsNothing);
}
