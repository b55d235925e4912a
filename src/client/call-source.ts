/** One call from input to outcome: build, send, present. Every failure ends as an outcome. */

import { nameErrorClass } from "../credentials/name-error-class.js";
import { ApiSourceError } from "../errors.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { createDeadline, type Deadline, isCancelled, isTimeLimit } from "../transport/deadline.js";
import { buildRequest } from "./build-request.js";
import { parseCallRequest } from "./call-request.js";
import { checkErrorWhen } from "./check-error-when.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { Sender } from "./create-sender.js";
import { KnownLimitError } from "./known-limit-error.js";
import type { CallArtifact, Outcome } from "./outcome.js";
import { prepareCall } from "./prepare-call.js";
import { presentReply } from "./present-reply.js";
import { writeAnswer } from "./write-answer.js";
import { writeRequestLine } from "./write-request-line.js";

export interface CallableSource {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  /** Made on the first call: what the source's limits ask for may not be there, which is an answer. */
  openSender(): Sender;
}

/** What is known of a call so far: what an outcome tells when a later step fails. */
interface Progress {
  request?: string;
  /** Set as soon as an answer came: a write that was answered must not look as if it had not been. */
  status?: number;
  redact: (text: string) => string;
}

/** Runs one call. Rejects only with the caller's own abort reason. */
export async function callSource(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  const { source, runtime } = callable;
  const startedMs = runtime.clock.now();
  const { timeoutMs } = source.api.limits;
  const deadline = createDeadline({ timeoutMs, clock: runtime.clock, signal: context.signal });
  const redactor = runtime.secrets.redactor();
  const progress: Progress = { redact: (text) => redactor.redact(text) };
  try {
    return await runCall(callable, input, { ...context, signal: deadline.signal }, deadline, progress);
  } catch (thrown) {
    if (isCancelled(context.signal)) throw context.signal?.reason;
    const error = toCallFailure(thrown, context.signal, timeoutMs);
    runtime.logger.info("A call failed.", {
      source: source.slug,
      category: error.category,
      // A message may hold anything; the class is what finds the place.
      ...(error === thrown ? {} : { error: nameErrorClass(thrown) }),
    });
    const rateLimit = error instanceof KnownLimitError ? error.rateLimit : undefined;
    const { status } = progress;
    const content = progress.redact(writeAnswer({ status, error: error.toCallError(), rateLimit }));
    const artifact: CallArtifact = {
      source: source.slug,
      ...(progress.request === undefined ? {} : { request: progress.request }),
      ...(status === undefined ? {} : { status }),
      category: error.category,
      durationMs: runtime.clock.now() - startedMs,
      ...(rateLimit === undefined ? {} : { rateLimit }),
    };
    return { ok: false, content, artifact };
  } finally {
    deadline.close();
  }
}

async function runCall(
  { source, runtime, openSender }: CallableSource,
  input: unknown,
  context: CallContext,
  deadline: Deadline,
  progress: Progress,
): Promise<Outcome> {
  const startedMs = runtime.clock.now();
  const request = parseCallRequest(input);
  if (source.api.errorWhen !== undefined) await checkErrorWhen([source]);
  // A wrong expression must not cost a request, let alone a write.
  if (typeof request.select === "string") (await loadQueryEngine()).check(request.select);
  const prepared = await deadline.race(prepareCall(source, runtime, context));
  progress.redact = (text) => prepared.redactor.redact(text);
  const built = buildRequest(source, prepared.resolved, request);
  progress.request = writeRequestLine(built, prepared.redactor);
  const reply = await openSender().send(built, prepared, {
    deadline,
  });
  progress.status = reply.exchange.status;
  const presented = await presentReply({ source, runtime, request, built, prepared, reply, context });
  const { exchange, body, rateLimit } = reply;
  return {
    ok: presented.error === undefined,
    content: prepared.redactor.redact(presented.content),
    artifact: {
      source: source.slug,
      request: progress.request,
      status: exchange.status,
      ...(presented.error === undefined ? {} : { category: presented.error.category }),
      durationMs: runtime.clock.now() - startedMs,
      bytes: body.bytes,
      attempts: exchange.attempts,
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(presented.responseId === undefined ? {} : { responseId: presented.responseId }),
    },
  };
}

function toCallFailure(thrown: unknown, signal: AbortSignal | undefined, timeoutMs: number): ApiSourceError {
  if (thrown instanceof ApiSourceError && thrown.category !== "cancelled") return thrown;
  if (signal?.aborted === true || isTimeLimit(thrown)) {
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
    hint: "The agent can't change this. Whoever runs the application finds the class of the error in the log.",
  });
}
