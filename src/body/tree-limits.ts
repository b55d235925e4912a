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

const words: Record<keyof typeof treeLimits, (limit: string) => string> = {
  depth: (limit) => `nested deeper than ${limit} levels`,
  containers: (limit) => `made of more than ${limit} objects, lists, elements or rows`,
  values: (limit) => `made of more than ${limit} values`,
  names: (limit) => `made of more than ${limit} different keys`,
  columns: (limit) => `made of rows with more than ${limit} columns`,
};

export type TreeSize = Partial<Readonly<Record<keyof typeof treeLimits, number>>>;

/**
 * Takes what a document would be made of.
 *
 * @returns what it has too much of, as `nested deeper than 1,000 levels`; undefined when it is within the limits
 */
export function findExcess(size: TreeSize): string | undefined {
  for (const name of Object.keys(treeLimits) as (keyof typeof treeLimits)[]) {
    if ((size[name] ?? 0) > treeLimits[name]) return words[name](treeLimits[name].toLocaleString("en-US"));
  }
  return undefined;
}
