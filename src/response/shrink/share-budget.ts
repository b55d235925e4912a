/** Shares a budget among those who want more of it than there is. */

export interface Want {
  readonly need: number;
  /** A share below this is of no use. */
  readonly least: number;
}

/**
 * Gives each its need where that is small, and shares the rest by the square root of the needs: a hundred times as
 * large gets ten times as much. Those who would get less than their least go without, the smallest needs are served.
 */
export function spend<T extends Want>(
  wants: readonly T[],
  budget: number,
): (T & { readonly share: number })[] {
  const waiting = wants.filter(({ least }) => least <= budget).sort((a, b) => a.need - b.need);
  while (waiting.length > 0 && sum(waiting.map(({ least }) => least)) > budget) waiting.pop();
  const served: (T & { readonly share: number })[] = [];
  let left = budget;
  let weights = sum(waiting.map(weigh));
  for (const want of waiting) {
    const weight = weigh(want);
    const share = Math.min(want.need, Math.max(want.least, (left * weight) / weights));
    weights -= weight;
    left -= share;
    served.push({ ...want, share });
  }
  return served;
}

function weigh({ need }: Want): number {
  return Math.sqrt(Math.max(need, 0.01));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
