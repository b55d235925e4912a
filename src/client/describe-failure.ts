/** What is told of a call that failed before it had an answer to show: to the model, to the log, and to a program. */

import { ConnectionError } from "../diagnosis/explain-failure.js";
import { ApiSourceError, type ErrorCategory } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { isTimeLimit } from "../transport/deadline.js";
import { estimateTokens } from "../view/count-tokens.js";
import { type Answer, defaultMaxTokens, fitFrame } from "./answer.js";
import { KnownLimitError } from "./create-sender.js";
import type { CallArtifact } from "./outcome.js";
import type { CallableSource, CallProgress } from "./running-call.js";

/** What a failure's answer holds, from what is known when it comes. */
export function describeFailure(
  thrown: unknown,
  { source, runtime }: CallableSource,
  { status, redact }: CallProgress,
): Answer {
  const error = toCallFailure(thrown, source.api.limits.timeoutMs);
  // What an application's own function threw: its message is for whoever runs it, and never for the model.
  if (error !== thrown)
    runtime.logger.warn("Something a call needs failed.", {
      source: source.slug,
      error: runtime.describeError(thrown),
    });
  const rateLimit = error instanceof KnownLimitError ? error.rateLimit : undefined;
  const limit = source.api.limits.maxTokens ?? runtime.maxTokens ?? defaultMaxTokens;
  const told = error.toCallError();
  // What does not fit is clipped, and half a secret would not be found in the final text.
  const clean = { ...told, message: redact(told.message), hint: redact(told.hint) };
  // By the estimate: the application's own count may be what failed.
  return fitFrame({ status, error: clean, rateLimit }, limit, estimateTokens);
}

function toCallFailure(thrown: unknown, timeoutMs: number): ApiSourceError {
  if (thrown instanceof ApiSourceError && thrown.category !== "cancelled") return thrown;
  if (isTimeLimit(thrown)) {
    return new ApiSourceError({
      message: "The call was stopped by the time limit of the agent or the application.",
      category: "timeout",
      hint: `Ask for less at once. The source itself allows ${timeoutMs} ms.`,
    });
  }
  return new ApiSourceError({
    message:
      "Something inside the tool or a function the application gave it failed; its message is not shown.",
    category: "not_configured",
    code: "internal_error",
    hint: "The agent can't change this. Whoever runs the application finds what failed in the log.",
  });
}

/** How many requests a failed one took; undefined when none is known to have been sent. */
export function readFailedAttempts(thrown: unknown): number | undefined {
  return thrown instanceof ConnectionError ? thrown.failure.attempts : undefined;
}

export function readCategory(thrown: unknown): ErrorCategory {
  return thrown instanceof ApiSourceError ? thrown.category : "not_configured";
}

/** Small plain data about a call, for a program. */
export function toArtifact(
  source: ApiSource,
  { request, bytes, attempts, rateLimit: known }: CallProgress,
  { status, error, rateLimit = known, shortened, kept }: Answer,
  durationMs: number,
): CallArtifact {
  const responseId = shortened?.id ?? kept;
  return {
    source: source.slug,
    ...(request === undefined ? {} : { request }),
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { category: error.category }),
    durationMs,
    ...(bytes === undefined ? {} : { bytes }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(responseId === undefined ? {} : { responseId }),
  };
}
