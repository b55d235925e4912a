/** Places for the calls of one run: so many at a time, in order; one alone where a person has to decide. */

export class CallPlaces {
  /** How many may be under way; a change counts for those that enter later. */
  most: number;
  #busy = 0;
  #isAlone = false;
  readonly #queue: { readonly isAlone: boolean; readonly enter: () => void }[] = [];

  constructor(most: number) {
    this.most = most;
  }

  enter(): Promise<void> {
    return this.#wait(false);
  }

  /** Waits until nothing else is under way, and keeps it so until `leave`. */
  enterAlone(): Promise<void> {
    return this.#wait(true);
  }

  leave(): void {
    this.#busy -= 1;
    this.share();
  }

  /** Lets others in beside the one that was alone. */
  share(): void {
    this.#isAlone = false;
    this.#admit();
  }

  /** Forgets those that wait: they never enter. */
  drop(): void {
    this.#queue.length = 0;
  }

  #wait(isAlone: boolean): Promise<void> {
    return new Promise((enter) => {
      this.#queue.push({ isAlone, enter });
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#isAlone || this.#busy >= (next.isAlone ? 1 : Math.max(1, this.most))) return;
      this.#queue.shift();
      this.#busy += 1;
      this.#isAlone = next.isAlone;
      next.enter();
    }
  }
}
