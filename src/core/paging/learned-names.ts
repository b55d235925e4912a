/** What the pages of this process have shown: the names that worked, where none did, and where lists show how they go on. */

export interface LearnedNames {
  /** The name under which this source takes what its answers call `stated`. */
  find(source: string, stated: string): string | undefined;
  learn(source: string, stated: string, name: string): void;
  /** The names that may still be right, where none worked at this path in the last ten minutes; else undefined. */
  findFailed(path: string, stated: string): readonly string[] | undefined;
  fail(path: string, stated: string, unproven: readonly string[]): void;
  /** Whether a list at this path gave a link or a cursor to its next page. */
  isPaged(path: string): boolean;
  notePaged(path: string): void;
}

/** The oldest go. */
const maxEntries = 500;
const failureMs = 600_000;

export function createLearnedNames(clock: { now(): number }): LearnedNames {
  const names = new Map<string, string>();
  const failures = new Map<string, { readonly atMs: number; readonly unproven: readonly string[] }>();
  const paged = new Map<string, true>();
  return {
    find: (source, stated) => names.get(`${source} ${stated}`),
    learn: (source, stated, name) => addLast(names, `${source} ${stated}`, name),
    findFailed(path, stated) {
      const { atMs, unproven } = failures.get(`${path} ${stated}`) ?? {};
      return atMs !== undefined && clock.now() - atMs < failureMs ? unproven : undefined;
    },
    fail: (path, stated, unproven) => addLast(failures, `${path} ${stated}`, { atMs: clock.now(), unproven }),
    isPaged: (path) => paged.has(path),
    notePaged: (path) => addLast(paged, path, true),
  };
}

function addLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) map.delete(oldest);
}
