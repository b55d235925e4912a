/** Looks at a bounded number of a body's values and tells what stands where. */

import { ExactNumber, type JsonValue } from "../json/exact-number.js";
import { estimateTokens } from "./count-tokens.js";
import { isMapLike } from "./detect-maps.js";
import { readScalar } from "./read-scalar.js";
import { createShape, type Shape } from "./shape.js";

export interface SampleOptions {
  readonly baseUrl: string;
  /** Most rows of an outermost array that could be shown; later ones are not looked at. */
  readonly maxRows: number;
}

/** Values looked at altogether: for each row that could be shown so many, within bounds. */
const looked = { perRow: 3, least: 1_000, most: 3_200 } as const;
/** Rows of an array that are looked at, by how many arrays are around it. */
const rowsByNesting: readonly number[] = [16, 4, 3, 3];
const fewestRows = 3;
/** Fields of one object that are looked at. */
const maxFields = 1_500;
/** Steps of this length fill a stretch evenly without a period. */
const goldenPart = 0.618034;
/** Deeper values are not looked at, and so never shown in part. */
export const maxDepth = 64;

interface Sampler extends SampleOptions {
  left: number;
}

interface Place {
  readonly depth: number;
  readonly nesting: number;
  /** Values that may be looked at from here on. */
  readonly allowance: number;
}

/** Samples a tree. The cost is bounded whatever the size of the tree, but for the listing of an object's keys. */
export function sampleShape(value: JsonValue, options: SampleOptions): Shape {
  const shape = createShape();
  const left = Math.min(looked.most, Math.max(looked.least, options.maxRows * looked.perRow));
  const sampler: Sampler = { ...options, left };
  look(sampler, shape, value, { depth: 0, nesting: 0, allowance: left });
  return shape;
}

function look(sampler: Sampler, shape: Shape, value: JsonValue, place: Place): void {
  shape.seen += 1;
  sampler.left -= 1;
  if (value === null || value === "") {
    shape.empty += 1;
  } else if (value instanceof ExactNumber || typeof value !== "object") {
    const isLiteral = value instanceof ExactNumber;
    readScalar(shape.scalars, isLiteral ? value.text : value, isLiteral, sampler.baseUrl);
  } else if (Array.isArray(value)) {
    if (value.length === 0) shape.empty += 1;
    else if (place.depth < maxDepth) lookAtRows(sampler, shape, value, place);
  } else {
    const keys = Object.keys(value);
    if (keys.length === 0) shape.empty += 1;
    else if (place.depth < maxDepth) lookAtObject(sampler, shape, value, keys, place);
  }
}

function lookAtObject(
  sampler: Sampler,
  shape: Shape,
  value: { [key: string]: JsonValue },
  keys: readonly string[],
  place: Place,
): void {
  if (shape.isMap || (shape.objects === 0 && shape.rows === 0 && isMapLike(value, keys))) {
    shape.isMap = true;
    lookAtMap(sampler, shape, value, keys, place);
    return;
  }
  shape.objects += 1;
  const length = Math.min(keys.length, maxFields);
  let allowance = Math.min(place.allowance, sampler.left);
  for (let index = 0; index < length && sampler.left > 0; index += 1) {
    const key = keys[index] as string;
    let field = shape.fields.get(key);
    if (field === undefined) {
      field = { keyTokens: estimateTokens(key) + 2, shape: createShape() };
      shape.fields.set(key, field);
    }
    const before = sampler.left;
    // A field may take up to half of what is left, so that a large one leaves something for its successors.
    const share = Math.max(allowance / 2, allowance / (length - index));
    look(sampler, field.shape, value[key] as JsonValue, {
      depth: place.depth + 1,
      nesting: place.nesting,
      allowance: share,
    });
    allowance = Math.max(1, allowance - (before - sampler.left));
  }
}

function lookAtRows(sampler: Sampler, shape: Shape, rows: readonly JsonValue[], place: Place): void {
  lookAtElements(sampler, shape, rows.length, place, (index) => rows[index] as JsonValue);
}

function lookAtMap(
  sampler: Sampler,
  shape: Shape,
  value: { [key: string]: JsonValue },
  keys: readonly string[],
  place: Place,
): void {
  const some = keys.slice(0, 10);
  shape.keyTokens += estimateTokens(some.join('","')) / some.length + 1;
  lookAtElements(sampler, shape, keys.length, place, (index) => value[keys[index] as string] as JsonValue);
}

function lookAtElements(
  sampler: Sampler,
  shape: Shape,
  length: number,
  place: Place,
  at: (index: number) => JsonValue,
): void {
  shape.rows += 1;
  shape.rowsLength += length;
  shape.longest = Math.max(shape.longest, length);
  shape.element ??= createShape();
  const reach = Math.min(length, place.nesting === 0 ? sampler.maxRows : 60);
  const wanted = Math.min(reach, rowsByNesting[place.nesting] ?? fewestRows);
  let allowance = Math.min(place.allowance, sampler.left);
  for (let taken = 0; taken < wanted && allowance > 0 && sampler.left > 0; taken += 1) {
    const before = sampler.left;
    look(sampler, shape.element, at(pick(taken, wanted, reach)), {
      depth: place.depth + 1,
      nesting: place.nesting + 1,
      allowance: Math.max(allowance / 2, allowance / (wanted - taken)),
    });
    allowance -= before - sampler.left;
  }
}

/** Spreads the looks evenly, the first row always among them; not in equal steps, which rows that alternate would fool. */
function pick(taken: number, wanted: number, reach: number): number {
  // Closer rows would be looked at twice.
  const offset = reach >= 2 * wanted ? (taken * goldenPart) % 1 : 0;
  return Math.floor(((taken + offset) * reach) / wanted);
}
