/** What is wrong with a value, before it is known in which file and record the value stands. */

export interface Flaw {
  readonly message: string;
  /** What would fix it. */
  readonly fix: string;
}

/** A flaw and its place, counted from the record's root. */
export interface PlacedFlaw extends Flaw {
  readonly path: readonly PropertyKey[];
  /** What was given, ready to be shown; by default it is looked up at `path`. */
  readonly given?: string;
}
