/** The adapter of the network, with a note of each attempt for a recorder. */

import { type AxiosResponse, getAdapter, type InternalAxiosRequestConfig } from "axios";
import type { Clock } from "../runtime.js";
import type { ObservedAttempt, ObservedRequest } from "./observed-attempt.js";
import { codeOf } from "./send-failure.js";
import type { WatchedAnswer } from "./watch-request.js";
import { readResponseHeaders } from "./wire-headers.js";

type Adapter = (config: InternalAxiosRequestConfig) => Promise<AxiosResponse<WatchedAnswer>>;

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
    attempts.push(attempt);
    try {
      const response: AxiosResponse<WatchedAnswer> = await send(config);
      const { message } = response.data;
      Object.assign(attempt, { status: message.statusCode ?? 0, headers: readResponseHeaders(message) });
      return response;
    } catch (error) {
      Object.assign(attempt, codeOf(error));
      throw error;
    } finally {
      attempt.ms = clock.now() - startedMs;
    }
  };
}
