/** How long a toolkit or a client lives: its calls end with it, and none begins after it. */

import { ApiSourceError, notConfigured } from "./errors.js";

/** The code of both errors: of a call that ran when the end came, and of one that came later. */
const closedCode = "closed";

export interface Lifetime {
  /** Why the calls that were running ended; undefined while it lasts. */
  readonly endedBy: ApiSourceError | undefined;
  /** @throws ApiSourceError `not_configured`, code `closed`, when it is over. */
  check(): void;
  /**
   * Ends a call when this ends.
   *
   * @param end - Receives why.
   * @returns what the call does when it is over.
   */
  join(end: (why: ApiSourceError) => void): () => void;
  /** Closes what a client has opened, when this ends. */
  onEnd(close: () => void): void;
  /** Ends all calls, and resolves when they are over. A second time does nothing. */
  end(): Promise<void>;
}

/** How long the end waits for calls that do not notice it, in milliseconds. */
const longestEndMs = 5_000;

export function createLifetime(): Lifetime {
  const calls = new Set<(why: ApiSourceError) => void>();
  const opened: (() => void)[] = [];
  let endedBy: ApiSourceError | undefined;
  let noteEmpty = (): void => {};
  return {
    get endedBy() {
      return endedBy;
    },
    check() {
      if (endedBy === undefined) return;
      throw notConfigured(
        closedCode,
        "The application closed this toolkit or client; no request was sent.",
        "The agent can't change this. The application makes a new toolkit.",
      );
    },
    join(end) {
      calls.add(end);
      if (endedBy !== undefined) end(endedBy);
      return () => {
        calls.delete(end);
        if (calls.size === 0) noteEmpty();
      };
    },
    onEnd(close) {
      opened.push(close);
      if (endedBy !== undefined) close();
    },
    async end() {
      if (endedBy !== undefined) return;
      endedBy = describeEnd();
      for (const close of opened) close();
      for (const end of calls) end(endedBy);
      if (calls.size > 0) await waitFor((resolve) => (noteEmpty = resolve));
    },
  };
}

/** Whether an error reports the end of a lifetime. */
export function isEnd(thrown: unknown): thrown is ApiSourceError {
  return thrown instanceof ApiSourceError && thrown.code === closedCode;
}

function describeEnd(): ApiSourceError {
  return new ApiSourceError({
    message: "The application closed this toolkit or client while the call ran.",
    category: "cancelled",
    code: closedCode,
    hint: "The agent can't change this. A write that was sent may have been carried out: tell the user.",
  });
}

/** Resolves when the listener is called, or after the longest wait. The timer keeps no process alive. */
function waitFor(listen: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestEndMs);
    timer.unref();
    listen(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
