/** What is shown of a body, place by place. */

import { filled, meanRows, rowKeyTokens, type Shape } from "./shape.js";

/** What is shown of the values at one place. */
export interface Plan {
  readonly shape: Shape;
  /** A field's key as JSON, once it was written. */
  name?: string;
  scalars: boolean;
  /** Most characters of a string. */
  clip: number;
  /** Fields that are shown; absent when no object is. */
  fields?: Map<string, Plan>;
  /** Most rows of an array or a map-like object. */
  rows: number;
  element?: Plan;
  /** Whether this is shown only where the beginning of the body holds it. */
  readonly isEarly: boolean;
}

/** Values that are this much beyond the mean don't get the whole of a budget meant for all. */
const outlier = 4;
const outlierLength = 200;
const outlierRows = 8;

/** A plan that shows nothing yet. */
export function createPlan(shape: Shape): Plan {
  return { shape, scalars: false, clip: Number.POSITIVE_INFINITY, rows: 0, isEarly: false };
}

/** A plan that shows all, but for values far beyond the size of the others. */
export function planWhole(shape: Shape): Plan {
  const plan = createPlan(shape);
  plan.scalars = true;
  const { count, length, longest } = shape.scalars;
  const mean = length / Math.max(1, count);
  if (longest > outlierLength && longest > outlier * mean) plan.clip = Math.ceil(outlier * mean);
  if (shape.element !== undefined) {
    const limit = outlier * meanRows(shape) + outlierRows;
    plan.rows = shape.longest > limit ? Math.ceil(limit) : Number.POSITIVE_INFINITY;
    plan.element = planWhole(shape.element);
  }
  if (shape.objects > 0) {
    plan.fields = new Map();
    for (const [key, field] of shape.fields) plan.fields.set(key, planWhole(field.shape));
  }
  return plan;
}

/** The mean tokens of one value here as the plan shows it. */
export function planTokens(plan: Plan): number {
  const { shape } = plan;
  const { scalars } = shape;
  let tokens = 0;
  if (plan.scalars) {
    const mean = scalars.length / Math.max(1, scalars.count);
    tokens += scalars.tokens * Math.min(1, plan.clip / Math.max(1, mean));
  }
  if (plan.element !== undefined && plan.rows > 0) {
    const rows = Math.min(meanRows(shape), plan.rows);
    tokens += shape.rows * (1 + rows * (planTokens(plan.element) + 1 + rowKeyTokens(shape)));
  }
  tokens += shape.objects;
  for (const [key, field] of plan.fields ?? []) {
    const keyTokens = shape.fields.get(key)?.keyTokens ?? 0;
    tokens += filled(field.shape) * (keyTokens + planTokens(field));
  }
  return tokens / Math.max(1, shape.seen);
}
