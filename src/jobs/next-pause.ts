/** How long to pause before a job is polled again. */

/** The first pauses; later ones are `longestPauseMs`. */
const firstPausesMs: readonly number[] = [1_000, 2_000, 4_000, 8_000];
const longestPauseMs = 10_000;
const shortestPauseMs = 1_000;

export interface PauseFacts {
  /** How many polls there were. */
  readonly polls: number;
  /** What the last response asks for. */
  readonly retryAfterSeconds?: number | undefined;
  /** What is left of the time that the call may wait. */
  readonly leftMs: number;
}

/**
 * Gives the pause before the next poll in milliseconds: at least one second, what `Retry-After` asks for, else 1, 2, 4, 8, then 10 seconds.
 *
 * @returns undefined when no poll fits the time that is left. The last pause is shortened to it, unless the API asked for a longer one.
 */
export function readNextPauseMs({ polls, retryAfterSeconds, leftMs }: PauseFacts): number | undefined {
  const askedMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
  const pauseMs =
    askedMs === undefined
      ? Math.min(firstPausesMs[polls] ?? longestPauseMs, leftMs)
      : Math.max(shortestPauseMs, askedMs);
  return pauseMs >= shortestPauseMs && pauseMs <= leftMs ? pauseMs : undefined;
}
