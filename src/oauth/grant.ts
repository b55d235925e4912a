/** What is kept of a grant: its tokens, how long they live, and whether it is dead. */

import type { TokenEntry, TokenKey } from "./token-store.js";

export interface Grant {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** When the access token expires, by the clock of who got it; absent when nobody said. */
  readonly expiresAtMs?: number;
  readonly obtainedAtMs: number;
  /** The scopes that were granted, where the server said so. */
  readonly scopes?: readonly string[];
  /** Whose account it is, where the server said so. */
  readonly account?: string;
  /** Why the authorization server gives nothing for it any more. */
  readonly dead?: string;
}

/** A person has to agree, for the first time or again. */
export class ConsentNeeded extends Error {
  override readonly name: string = "ConsentNeeded";
  /** Why a grant that was there is no longer good. */
  readonly why: string | undefined;

  constructor(why?: string) {
    super("consent needed");
    this.why = why;
  }
}

/** Renewed a minute before it expires, or a tenth of its life: a request takes time, and clocks differ. */
const aheadMs = 60_000;

/** Whether its access token can be sent now and be good when it arrives. */
export function isFresh(grant: Grant, nowMs: number): boolean {
  const { accessToken, expiresAtMs, obtainedAtMs, dead } = grant;
  if (accessToken === undefined || dead !== undefined) return false;
  if (expiresAtMs === undefined) return true;
  // A clock that was set back would have it live longer than it was given.
  if (nowMs < obtainedAtMs - aheadMs) return false;
  return nowMs < expiresAtMs - Math.min(aheadMs, Math.max(0, expiresAtMs - obtainedAtMs) / 10);
}

/** Whether the token has not expired yet, though it should be renewed. */
export function isAlive({ accessToken, expiresAtMs, dead }: Grant, nowMs: number): boolean {
  return (
    accessToken !== undefined && dead === undefined && (expiresAtMs === undefined || nowMs < expiresAtMs)
  );
}

/** Reads what a store holds; what is not of the right kind is not there. */
export function readGrant(entry: TokenEntry | undefined): Grant | undefined {
  if (entry === undefined) return undefined;
  const text = (name: string): Record<string, string> =>
    typeof entry[name] === "string" && entry[name] !== "" ? { [name]: entry[name] } : {};
  const { expiresAtMs, obtainedAtMs, scopes } = entry;
  return {
    ...text("accessToken"),
    ...text("refreshToken"),
    ...text("account"),
    ...text("dead"),
    ...(typeof expiresAtMs === "number" ? { expiresAtMs } : {}),
    obtainedAtMs: typeof obtainedAtMs === "number" ? obtainedAtMs : 0,
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
  };
}

/** What a person is shown. */
export interface Consent {
  /** Where they agree. */
  readonly url: string;
  /** What they type there, with a device code; it may stand in `url` already. */
  readonly userCode?: string;
  readonly expiresAtMs: number;
}

/** Where it is remembered which consent is under way for a grant. */
export function keyOfConsent(key: TokenKey): TokenKey {
  return { ...key, name: `${key.name}-consent` };
}
