/** One request on the wire for those who observe its call, and the trace that the request belongs to. */

import type { AxiosHeaders } from "axios";
import type { Clock } from "../base/runtime.js";
import type { SendOptions, SentAttempt } from "./transport.js";

/** A request on its way, as far as someone observes it. */
export interface ObservedSending {
  readonly clock: Clock;
  readonly call: Pick<SendOptions, "onAttempt" | "trace">;
  /** Why it is sent after another one. */
  why: string | undefined;
  /** The attempt that is on the wire. */
  attempt?: StartedAttempt;
}

interface StartedAttempt extends Pick<SentAttempt, "traceparent"> {
  readonly startedMs: number;
}

/** Notes the beginning of an attempt, and names its trace, before the request is signed. */
export function beginObserved(sending: ObservedSending, headers: AxiosHeaders): void {
  const { call, clock } = sending;
  const traceparent = headers.has("traceparent") ? undefined : call.trace?.();
  if (traceparent !== undefined) headers.set("traceparent", traceparent);
  sending.attempt = { startedMs: clock.now(), traceparent };
}

/** Reports the end of an attempt: the head of its answer, or the code of what broke it off. */
export function endObserved(
  sending: ObservedSending,
  { status, code }: Pick<SentAttempt, "status" | "code">,
): void {
  const { call, clock, attempt, why } = sending;
  if (attempt === undefined) return;
  delete sending.attempt;
  const { startedMs, traceparent } = attempt;
  const durationMs = clock.now() - startedMs;
  call.onAttempt?.({ status, code, durationMs, why, traceparent });
}
