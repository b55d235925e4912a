/** Outputs of code that contain a secret which no answer contained: each shows that a guess was right, so that few are allowed. */

import { redactedMarker } from "../secrets/secret.js";

/** A shorter secret is replaced only where it is a whole value: answers may contain it elsewhere. */
const shortest = 8;
const maxGuesses = 3;
/** How many threads are remembered; the oldest are forgotten. */
const maxThreads = 10_000;

/** Counts such runs by thread. */
export class GuessWatch {
  readonly #found = new Map<string, number>();

  /** Whether code is ended for this thread. */
  isEnded(thread: string): boolean {
    return (this.#found.get(thread) ?? 0) >= maxGuesses;
  }

  add(thread: string): void {
    const found = (this.#found.get(thread) ?? 0) + 1;
    this.#found.delete(thread);
    this.#found.set(thread, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxThreads && oldest !== undefined) this.#found.delete(oldest);
  }
}

/**
 * Whether redaction took a secret of 8 or more characters out of a text. Everything that code receives is redacted: such a secret was put
 * together by the code itself.
 *
 * @param redacted - The same text after its redaction.
 */
export function hasGuess(text: string, redacted: string): boolean {
  if (text === redacted) return false;
  const parts = redacted.split(redactedMarker);
  let at = parts[0]?.length ?? 0;
  for (const [index, part] of parts.slice(1).entries()) {
    const isLast = index === parts.length - 2;
    const end = isLast ? text.length - part.length : text.indexOf(part, at + 1);
    const replaced = text.slice(at, end);
    if (replaced !== redactedMarker && replaced.length >= shortest) return true;
    at = end + part.length;
  }
  return false;
}

/** Of the whole process. */
export const guessWatch: GuessWatch = new GuessWatch();
