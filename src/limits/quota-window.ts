/** One of the quotas a response speaks of; a response may speak of several at once. */

export interface QuotaWindow {
  /** The server's name of it; `""` when it gave none. */
  readonly name: string;
  readonly limit?: number;
  readonly remaining?: number;
  readonly resetInSeconds?: number;
  readonly policy?: string;
}

export interface QuotaFigures {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  readonly used?: number | undefined;
  readonly resetInSeconds?: number | undefined;
  readonly policy?: string | undefined;
}

/** A policy's text is shown to a model; it is no place for an essay. */
const maxPolicyLength = 200;

/**
 * Makes a window of what is known. Of limit, remaining and used, any two give the third: that is arithmetic, not a guess.
 *
 * @returns undefined when no number is known.
 */
export function toWindow(name: string, figures: QuotaFigures): QuotaWindow | undefined {
  const { used, resetInSeconds, policy } = figures;
  const limit = figures.limit ?? add(figures.remaining, used);
  const remaining = figures.remaining ?? subtract(figures.limit, used);
  if (limit === undefined && remaining === undefined && resetInSeconds === undefined) return undefined;
  return {
    name,
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(resetInSeconds === undefined ? {} : { resetInSeconds }),
    ...(policy === undefined ? {} : { policy: policy.slice(0, maxPolicyLength) }),
  };
}

function add(remaining: number | undefined, used: number | undefined): number | undefined {
  return remaining === undefined || used === undefined ? undefined : remaining + used;
}

function subtract(limit: number | undefined, used: number | undefined): number | undefined {
  return limit === undefined || used === undefined ? undefined : Math.max(0, limit - used);
}
