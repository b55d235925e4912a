/** Renewals of tokens because of a body: one for each caller in a while, because an API may always answer so. */

export interface BodyRenewals {
  /** When the last one of this caller ended; undefined where another may begin. */
  findRecent(caller: string, nowMs: number): number | undefined;
  note(caller: string, nowMs: number): void;
}

const restMs = 60_000;
/** The oldest are forgotten first. */
const maxRenewals = 1_000;

export function createBodyRenewals(): BodyRenewals {
  const renewedMs = new Map<string, number>();
  return {
    findRecent(caller, nowMs) {
      const lastMs = renewedMs.get(caller);
      return lastMs !== undefined && nowMs - lastMs < restMs ? lastMs : undefined;
    },
    note(caller, nowMs) {
      renewedMs.delete(caller);
      renewedMs.set(caller, nowMs);
      const [oldest = caller] = renewedMs.keys();
      if (renewedMs.size > maxRenewals) renewedMs.delete(oldest);
    },
  };
}
