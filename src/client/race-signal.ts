/** Waits no longer than a signal allows, for code that knows no signals. */

/** The promise's result, or a rejection with the signal's reason as soon as it fires. */
export async function raceSignal<T>(work: Promise<T> | T, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const leave = (): void => signal.removeEventListener("abort", abort);
    Promise.resolve(work).then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        reject(error);
      },
    );
  });
}
