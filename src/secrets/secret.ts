/** Holds a value that must never be seen, so that printing or serialising it by accident shows nothing. */

import { inspect } from "node:util";

/** What stands in place of a secret. It never tells which secret, or anything about it. */
export const redactedMarker = "[REDACTED]";

export class Secret {
  readonly #value: string;

  static {
    // Not a computed method: isolated declarations can't name one.
    Object.defineProperty(Secret.prototype, inspect.custom, { value: () => redactedMarker });
  }

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself; call it only where it goes on the wire or into the redactor. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redactedMarker;
  }

  toJSON(): string {
    return redactedMarker;
  }
}
