/** The adapter of the network, with a note of each attempt for a recorder. */

import { type AxiosResponse, getAdapter, isAxiosError } from "axios";
import type { Clock } from "../base/runtime.js";
import type { ObservedAttempt, ObservedRequest } from "./observed-attempt.js";
import type { Adapter } from "./own-transport.js";
import { codeOf } from "./send-failure.js";
import type { WatchedAnswer } from "./watch-request.js";
import { readResponseHeaders } from "./wire-headers.js";

/**
 * Wraps the adapter of the network: notes each attempt and changes nothing.
 *
 * @param attempts - Receives each attempt when it begins.
 */
export function createObservingAdapter(
  request: ObservedRequest,
  attempts: ObservedAttempt[],
  clock: Clock,
): Adapter {
  const send = getAdapter("http");
  return async (config) => {
    const attempt: ObservedAttempt = { request, ms: 0 };
    const startedMs = clock.now();
    const note = (response: AxiosResponse<WatchedAnswer> | undefined): void => {
      attempt.ms = clock.now() - startedMs;
      const message = response?.data.message;
      if (message === undefined) return;
      attempt.status = message.statusCode ?? 0;
      attempt.headers = readResponseHeaders(message);
    };
    attempts.push(attempt);
    try {
      const response: AxiosResponse<WatchedAnswer> = await send(config);
      note(response);
      return response;
    } catch (error) {
      note(isAxiosError<WatchedAnswer>(error) ? error.response : undefined);
      if (attempt.status === undefined) Object.assign(attempt, codeOf(error));
      throw error;
    }
  };
}
