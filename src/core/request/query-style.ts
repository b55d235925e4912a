/** How names and values are written in a query or a form, by the API's document: OpenAPI's `style` and `explode`. */

/** Decoded name and value; a repeated name is a repeated parameter. */
export type QueryPair = readonly [name: string, value: string];

/** A pair, and how its value stands in the URL where a plain encoding would not do. */
export type WrittenPair = readonly [name: string, value: string, written?: string];

/**
 * `repeat`: a list repeats its parameter. `comma`, `space`, `tab`, `pipe`: one parameter with all values. `brackets`: `filter[state]=open`, `expand[]=a`. `members`: each member of an object is a
 * parameter. `json`: JSON text. Without one, it is not known that the parameter takes a list or an object, and a list repeats it.
 */
export type QueryStyle =
  | "repeat"
  | "comma"
  | "space"
  | "tab"
  | "pipe"
  | "brackets"
  | "members"
  | "json";

/** By the name of a parameter. */
export type QueryStyles = ReadonlyMap<string, QueryStyle>;
