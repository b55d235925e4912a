/** The fragments of one thread: which places they were shown in, and which of them a text contains. */

import type { FlowValue } from "./flow.js";
import { createHashOf, type Fragment, fold, type Hash, listNumbers, rollAnchors } from "./fold.js";

/** Where a fragment was shown. */
export interface Place extends FlowValue {
  readonly isConfidential: boolean;
}

export interface KnownFragment extends Fragment {
  readonly place: Place;
}

/** What a text contains of the fragments. */
export interface Found {
  readonly fragment: KnownFragment;
  /** Folded; of a number its digits behind `#`. */
  readonly text: string;
}

export class FragmentIndex {
  readonly #hash: Hash;
  readonly #byAnchor = new Map<number, KnownFragment[]>();
  readonly #byHash = new Map<string, KnownFragment[]>();
  /** How many are confidential, and how many are there for the values that a receiver knows. */
  readonly counts = { confidential: 0, known: 0 };

  /** @param thread - Whose hashes they are. */
  constructor(thread: string) {
    this.#hash = createHashOf(thread);
  }

  add(fragment: KnownFragment): void {
    const same = this.#byHash.get(fragment.hash);
    if (same === undefined) {
      this.#byHash.set(fragment.hash, [fragment]);
      const near = this.#byAnchor.get(fragment.anchor);
      if (near === undefined) this.#byAnchor.set(fragment.anchor, [fragment]);
      else near.push(fragment);
    } else same.push(fragment);
    this.counts[fragment.place.isConfidential ? "confidential" : "known"] += 1;
  }

  /** Whether a source has shown a fragment. */
  has(hash: string, source: string): boolean {
    return this.#byHash.get(hash)?.some(({ place }) => place.source === source) === true;
  }

  /** Everything that a text contains, once for each place it was shown in. */
  find(text: string): Found[] {
    const found = new Map<string, string>();
    const folded = fold(text);
    rollAnchors(folded, (at, anchor) => {
      for (const { length, hash } of this.#byAnchor.get(anchor) ?? []) {
        if (length === 0 || found.has(hash)) continue;
        const part = folded.slice(at, at + length);
        if (part.length === length && this.#hash(part) === hash) found.set(hash, part);
      }
    });
    for (const number of listNumbers(text, true)) {
      const hash = this.#hash(`#${number}`);
      if (this.#byHash.has(hash)) found.set(hash, `#${number}`);
    }
    return [...found].flatMap(([hash, part]) =>
      (this.#byHash.get(hash) ?? []).map((fragment) => ({ fragment, text: part })),
    );
  }
}
