/** How large a document may be that is made of a body. What is larger is answered as text: the limits hold before a tree is built. */

/**
 * Rows of 20 characters fill 10 MB within these limits, tables of any API do by far. Ten million brackets would take seconds and
 * gigabytes, and so would as many different keys.
 */
export const treeLimits = {
  /** Containers within containers. */
  depth: 1_000,
  /** Objects and lists; elements of markup; rows of CSV. */
  containers: 500_000,
  /** Members, elements and cells. */
  values: 2_000_000,
  /** Different keys in the whole document. */
  names: 100_000,
  /** Columns of CSV, attributes of one element. */
  columns: 10_000,
} as const;

type Limit = keyof typeof treeLimits;

const words: Record<Limit, (limit: string) => string> = {
  depth: (limit) => `nested deeper than ${limit} levels`,
  containers: (limit) => `made of more than ${limit} objects, lists, elements or rows`,
  values: (limit) => `made of more than ${limit} values`,
  names: (limit) => `made of more than ${limit} different keys`,
  columns: (limit) => `made of rows with more than ${limit} columns`,
};

/** What ends the reading: `message` names the limit, such as `nested deeper than 1,000 levels`. */
export class TooLargeError extends Error {}

/**
 * Takes what a document would be made of.
 *
 * @throws TooLargeError when it is not within the limits
 */
export function checkTreeSize(size: Partial<Readonly<Record<Limit, number>>>): void {
  for (const name of Object.keys(treeLimits) as Limit[])
    if ((size[name] ?? 0) > treeLimits[name])
      throw new TooLargeError(words[name](treeLimits[name].toLocaleString("en-US")));
}

/** Characters of one step: some milliseconds. */
export const stepLength = 262_144;

/** Resolves when others had their turn: a large body is read in steps. */
export function toNextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
