/** Shares a budget among those who want more of it than there is. */

export interface Want {
  readonly need: number;
  /** A share below this is of no use. */
  readonly least: number;
}

/**
 * Gives each its need where that is small, and shares the rest by the square root of the needs: a hundred times as
 * large gets ten times as much. `use` tells what it made of its share; what it leaves goes to those behind it. Those who would
 * get less than their least go without, the smallest needs are served. Returns what nobody used.
 */
export function shareBudget<T extends Want>(
  wants: readonly T[],
  budget: number,
  use: (want: T, share: number) => number,
): number {
  const waiting = wants.filter(({ least }) => least <= budget).sort((a, b) => a.need - b.need);
  let least = sum(waiting.map((want) => want.least));
  while (waiting.length > 0 && least > budget) least -= waiting.pop()?.least ?? 0;
  let left = budget;
  let weights = sum(waiting.map(weigh));
  for (const want of waiting) {
    const weight = weigh(want);
    left -= use(want, Math.min(left, want.need, Math.max(want.least, (left * weight) / weights)));
    weights -= weight;
  }
  return left;
}

function weigh({ need }: Want): number {
  return Math.sqrt(Math.max(need, 0.01));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
