/** The quota that a response reports, in any form: the types, and what they mean. */

/** Response headers: names in lower case; repeated headers as an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The first value of a header; undefined when it is absent or blank. @param name - In lower case. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return (typeof value === "string" ? value : value?.[0])?.trim() || undefined;
}

export interface RateLimit {
  /** How many requests the window allows. */
  readonly limit?: number;
  /** How many are left in it. */
  readonly remaining?: number;
  /** Seconds until the window starts anew. */
  readonly resetInSeconds?: number;
  /** The server's name of the policy, such as `tokens`. */
  readonly policy?: string;
  /** Seconds the server asks to wait before the next request, 1 or more. */
  readonly retryAfterSeconds?: number;
}

/**
 * Whether the request was refused for its rate: 429 (RFC 6585) and the old 420 always; 403 (GitHub, Google) and 400 (Linear) when
 * nothing remains or the server asks to wait.
 */
export function isLimited(status: number, rateLimit: RateLimit | undefined): boolean {
  if (status === 429 || status === 420) return true;
  if ((status !== 403 && status !== 400) || rateLimit === undefined) return false;
  return rateLimit.remaining === 0 || (rateLimit.retryAfterSeconds ?? 0) > 0;
}

/** Whether a fifth or less of the quota is left. */
export function isNearlySpent({ limit = 0, remaining }: RateLimit = {}): boolean {
  return remaining !== undefined && remaining <= limit / 5;
}
