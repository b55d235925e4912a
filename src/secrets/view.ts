/** The contract of a view: text, or bytes that text stands for, read one code unit at a time. */

/** A half-open stretch of the text, in UTF-16 code units. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface View {
  /** The code unit (or byte) at a position, or -1 where there is none. Positions may be negative. */
  at(position: number): number;
  /** The stretch of the original text that the positions from `from` up to `to` were read from. */
  span(from: number, to: number): Interval;
}
