/** Where a value stands in its document, as a chain that is only followed into the text when its number is written. */

import type { LiteralFinder, Place } from "../json/find-literals.js";

export interface Spot {
  /** What it is in; absent for the root. */
  readonly parent?: Spot;
  /** Its position there; among the object's own keys, of which there are `count`, when it has a key. */
  readonly index: number;
  readonly key?: string;
  readonly count: number;
  place?: Place;
}

export function rootSpot(): Spot {
  return { index: 0, count: 0 };
}

/** The number as it was written; `literals` is absent where the tree itself keeps it so. */
export function printNumber(literals: LiteralFinder | undefined, value: number, spot: Spot): string {
  if (literals === undefined) return String(value);
  const literal = literals.literal(findPlace(literals, spot), value) ?? findAnother(literals, value, spot);
  // Never so far; what is no number in JSON would break the view.
  return literal ?? JSON.stringify(value);
}

/** Where a key stands twice, the parsed value is that of the last one. */
function findAnother(literals: LiteralFinder, value: number, { parent, key }: Spot): string | undefined {
  if (parent === undefined || key === undefined) return undefined;
  return literals.literal(literals.lastMember(findPlace(literals, parent), key), value);
}

function findPlace(literals: LiteralFinder, spot: Spot): Place {
  const { parent, index, key, count } = spot;
  if (spot.place !== undefined) return spot.place;
  if (parent === undefined) spot.place = literals.root;
  else {
    const around = findPlace(literals, parent);
    spot.place =
      key === undefined ? literals.element(around, index) : literals.member(around, { key, index, count });
  }
  return spot.place;
}
