/** Decides what of a body is shown: which fields, how many rows, how much of each text. */

import { type Column, costOfOpening } from "./list-columns.js";
import { createPlan, type Plan, planTokens, planWhole } from "./plan.js";
import { planRows } from "./plan-rows.js";
import { rankFields } from "./rank-fields.js";
import { type Shape, wholeTokens } from "./shape.js";
import { shareBudget } from "./share-budget.js";

/** What a lone record's short fields may take where arrays or texts want more than there is. */
const factsOfOne = 0.5;
/** A part of a budget for which there is nothing better than the beginnings of blobs. */
const muchLeft = 0.4;
const fewestTextTokens = 5;
/** Characters that a token holds, about, in running text. */
const charactersPerToken = 4;

/** Plans the values at one place, with a budget in tokens for each of them. */
export function planShape(shape: Shape, budget: number): Plan {
  if (wholeTokens(shape) <= budget) return planWhole(shape);
  const plan = createPlan(shape);
  if (shape.scalars.count > 0) {
    plan.scalars = true;
    plan.clip = clipFor(shape, budget);
  }
  if (shape.rows > 0) planRows(plan, budget, planShape);
  if (shape.objects > 0) planFields(plan, budget);
  return plan;
}

/** The characters that a text column may have each, by its own share of tokens to characters. */
export function clipFor(shape: Shape, budget: number): number {
  const { tokens, length, strings } = shape.scalars;
  if (strings === 0 || tokens <= 0) return Number.POSITIVE_INFINITY;
  const perToken = length > 0 ? length / tokens : charactersPerToken;
  return Math.max(8, Math.floor(budget * perToken));
}

function planFields(plan: Plan, budget: number): void {
  const ranked = rankFields(plan.shape);
  const elastic = [...ranked.texts, ...ranked.rows];
  const wanted = elastic.reduce((sum, column) => sum + column.cost, 0);
  plan.fields = new Map();
  const purse = { plan, left: budget, opened: new Set<object>() };
  for (const column of ranked.identity) spendOn(purse, column, Number.POSITIVE_INFINITY);
  const isOne = plan.shape.seen === 1;
  const floor = isOne && wanted > budget / 2 ? purse.left * (1 - factsOfOne) : 0;
  for (const column of ranked.facts) spendOn(purse, column, purse.left - floor);
  spendOnElastic(purse, elastic);
  // The beginning of a blob is worth something only where there is little else.
  if (isOne || purse.left > budget * muchLeft) spendOnElastic(purse, ranked.noise);
  else for (const column of ranked.noise) spendOn(purse, column, purse.left);
}

interface Purse {
  readonly plan: Plan;
  left: number;
  /** Nested records whose keys are paid. */
  readonly opened: Set<object>;
}

/** Puts a column into the plan when it fits. */
function spendOn(purse: Purse, column: Column, limit: number): void {
  const cost = column.cost + costOfOpening(column, purse.opened);
  if (cost > limit) return;
  purse.left -= cost;
  const target = openField(purse, column);
  const whole = planWhole(column.shape);
  if (column.kind === "rows" || column.shape.scalars.count === 0) mergeRows(target, whole);
  else {
    target.scalars = true;
    target.clip = Math.max(whole.clip, identityClip);
  }
}

/** A short column's rare long value is cut here. */
const identityClip = 160;

function mergeRows(target: Plan, source: Plan): void {
  target.rows = source.rows;
  if (source.element !== undefined) target.element = source.element;
}

/** The plan of a column's values, made with the records around it where it is new. */
function openField(purse: Purse, column: Column): Plan {
  let at = purse.plan;
  for (const step of column.chain) {
    at.fields ??= new Map();
    let next = at.fields.get(step.key);
    if (next === undefined) {
      next = createPlan(step.field.shape);
      at.fields.set(step.key, next);
    }
    purse.opened.add(step.field);
    at = next;
  }
  return at;
}

/** Shares what is left among long texts and arrays. */
function spendOnElastic(purse: Purse, columns: readonly Column[]): void {
  const wants = columns.map((column) => ({
    column,
    need: column.cost + costOfOpening(column, purse.opened),
    least: Math.min(column.cost, keyCost(column) + fewestTextTokens * column.presence),
  }));
  purse.left = shareBudget(wants, purse.left, ({ column }, share) => {
    const keys = costOfOpening(column, purse.opened) + keyCost(column);
    const presence = Math.max(0.01, column.presence);
    const inner = createPlan(column.shape);
    if (column.kind === "rows") planRows(inner, (share - keys) / presence, planShape);
    else {
      inner.scalars = true;
      inner.clip = clipFor(column.shape, (share - keys) / presence);
    }
    if (column.kind === "rows" && inner.rows === 0) return 0;
    const target = openField(purse, column);
    if (column.kind === "rows") mergeRows(target, inner);
    else Object.assign(target, { scalars: true, clip: inner.clip });
    return Math.min(share, keys + planTokens(inner) * presence);
  });
}

function keyCost(column: Column): number {
  return (column.chain.at(-1)?.field.keyTokens ?? 0) * column.presence;
}
