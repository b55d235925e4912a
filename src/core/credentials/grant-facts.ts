/** What is known of the tokens of a source. */

/** What is known of a grant; its tokens are not part of it. */
export interface GrantFacts {
  /** The source's slug. */
  readonly source: string;
  /** Seconds until the access token expires; absent when no one reported it. */
  readonly expiresInSeconds?: number;
  /** Whether a new one is obtained without a person. */
  readonly renewable: boolean;
  /** What was granted, where the server reported it. */
  readonly scopes?: readonly string[];
  /** Whose account it is, where the server reported it. */
  readonly account?: string;
}
