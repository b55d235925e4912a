/** Decides how long a call waits before it polls a job again. */

/** The first pauses; later ones are `longestPauseMs`. */
const firstPausesMs: readonly number[] = [1_000, 2_000, 4_000, 8_000];
const longestPauseMs = 10_000;
const shortestPauseMs = 1_000;

interface PollsSoFar {
  readonly polls: number;
  /** The time that the last response asks for. */
  readonly retryAfterSeconds: number | undefined;
}

/**
 * The pause before the next poll in milliseconds: at least one second, what `Retry-After` asks for, else 1, 2, 4, 8, then 10 seconds.
 *
 * @returns undefined when no poll fits the time that is left. The last pause is shortened to it, unless the API asked for a longer one.
 */
export function findPauseMs(
  { polls, retryAfterSeconds }: PollsSoFar,
  leftMs: number,
): number | undefined {
  const usualMs = Math.min(firstPausesMs[polls] ?? longestPauseMs, leftMs);
  const pauseMs =
    retryAfterSeconds === undefined
      ? usualMs
      : Math.max(shortestPauseMs, 1_000 * retryAfterSeconds);
  return pauseMs >= shortestPauseMs && pauseMs <= leftMs ? pauseMs : undefined;
}
