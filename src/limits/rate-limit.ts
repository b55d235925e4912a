/** What a response says about a quota, whatever header form it used. */

/** Response headers: names in lower case; repeated headers as an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface RateLimit {
  /** How many requests the window allows. */
  readonly limit?: number;
  /** How many are left in it. */
  readonly remaining?: number;
  /** Seconds until the window starts anew. */
  readonly resetInSeconds?: number;
  /** The server's name or text of the policy, such as `100;w=60`. */
  readonly policy?: string;
  /** Seconds the server asks to wait before the next request. */
  readonly retryAfterSeconds?: number;
}
