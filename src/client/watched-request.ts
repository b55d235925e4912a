/** One request of a call with what the log, and whoever counts, are told of it. */

import { ApiSourceError, type CallError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import { clipText } from "../text.js";
import { isCancelled } from "../transport/deadline.js";
import type { Answer } from "./answer.js";
import { type BuiltRequest, writeRequestLine } from "./build-request.js";
import type { Reply } from "./create-sender.js";
import { readCategory, readFailedAttempts, toArtifact } from "./describe-failure.js";
import { judgeReply } from "./judge-reply.js";
import type { CallArtifact } from "./outcome.js";
import type { CallableSource, CallProgress, RunningCall } from "./running-call.js";

/** One request, with what an application is told of it. */
export async function readJudgedReply(
  call: RunningCall,
  built: BuiltRequest,
): Promise<{ reply: Reply; error: CallError | undefined }> {
  const { source, runtime, progress, prepared, context, deadline } = call;
  const watch = runtime.observer.watch(source, writeRequestLine(built, prepared.redactor), context);
  const onSend = (): void => {
    progress.isSent = true;
    watch.begin();
  };
  try {
    const reply = await call.openSender().send(built, prepared, { deadline, onSend });
    const { status, attempts } = reply.exchange;
    const { bytes } = reply.body;
    if (reply.rateLimit !== undefined) progress.rateLimit = reply.rateLimit;
    progress.bytes = (progress.bytes ?? 0) + bytes;
    progress.attempts = (progress.attempts ?? 0) + attempts;
    const error = (await judgeReply(source, built, reply, prepared.redactor))?.error;
    watch.end({ status, bytes, attempts, ...(error === undefined ? {} : { category: error.category }) });
    return { reply, error };
  } catch (thrown) {
    const failed = readFailedAttempts(thrown);
    if (failed !== undefined) progress.attempts = (progress.attempts ?? 0) + failed;
    const category = isCancelled(context.signal) ? "cancelled" : readCategory(thrown);
    watch.end({ category, ...(failed === undefined ? {} : { attempts: failed }) });
    throw thrown;
  }
}

/** Of a path that nobody has judged yet. */
const maxAskedCharacters = 500;

const cancelled = new ApiSourceError({
  message: "The caller cancelled the call.",
  category: "cancelled",
  hint: "",
}).toCallError();

/** Nobody is shown it: it is for the log. */
export const cancelledAnswer: Answer = { error: cancelled };

/** Tells the log, and whoever counts, of a call that is over. */
export function writeReport(
  { source, runtime }: CallableSource,
  progress: CallProgress,
  {
    context,
    startedMs,
    answer,
  }: { readonly context: CallContext; readonly startedMs: number; readonly answer: Answer },
): CallArtifact {
  const artifact = toArtifact(source, progress, answer, runtime.clock.now() - startedMs);
  const { isSent = false, asked = "" } = progress;
  const end = {
    isSent,
    asked: clipText(progress.redact(asked), maxAskedCharacters),
    reason: answer.error?.message,
  };
  runtime.observer.report(artifact, context, end);
  return artifact;
}
