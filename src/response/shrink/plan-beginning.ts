/** The plan of a view that follows the body from its start: all that is short, in order, until the budget ends. */

import { classifyColumn } from "./classify-column.js";
import { createPlan, type Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import type { Shape } from "./shape.js";

/** Most characters of a text. */
const clip = 80;

/** Plans all there is, as the body has it. */
export function planAll(shape: Shape): Plan {
  const plan = createPlan(shape);
  plan.scalars = true;
  plan.rows = Number.POSITIVE_INFINITY;
  if (shape.element !== undefined) plan.element = planAll(shape.element);
  if (shape.objects > 0) plan.fields = new Map();
  for (const [key, field] of shape.fields) plan.fields?.set(key, planAll(field.shape));
  return plan;
}

/** Plans everything but links, hashes and the ends of long texts. A row that the end cuts short keeps its identity. */
export function planBeginning(shape: Shape): Plan {
  const plan = createPlan(shape);
  plan.scalars = true;
  plan.clip = clip;
  if (shape.element !== undefined) {
    plan.rows = Number.POSITIVE_INFINITY;
    plan.element = planBeginning(shape.element);
    if (shape.element.objects > 0) keepCore(plan.element, planCore(shape.element));
  }
  if (shape.objects === 0) return plan;
  plan.fields = new Map();
  const names = new Set(rankFields(shape).labels.map(({ chain }) => chain[0]?.key));
  for (const [key, field] of shape.fields) {
    if (names.has(key) || !isNoise(field.shape)) plan.fields.set(key, planBeginning(field.shape));
  }
  return plan;
}

function isNoise(shape: Shape): boolean {
  return shape.objects === 0 && shape.rows === 0 && classifyColumn(shape).kind === "noise";
}

function keepCore(plan: Plan, core: Plan): void {
  plan.core = core;
  for (const [key, inner] of core.fields ?? []) {
    const field = plan.fields?.get(key);
    if (field !== undefined) keepCore(field, inner);
  }
}

/** What identifies a record, and nothing else. */
function planCore(record: Shape): Plan {
  const core = createPlan(record);
  for (const { chain } of rankFields(record).identity) {
    let at = core;
    for (const { key, field } of chain) {
      at.fields ??= new Map();
      const next = at.fields.get(key) ?? createPlan(field.shape);
      at.fields.set(key, next);
      at = next;
    }
    at.scalars = true;
  }
  return core;
}
