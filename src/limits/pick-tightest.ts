/** Decides which of several quotas binds. */

import type { QuotaWindow } from "./quota-window.js";

/**
 * The window that will stop the caller first: one at zero (of several, the one that stays there longest), else the one of
 * which the smallest share remains. A share that is not known comes after all that are.
 */
export function pickTightest(windows: readonly QuotaWindow[]): QuotaWindow | undefined {
  return [...windows].sort(compareTightness)[0];
}

function compareTightness(one: QuotaWindow, other: QuotaWindow): number {
  return (
    compare(shareLeft(one), shareLeft(other)) ||
    compare(one.remaining ?? Infinity, other.remaining ?? Infinity) ||
    compare(other.resetInSeconds ?? -1, one.resetInSeconds ?? -1) ||
    compare(other.limit === undefined ? 0 : 1, one.limit === undefined ? 0 : 1)
  );
}

/** From 0, nothing, to 1, everything; Infinity when it can't be told. */
function shareLeft({ limit, remaining }: QuotaWindow): number {
  if (remaining === 0) return 0;
  return remaining === undefined || limit === undefined || limit === 0 ? Infinity : remaining / limit;
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
