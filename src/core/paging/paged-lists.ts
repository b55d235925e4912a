/** Knows at which paths a list gave a link or a cursor to its next page: a short page without one is the last one there. */

/** The oldest go. */
const maxPaths = 500;

export class PagedLists {
  readonly #paths = new Set<string>();

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  add(path: string): void {
    this.#paths.delete(path);
    this.#paths.add(path);
    const [oldest] = this.#paths;
    if (this.#paths.size > maxPaths && oldest !== undefined) this.#paths.delete(oldest);
  }
}
