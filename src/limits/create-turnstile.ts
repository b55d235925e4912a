/** Lets requests through one after the other, as many in a window as its quota allows. */

import { ApiSourceError } from "../errors.js";
import type { Sleep } from "../runtime.js";
import type { Patience } from "./create-patience.js";
import type { RequestMeter } from "./create-request-meter.js";
import { createWaitingLine } from "./create-waiting-line.js";

export interface Turnstile {
  /**
   * Resolves when the request may be sent. Who comes first goes first; only the first in line asks the meter, so a window that
   * opens is not met by all who wait.
   *
   * @throws ApiSourceError `rate_limited`, at once when it can be told that the wait will be too long; the signal's reason
   * when it is aborted.
   */
  pass(patience: Patience, signal: AbortSignal | undefined): Promise<void>;
}

export interface TurnstileOptions {
  /** The source's slug: it is named in errors. */
  readonly source: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly meter: RequestMeter;
  readonly sleep: Sleep;
}

/** A call in line: who is known to wait in vain is dismissed, with the refusal as the reason. */
interface Waiting {
  readonly patience: Patience;
  readonly dismissal: AbortController;
}

/** Creates an open turnstile. */
export function createTurnstile(options: TurnstileOptions): Turnstile {
  const { requests, windowSeconds, meter, sleep } = options;
  const line = createWaitingLine({ places: 1, sleep });
  const waiting = new Set<Waiting>();
  // By the process's own monotonic clock, because the meter counts its windows by the real time.
  let opensAtMs = 0;
  let isFirstAsleep = false;

  /** The time until the turn of a call with so many before it: the next window, and one more for each they fill. */
  function expectedWaitMs(ahead: number): number {
    const closedMs = opensAtMs - performance.now();
    return closedMs <= 0 ? 0 : closedMs + Math.floor(ahead / requests) * windowSeconds * 1000;
  }

  async function takeTurn(patience: Patience, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const waitMs = await unlessAborted(meter.take(), signal);
      if (waitMs === 0) return;
      opensAtMs = performance.now() + waitMs;
      if (waitMs > patience.left()) throw quotaUsed(options, waitMs);
      isFirstAsleep = true;
      dismissInVain();
      await sleep(waitMs, signal).finally(() => {
        isFirstAsleep = false;
      });
      patience.spend(waitMs);
    }
  }

  function dismissInVain(): void {
    let ahead = 1;
    for (const { patience, dismissal } of waiting) {
      const expectedMs = expectedWaitMs(ahead);
      if (expectedMs > patience.left()) dismissal.abort(quotaUsed(options, expectedMs));
      else ahead += 1;
    }
  }

  /** Waits without a bound of time: those before it only ask the meter, or sleep for a time that it has agreed to. */
  async function waitInLine(patience: Patience, signal: AbortSignal | undefined): Promise<() => void> {
    const entry = { patience, dismissal: new AbortController() };
    const signals = [entry.dismissal.signal, ...(signal === undefined ? [] : [signal])];
    waiting.add(entry);
    try {
      const leave = await line.enter({ signal: AbortSignal.any(signals) });
      if (leave === undefined) throw quotaUsed(options, expectedWaitMs(waiting.size));
      return leave;
    } finally {
      waiting.delete(entry);
    }
  }

  return {
    async pass(patience, signal) {
      const expectedMs = expectedWaitMs(waiting.size + (isFirstAsleep ? 1 : 0));
      if (expectedMs > patience.left()) throw quotaUsed(options, expectedMs);
      const leave = await waitInLine(patience, signal);
      try {
        await takeTurn(patience, signal);
      } finally {
        leave();
      }
    },
  };
}

/** A meter that waits for a silent Redis must not hold up who cancels. */
function unlessAborted<Value>(pending: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return pending;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function quotaUsed({ source, requests, windowSeconds }: TurnstileOptions, waitMs: number): ApiSourceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ApiSourceError({
    message: `${source}: the quota of ${requests} requests in ${windowSeconds} s is used up. No request was sent.`,
    category: "rate_limited",
    retryable: true,
    retryAfterSeconds,
    hint: `Do not retry before ${retryAfterSeconds} s have passed. This is the source's own setting \`limits.requestsPerMinute\`, not a limit of the API.`,
  });
}
