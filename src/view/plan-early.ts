/** Extends a plan by the places that only the beginning of a body shows. */

import { createPlan, type Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import { createShape, type Shape } from "./shape.js";

/** The plan of a field; one that shows nothing of its own where the plan has none. */
export function openField(plan: Plan, key: string): Plan {
  plan.fields ??= new Map();
  let field = plan.fields.get(key);
  if (field === undefined) {
    field = createEarly(plan.shape.fields.get(key)?.shape);
    plan.fields.set(key, field);
  }
  return field;
}

/** The plan of an array's rows; where there is none, what identifies a row and nothing else. */
export function openElement(plan: Plan): Plan {
  plan.element ??= planIdentity(plan.shape.element);
  return plan.element;
}

function createEarly(shape: Shape | undefined): Plan {
  return { ...createPlan(shape ?? createShape()), isEarly: true };
}

function planIdentity(record: Shape | undefined): Plan {
  const plan = createEarly(record);
  if (record === undefined || record.objects === 0) return plan;
  for (const { chain } of rankFields(record).identity) {
    let at = plan;
    for (const { key } of chain) at = openField(at, key);
    at.scalars = true;
  }
  return plan;
}
