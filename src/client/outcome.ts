/** What a call gives, whether it succeeded or failed: the answer for a model, and small plain data about it for a program. */

import { ApiSourceError, type ErrorCategory, notConfigured } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";
import type { CallContext } from "../runtime.js";
import { isCancelled, isTimeLimit } from "../transport/deadline.js";
import { estimateTokens } from "../view/count-tokens.js";
import { type Answer, defaultMaxTokens, fitFrame, writeAnswer } from "./answer.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { dropUndefined } from "./drop-undefined.js";

/** Small, plain and redacted: artifacts are checkpointed at every step and shown in traces. The body is never in it. */
export interface CallArtifact {
  /** The tool's name. */
  readonly source: string;
  /** The request line as sent, without the credential, such as `GET /issues?page=2`; absent when none could be built. */
  readonly request?: string;
  readonly status?: number;
  /** Why the call failed. */
  readonly category?: ErrorCategory;
  readonly durationMs: number;
  /** Size of the body in bytes, decompressed. */
  readonly bytes?: number;
  /** How many requests were sent, retries and redirects included. */
  readonly attempts?: number;
  readonly rateLimit?: RateLimit;
  /** The id of the kept response. */
  readonly responseId?: string;
}

export interface Outcome {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** One valid JSON document, within the token budget: what the model reads. */
  readonly content: string;
  readonly artifact: CallArtifact;
}

/** What one call gives for code: the answer's parts, `data` the whole document as JSON text. */
export interface WholeOutcome {
  readonly ok: boolean;
  readonly answer: Answer;
  readonly artifact: CallArtifact;
  /** Hides every secret that the toolkit and this call know, in a text that is made of the answer. */
  redact(text: string): string;
}

/** @param known - What the answer itself does not say. */
export function describeArtifact(
  source: string,
  known: Partial<CallArtifact>,
  { status, error, rateLimit = known.rateLimit, shortened, kept }: Answer,
  durationMs: number,
): CallArtifact {
  const { request, bytes, attempts, responseId = shortened?.id ?? kept } = known;
  const category = error?.category;
  const facts = { source, request, status, category, durationMs, bytes, attempts, rateLimit, responseId };
  return dropUndefined(facts);
}

/** Step 10 of a call, write: whatever put the parts together, the final text is redacted once more. */
export function writeOutcome({ ok, answer, artifact, redact }: WholeOutcome): Outcome {
  return { ok, content: redact(writeAnswer(answer)), artifact };
}

/**
 * The answer of a call that failed before it had something to show.
 *
 * @param facts - `source`: the tool's name. `status`: of an answer that came before the failure.
 */
export function describeFailure(
  thrown: unknown,
  runtime: ClientRuntime,
  facts: Pick<Answer, "status" | "rateLimit"> & {
    readonly source: string;
    readonly maxTokens?: number | undefined;
    readonly redact: (text: string) => string;
  },
): Answer {
  const { source, status, rateLimit, redact, maxTokens = runtime.maxTokens ?? defaultMaxTokens } = facts;
  const failure = toFailure(thrown);
  // What an application's own function threw: its message is for whoever runs it, and never for the model.
  if (failure !== thrown)
    runtime.logger.warn("Something a call needs failed.", { source, error: runtime.describeError(thrown) });
  const told = failure.toCallError();
  // What does not fit is clipped, and half a secret would not be found in the final text.
  const error = { ...told, message: redact(told.message), hint: redact(told.hint) };
  // By the estimate: the application's own count may be what failed.
  return fitFrame({ status, error, rateLimit }, maxTokens, estimateTokens);
}

function toFailure(thrown: unknown): ApiSourceError {
  if (thrown instanceof ApiSourceError && thrown.category !== "cancelled") return thrown;
  if (isTimeLimit(thrown)) {
    const message = "The call was stopped by the time limit of the agent or the application.";
    return new ApiSourceError({ message, category: "timeout", hint: "Ask for less at once." });
  }
  return notConfigured(
    "internal_error",
    "Something inside the tool or a function the application gave it failed; its message is not shown.",
    "The agent can't change this. Whoever runs the application finds what failed in the log.",
  );
}

/**
 * Runs a tool that sends nothing. Rejects only with the caller's own abort reason.
 *
 * @param work - Notes in `known` what the artifact is to hold, as soon as it is known.
 */
export async function toOutcome(
  runtime: ClientRuntime,
  { source, signal }: { readonly source: string; readonly signal: CallContext["signal"] },
  work: (known: Partial<CallArtifact>) => Promise<Answer>,
): Promise<Outcome> {
  const startedMs = runtime.clock.now();
  const redact = (text: string): string => runtime.secrets.redactor().redact(text);
  const known: Partial<CallArtifact> = {};
  const answer = await work(known).catch((thrown: unknown) => {
    if (isCancelled(signal)) throw signal?.reason;
    return describeFailure(thrown, runtime, { source, status: known.status, redact });
  });
  const artifact = describeArtifact(source, known, answer, runtime.clock.now() - startedMs);
  return writeOutcome({ ok: answer.error === undefined, answer, artifact, redact });
}
