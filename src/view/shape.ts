/** What a sample tells about the values at one place of a body: their kinds, sizes and how they differ. */

/** The values at one pattern of a path (`items[].name`), as a sample shows them. */
export interface Shape {
  /** How many values were looked at, null and empty ones included. */
  seen: number;
  /** How many of them were null, `""`, `[]` or `{}`. */
  empty: number;
  readonly scalars: ScalarStats;
  /** How many were objects that are records, and their fields. */
  objects: number;
  readonly fields: Map<string, Field>;
  /** How many were arrays or map-like objects, how many elements they held, and what these look like. */
  rows: number;
  rowsLength: number;
  longest: number;
  /** Whether the rows are those of a map-like object: keys stand in front of them. */
  isMap: boolean;
  keyTokens: number;
  element?: Shape;
}

export interface Field {
  /** Tokens of the key with the marks around it. */
  readonly keyTokens: number;
  readonly shape: Shape;
}

export interface ScalarStats {
  count: number;
  tokens: number;
  length: number;
  longest: number;
  booleans: number;
  numbers: number;
  fractions: number;
  strings: number;
  links: number;
  /** Links below the source's base URL: they say what the request already knows. */
  ownLinks: number;
  times: number;
  /** Hashes, tokens, UUIDs, blobs. */
  opaque: number;
  /** Texts that hold a letter. */
  worded: number;
  /** The different values, short ones as they are, of others the end; at most `maxDistinct`. */
  readonly distinct: Map<string, number>;
}

/** Different values that are told apart; enough for every sample taken. */
export const maxDistinct = 64;

export function createShape(): Shape {
  return {
    seen: 0,
    empty: 0,
    scalars: {
      count: 0,
      tokens: 0,
      length: 0,
      longest: 0,
      booleans: 0,
      numbers: 0,
      fractions: 0,
      strings: 0,
      links: 0,
      ownLinks: 0,
      times: 0,
      opaque: 0,
      worded: 0,
      distinct: new Map(),
    },
    objects: 0,
    fields: new Map(),
    rows: 0,
    rowsLength: 0,
    longest: 0,
    isMap: false,
    keyTokens: 0,
  };
}

/** How many values here say something. */
export function filled(shape: Shape): number {
  return shape.seen - shape.empty;
}

/** The mean number of elements of the arrays (or map-like objects) here. */
export function meanRows(shape: Shape): number {
  return shape.rows === 0 ? 0 : shape.rowsLength / shape.rows;
}

const wholes = new WeakMap<Shape, number>();

/** The mean tokens of one value here when it is shown whole. Weighed once: call it when the sample is complete. */
export function wholeTokens(shape: Shape): number {
  const known = wholes.get(shape);
  if (known !== undefined) return known;
  const tokens = weighWhole(shape);
  wholes.set(shape, tokens);
  return tokens;
}

function weighWhole(shape: Shape): number {
  if (shape.seen === 0) return 1;
  let tokens = shape.scalars.tokens + shape.empty;
  if (shape.rows > 0 && shape.element !== undefined) {
    tokens += shape.rowsLength * (wholeTokens(shape.element) + 1 + rowKeyTokens(shape)) + shape.rows;
  }
  tokens += shape.objects;
  for (const field of shape.fields.values()) {
    tokens += field.shape.seen * (field.keyTokens + wholeTokens(field.shape));
  }
  return tokens / shape.seen;
}

/** Tokens of the key in front of a row; none in an array. */
export function rowKeyTokens(shape: Shape): number {
  return shape.isMap && shape.rows > 0 ? shape.keyTokens / shape.rows : 0;
}
