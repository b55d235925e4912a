/** Says in a few words what the values at a place are, such as `string, ~1,900 characters`. */

import { isMostly } from "./classify-column.js";
import { meanRows, type Shape } from "./shape.js";

/** Strings up to this length are worth no figure. */
const shortString = 40;
const longestConstant = 40;

export function describeShape(shape: Shape): string {
  const kinds: string[] = [];
  if (shape.objects > 0) kinds.push(`object, ${shape.fields.size} fields`);
  if (shape.rows > 0) kinds.push(describeRows(shape));
  if (shape.scalars.count > 0) kinds.push(describeScalars(shape));
  return kinds.length === 0 ? "null or empty" : kinds.join(" or ");
}

function describeRows(shape: Shape): string {
  const mean = meanRows(shape);
  const about = Number.isInteger(mean) && shape.rows === 1 ? figure(mean) : `~${round(mean)}`;
  return shape.isMap ? `map of ${about} keys` : `array of ${about}`;
}

function describeScalars(shape: Shape): string {
  const { scalars } = shape;
  const only = scalars.distinct.size === 1 ? [...scalars.distinct.keys()][0] : undefined;
  if (
    only !== undefined &&
    scalars.count >= 4 &&
    only.length <= longestConstant &&
    scalars.longest <= longestConstant
  ) {
    return `${scalars.strings > 0 ? JSON.stringify(only) : only} in all ${scalars.count} sampled`;
  }
  if (isMostly(scalars.booleans, scalars)) return "boolean";
  if (isMostly(scalars.numbers, scalars)) return "number";
  const mean = scalars.length / scalars.count;
  const noun = isMostly(scalars.links, scalars)
    ? "link"
    : isMostly(scalars.times, scalars)
      ? "time"
      : "string";
  if (mean <= shortString || noun !== "string") return noun;
  return `string, ~${round(mean)} characters`;
}

/** Two leading digits are enough of a mean. */
function round(number: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 1);
  return figure(Math.max(1, Math.round(number / step) * step));
}

/** A whole number with commas between its thousands. */
export function figure(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
