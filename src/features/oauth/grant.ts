/** What is kept of a grant: its tokens, how long they live, and whether it is dead. */

import { z } from "zod";
import type { TokenEntry } from "./token-store.js";

export interface Grant {
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** When the access token expires, by the clock of the process that received it; absent when no one reported it. */
  readonly expiresAtMs?: number | undefined;
  readonly obtainedAtMs: number;
  /** The scopes that were granted, where the server reported them. */
  readonly scopes?: readonly string[] | undefined;
  /** Whose account it is, where the server reported it. */
  readonly account?: string | undefined;
  /** Why the authorization server gives nothing for it any more. */
  readonly dead?: string | undefined;
}

const text = z.string().regex(/./s).optional().catch(undefined);
/** What is not of the right kind is not there. */
const grantSchema = z.object({
  accessToken: text,
  refreshToken: text,
  expiresAtMs: z.number().optional().catch(undefined),
  obtainedAtMs: z.number().catch(0),
  scopes: z.array(z.string()).optional().catch(undefined),
  account: text,
  dead: text,
});

/** Reads what a store holds. */
export function readGrant(entry: TokenEntry | undefined): Grant | undefined {
  return entry && grantSchema.parse(entry);
}

/** A person has to agree, for the first time or again. */
export class ConsentNeeded extends Error {
  /** @param why - Why a grant that was there does not count any more. */
  constructor(readonly why?: string) {
    super("consent needed");
  }
}

/** Renewed a minute before it expires, or a tenth of its life: a request takes time, and clocks differ. */
const aheadMs = 60_000;

/** Whether its access token can be sent now and be good when it arrives. */
export function isFresh(grant: Grant, nowMs: number): boolean {
  const { expiresAtMs, obtainedAtMs } = grant;
  if (expiresAtMs === undefined) return isAlive(grant, nowMs);
  // A clock that was set back would have it live longer than it was given.
  if (nowMs < obtainedAtMs - aheadMs) return false;
  return isAlive(grant, nowMs + Math.min(aheadMs, Math.max(0, expiresAtMs - obtainedAtMs) / 10));
}

/** Whether the token has not expired yet, though it should be renewed. */
export function isAlive({ accessToken, expiresAtMs, dead }: Grant, nowMs: number): boolean {
  const isThere = accessToken !== undefined && dead === undefined;
  return isThere && (expiresAtMs === undefined || nowMs < expiresAtMs);
}

/** The word for a token whose time is over; undefined for any other. */
export function nameEnd(grant: Grant | undefined, nowMs: number): "expired" | undefined {
  return grant?.accessToken !== undefined && !isAlive(grant, nowMs) ? "expired" : undefined;
}

/** What a person is shown. */
export interface Consent {
  /** Where they agree. */
  readonly url: string;
  /** What they type there, with a device code; `url` may contain it already. */
  readonly userCode?: string | undefined;
  readonly expiresAtMs: number;
}
