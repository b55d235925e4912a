/** Announces to open pages that something has changed; changes that come together are announced once. */

export interface Changes {
  /** Something has changed. */
  announce(): void;
  /** Calls a function after each change. @returns what ends it */
  follow(listener: () => void): () => void;
}

/** Changes within this time are sent together, in milliseconds. */
const gatherMs = 30;

export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  let isGathering = false;
  const notify = (): void => {
    isGathering = false;
    for (const listener of listeners) listener();
  };
  return {
    announce() {
      if (isGathering) return;
      isGathering = true;
      setTimeout(notify, gatherMs).unref();
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
