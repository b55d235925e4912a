/** What this process remembers of grants beside their store: what is fresh, what was refused, and which renewal is under way. */

import { type Grant, isAlive, isFresh } from "./grant.js";
import type { TokenKey, TokenStore } from "./token-store.js";

/** When a renewal failed and the token still lives, the next is not tried for so long. */
const quietMs = 10_000;
/** An API that answers 401 to whatever it gets doesn't have a token renewed for every call. */
const rejectionsPerMinute = 6;

/** What this process knows of one grant. */
export interface State {
  grant?: Grant | undefined;
  /** What the store could not take. */
  unsaved?: Grant | undefined;
  renewal?: Promise<Grant> | undefined;
  quietUntilMs: number;
  rejected?: string | undefined;
  rejections: number[];
}

/** More grants than this are not remembered beside their store. */
const maxStates = 5_000;

/** One state for each grant of each store; those that were used first are forgotten first. */
export function createStates(): (where: { readonly store: TokenStore; readonly key: TokenKey }) => State {
  const states = new WeakMap<TokenStore, Map<string, State>>();
  return ({ store, key }) => {
    const known = states.get(store) ?? new Map<string, State>();
    states.set(store, known);
    const text = JSON.stringify([key.source, key.user, key.name]);
    const state = known.get(text) ?? { quietUntilMs: 0, rejections: [] };
    if (known.size >= maxStates) dropIdle(known);
    known.set(text, state);
    return state;
  };
}

function dropIdle(known: Map<string, State>): void {
  for (const [text, state] of known) {
    if (state.renewal !== undefined || state.unsaved !== undefined) continue;
    known.delete(text);
    return;
  }
}

/** The grant to use without asking anyone. @param rejected - A token that the API did not accept. */
export function findInMemory(state: State, rejected: string | undefined, nowMs: number): Grant | undefined {
  const { grant, quietUntilMs } = state;
  if (grant === undefined || grant.accessToken === rejected || grant.accessToken === state.rejected)
    return undefined;
  return isFresh(grant, nowMs) || (nowMs < quietUntilMs && isAlive(grant, nowMs)) ? grant : undefined;
}

export function noteRejection(state: State, rejected: string, nowMs: number): void {
  if (state.rejected === rejected) return;
  state.rejections = [...state.rejections.filter((atMs) => nowMs - atMs < 60_000), nowMs];
  // From here on its token stays: 401 is the API's answer then, whatever it gets.
  if (state.rejections.length <= rejectionsPerMinute) state.rejected = rejected;
}

/** A renewal ahead of time failed, and the token lives: it is used a while before the next is tried. */
export function noteSurvival(state: State, kept: Grant, nowMs: number): void {
  state.grant = kept;
  state.quietUntilMs = nowMs + quietMs;
}
