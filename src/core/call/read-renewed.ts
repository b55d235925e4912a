/** A call whose token is not valid any more: the token is renewed once, and the request is sent again where that does nothing twice. */

import { findExpiry } from "./find-expiry.js";
import { applyNewCredential } from "./prepare-call.js";
import type { BuiltCall, RunningCall } from "./running-call.js";
import { type JudgedReply, readJudgedReply } from "./send-request.js";

export interface RenewedReply {
  readonly judged: JudgedReply;
  /** Why the request was not sent again with the new token. */
  readonly note?: string;
}

/** Why the second request is sent, for those who observe it. */
const why = "a new credential";

/** @param sent - The answer to the first request. @returns the answer to the second one, where it was sent. */
export async function readRenewed(
  built: BuiltCall,
  sent: JudgedReply,
  waitMs: number,
): Promise<RenewedReply> {
  const expiry = findExpiry(built, sent, sent.isExpired === true);
  if (expiry === undefined) return { judged: sent };
  const { call } = sent;
  const { isInBody, isSentAgain } = expiry;
  if (isSentAgain) {
    const renewed = await renewToken(call, isInBody, true);
    if (renewed === undefined) return { judged: sent };
    return { judged: noteAccepted(await readJudgedReply(renewed, built, { waitMs, why })) };
  }
  // A question to a person, and an error of the renewal, would have this call made once more: the answer stays the API's.
  const tried = await renewToken(call, isInBody, false).catch(() => call);
  if (tried === undefined) return { judged: sent };
  const { method } = built.built;
  const note = `The token of this call is not valid any more. The ${method} was not sent again with a new one, because it may have been carried out: check with a GET before repeating it.`;
  return { judged: { ...sent, call: tried }, note };
}

/** Tells the issuer of a new token that the API answered it with success. */
function noteAccepted(judged: JudgedReply): JudgedReply {
  const { credential } = judged.call.prepared;
  const { status } = judged.exchange;
  const isSuccess = status >= 200 && status < 300 && judged.isExpired !== true;
  if (isSuccess && credential?.kind === "token") credential.noteAccepted?.();
  return judged;
}

/** The call with another token. */
async function renewToken(
  call: RunningCall,
  isInBody: boolean,
  mayAsk: boolean,
): Promise<RunningCall | undefined> {
  if (!isInBody) return applyNewCredential(call, { mayAsk });
  const { services, prepared, log } = call;
  const { renewals, host } = services;
  const lastMs = renewals.findRecent(prepared.caller, host.stopwatch.now());
  if (lastMs !== undefined) {
    // A call that began before another one's renewal takes the new token; a later call has that already.
    const isOld = log.startedMs <= lastMs;
    return isOld ? applyNewCredential(call, { mayAsk, isCurrent: true }) : undefined;
  }
  // A renewal that failed counts, too: it was a request to the issuer.
  const renewed = await applyNewCredential(call, { mayAsk }).finally(() =>
    renewals.note(prepared.caller, host.stopwatch.now()),
  );
  // A caller whom nothing names is known by the token, which is another one now.
  if (renewed !== undefined) renewals.note(renewed.prepared.caller, host.stopwatch.now());
  return renewed;
}
