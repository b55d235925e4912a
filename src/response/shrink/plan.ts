/** What is shown of a body, place by place. */

import { meanRows, type Shape } from "./shape.js";

/** What is shown of the values at one place. */
export interface Plan {
  readonly shape: Shape;
  scalars: boolean;
  /** Most characters of a string. */
  clip: number;
  /** Fields that are shown; absent when no object is. */
  fields?: Map<string, Plan>;
  /** Most rows of an array or a map-like object. */
  rows: number;
  element?: Plan;
}

/** Values that are this much beyond the mean don't get the whole of a budget meant for all. */
const outlier = 4;
const outlierLength = 200;
const outlierRows = 8;

/** A plan that shows nothing yet. */
export function createPlan(shape: Shape): Plan {
  return { shape, scalars: false, clip: Number.POSITIVE_INFINITY, rows: 0 };
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
