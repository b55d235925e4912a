/** Tells from the sample alone what a plan surely answers: where that is far ahead, nothing needs to be counted. */

import { clipOf, type Lookups } from "./count-facts.js";
import { longestShort } from "./is-short.js";
import type { Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import type { Shape } from "./shape.js";

/** Values that this part of the records has are there in all rows, nearly. */
const nearlyAll = 0.9;

/** For each label of each table that stands at one place the lookups of what nearly every row has. */
export function estimatePlanned(root: Plan): Lookups {
  const lookups = new Map<Shape, number[]>();
  const pending = [root];
  for (let plan = pending.pop(); plan !== undefined; plan = pending.pop()) {
    const { element, shape } = plan;
    if (element !== undefined) {
      const facts = countSure(element, element.shape.seen) - 1;
      const each = facts * Math.min(plan.rows, shape.rowsLength);
      const { labels } = rankFields(element.shape);
      lookups.set(
        element.shape,
        labels.map((label) => (clipOf(label, element) >= label.shape.scalars.longest ? each : 0)),
      );
    }
    for (const field of plan.fields?.values() ?? []) pending.push(field);
  }
  return lookups;
}

/** The short columns that a plan shows of a record. */
function countSure(plan: Plan, records: number): number {
  let count = 0;
  for (const { scalars, clip, shape, fields, rows } of plan.fields?.values() ?? []) {
    const stats = shape.scalars;
    const isShort = stats.links === 0 && stats.longest <= Math.min(clip, longestShort);
    if (scalars && isShort && stats.count >= nearlyAll * records) count += nearlyAll;
    else if (fields !== undefined && rows === 0) count += countSure({ ...plan, fields }, records);
  }
  return count;
}
