/** Says what a view leaves out of its body: the important things one by one, the rest by name. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import { describeShape, figure } from "./describe-shape.js";
import { nameField, nameKey, nameRows, wholePath } from "./name-path.js";
import type { Plan } from "./plan.js";
import { type Shape, wholeTokens } from "./shape.js";
import type { Omission } from "./summary.js";
import type { Tally } from "./tally.js";
import type { WrittenView } from "./write-view.js";

/** Something left out, with the tokens that it holds. */
export interface Finding {
  readonly weight: number;
  /** Says it; called only for what will be shown. */
  readonly toOmission: () => Omission;
  /** Set for a field: it can be named in a list of its record's. */
  readonly field?: { readonly record: string; readonly name: string };
}

interface Walk {
  readonly tallies: ReadonlyMap<Plan, Tally>;
  readonly findings: Finding[];
  /** Rows that may still be counted: the cost must not follow the body. */
  countable: number;
}

interface Place {
  readonly path: string;
  /** How many values the sample stands for: 1, or the rows around. */
  readonly many: number;
  /** The value, where the place is one and not each row's. */
  readonly value?: JsonValue;
  /** The rows around, with the keys from a row to here. */
  readonly rows?: readonly JsonValue[];
  /** How many of them are shown. */
  readonly shown?: number;
  readonly keys: readonly string[];
}

const maxCountable = 6_000;

/** Lists what is left out, in the order of the body. */
export function findOmissions(document: JsonValue, plan: Plan, written: WrittenView): Finding[] {
  const walk: Walk = { tallies: written.tallies, findings: [], countable: maxCountable };
  visit(walk, plan, { path: wholePath, many: 1, value: document, keys: [] });
  return walk.findings;
}

function visit(walk: Walk, plan: Plan, place: Place): void {
  const tally = walk.tallies.get(plan);
  if (tally !== undefined && tally.clipped > 0) addClipped(walk, plan, place, tally);
  if (tally !== undefined && tally.shown < tally.of) addRows(walk, plan, place, tally);
  if (plan.element !== undefined && tally !== undefined && tally.shown > 0) {
    visit(walk, plan.element, toRowPlace(plan, place, tally.shown));
  }
  if (plan.fields === undefined) return;
  for (const [key, field] of plan.shape.fields) {
    const inner = plan.fields.get(key);
    const at = toFieldPlace(place, key);
    const early = inner === undefined ? 0 : (walk.tallies.get(inner)?.early ?? 0);
    if (inner === undefined || (inner.isEarly && (early === 0 || at.value === undefined)))
      addField(walk, field.shape, at, { record: place.path, key, early });
    else visit(walk, inner, at);
  }
  if (tally !== undefined && tally.unseen.size > 0)
    addNames(walk, place.path, "rarer fields left out", tally.unseen);
  const emptied = [...(tally?.emptied ?? [])].filter((key) => plan.fields?.has(key));
  if (emptied.length > 0) addNames(walk, place.path, "left out where null or empty", new Set(emptied));
}

function toFieldPlace(place: Place, key: string): Place {
  const path = nameField(place.path, key);
  if (place.rows !== undefined) return { ...place, path, keys: [...place.keys, key] };
  const { value } = place;
  const isRecord = isJsonObject(value) && Object.hasOwn(value, key);
  return { path, many: place.many, keys: [], ...(isRecord ? { value: value[key] ?? null } : {}) };
}

function toRowPlace(plan: Plan, place: Place, shown: number): Place {
  const holdsArrays = (plan.element?.shape.rows ?? 0) > 0 && !plan.element?.shape.isMap;
  const path = nameRows(place.path, { isMap: plan.shape.isMap, holdsArrays });
  const many = place.many * Math.max(1, plan.shape.rowsLength / Math.max(1, plan.shape.rows));
  return Array.isArray(place.value)
    ? { path, many, rows: place.value, shown, keys: [] }
    : { path, many, keys: [] };
}

function addClipped(walk: Walk, plan: Plan, place: Place, tally: Tally): void {
  const weight = (plan.shape.scalars.tokens / Math.max(1, plan.shape.scalars.count)) * place.many;
  const omission =
    place.value === undefined
      ? {
          path: place.path,
          about: `string, cut at ${plan.clip} characters of up to ${figure(tally.longest)}`,
        }
      : { path: place.path, shown: tally.clippedTo, of: tally.clippedOf, about: "string, characters" };
  walk.findings.push({ weight, toOmission: () => omission });
}

function addRows(walk: Walk, plan: Plan, place: Place, tally: Tally): void {
  const each = plan.shape.element === undefined ? 1 : wholeTokens(plan.shape.element);
  const noun = plan.shape.isMap ? "keys" : "elements";
  const omission =
    place.value !== undefined
      ? { path: place.path, shown: tally.shown, of: tally.of, ...(plan.shape.isMap ? { about: noun } : {}) }
      : { path: place.path, about: `the first ${plan.rows} of up to ${figure(tally.most)} ${noun} each` };
  // Rows of the outermost arrays come before all fields: a count is what a reader gets wrong.
  const weight = (tally.of - tally.shown) * each * (place.value !== undefined ? 1_000 : 1);
  walk.findings.push({ weight, toOmission: () => omission });
}

/** A field that the plan leaves out; the beginning may show `early` of its values nevertheless. */
function addField(
  walk: Walk,
  shape: Shape,
  place: Place,
  { record, key, early }: { record: string; key: string; early: number },
): void {
  const share = shape.seen === 0 ? 0 : (shape.seen - shape.empty) / shape.seen;
  const field = { record, name: nameKey(key) };
  if (share === 0) {
    walk.findings.push({
      weight: 0,
      toOmission: () => ({ path: place.path, about: "null or empty" }),
      field,
    });
    return;
  }
  if (early > 0 && early === place.shown) return;
  const counted = early > 0 ? countFilled(walk, place) : undefined;
  if (early > 0 && early === counted) return;
  const isNoise = shape.scalars.links + shape.scalars.opaque > 0;
  const weight = wholeTokens(shape) * share * place.many * (isNoise ? 0.2 : 1);
  const toOmission = (): Omission => {
    const of = counted ?? countFilled(walk, place);
    const about = describeShape(shape);
    if (early === 0) return { path: place.path, ...(of === undefined ? {} : { of }), about };
    if (of === undefined) return { path: place.path, about: `${about}, shown at the beginning only` };
    return { path: place.path, shown: early, of, about };
  };
  walk.findings.push({ weight, toOmission, field });
}

/** How many rows have a value here; undefined where counting them would cost too much. */
function countFilled(walk: Walk, place: Place): number | undefined {
  const { rows, keys } = place;
  if (rows === undefined || rows.length > walk.countable) return undefined;
  walk.countable -= rows.length;
  // What every object inherits is no field of a row; asking each row for its own keys takes twice as long.
  const isInherited = keys.some((key) => key in Object.prototype);
  let count = 0;
  for (const row of rows) if (follow(row, keys, isInherited) != null) count += 1;
  return count;
}

function follow(row: JsonValue, keys: readonly string[], isInherited: boolean): JsonValue | undefined {
  let at: JsonValue | undefined = row;
  for (const key of keys) {
    if (!isJsonObject(at)) return undefined;
    if (isInherited && !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function addNames(walk: Walk, path: string, what: string, names: ReadonlySet<string>): void {
  const about = `${what}: ${[...names].map(nameKey).join(", ")}`;
  walk.findings.push({ weight: 1, toOmission: () => ({ path, about }) });
}
