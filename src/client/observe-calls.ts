/** Steps 4 to 7 of one request, and what the log, and an application that counts, are told of it and of the whole call. */

import { ConnectionError } from "../diagnosis/explain-failure.js";
import { ApiSourceError, type CallError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import { clipText } from "../text.js";
import { isCancelled } from "../transport/deadline.js";
import type { Answer } from "./answer.js";
import { type BuiltRequest, writeRequestLine } from "./build-request.js";
import type { CallEvent, CallEventRequest, CallEventResult } from "./client-options.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { dropUndefined } from "./drop-undefined.js";
import { judgeReply } from "./judge-reply.js";
import { type CallArtifact, describeArtifact } from "./outcome.js";
import type { CallableSource, CallProgress, Reply, RunningCall } from "./running-call.js";

/** Sends one request: enter, send, read, judge. */
export async function readJudgedReply(
  call: RunningCall,
  built: BuiltRequest,
): Promise<{ readonly reply: Reply; readonly error: CallError | undefined }> {
  const { source, runtime, progress, prepared, context, deadline } = call;
  const line = writeRequestLine(built, prepared.redactor);
  const request = { source: source.slug, ...splitRequestLine(line), ...whoseCall(context) };
  let startedMs: number | undefined;
  const onSend = (): void => {
    progress.isSent = true;
    startedMs = runtime.clock.now();
    tellEvent(runtime, { phase: "before", ...request });
  };
  const end = (result: Omit<CallEventResult, "durationMs">): void => {
    progress.attempts = (progress.attempts ?? 0) + (result.attempts ?? 0);
    if (startedMs === undefined) return;
    const durationMs = runtime.clock.now() - startedMs;
    tellEvent(runtime, { phase: "after", ...request, ...result, durationMs });
  };
  try {
    const reply = await call.openSender().send(built, prepared, { deadline, onSend });
    const { status, attempts } = reply.exchange;
    const { bytes } = reply.body;
    if (reply.rateLimit !== undefined) progress.rateLimit = reply.rateLimit;
    progress.bytes = (progress.bytes ?? 0) + bytes;
    const error = (await judgeReply(source, built, reply, prepared.redactor))?.error;
    end(dropUndefined({ status, bytes, attempts, category: error?.category }));
    return { reply, error };
  } catch (thrown) {
    const attempts = thrown instanceof ConnectionError ? thrown.failure.attempts : undefined;
    const known = thrown instanceof ApiSourceError ? thrown.category : "not_configured";
    end(dropUndefined({ category: isCancelled(context.signal) ? "cancelled" : known, attempts }));
    throw thrown;
  }
}

/** Of a path that nobody has judged yet. */
const maxAskedCharacters = 500;

/** Tells the log of a call that is over, in one line, and whoever counts of one that was refused before anything was sent. */
export function reportCall(
  { source, runtime }: CallableSource,
  progress: CallProgress,
  {
    context,
    startedMs,
    answer,
  }: { readonly context: CallContext; readonly startedMs: number; readonly answer: Answer },
): CallArtifact {
  const artifact = describeArtifact(source.slug, progress, answer, runtime.clock.now() - startedMs);
  const { isSent = false, asked = "" } = progress;
  const { source: slug, request = clipText(progress.redact(asked), maxAskedCharacters), ...known } = artifact;
  const line = request === "" ? {} : splitRequestLine(request);
  const { category, status, durationMs } = known;
  const reason = answer.error?.message;
  const why = status === undefined && reason !== undefined ? { reason } : {};
  runtime.logger.info("Call", { source: slug, ...line, ...known, ...why });
  if (isSent || category === undefined || reason === undefined) return artifact;
  const whose = whoseCall(context);
  tellEvent(runtime, { phase: "refused", source: slug, ...line, ...whose, category, reason, durationMs });
  return artifact;
}

/** The application is not waited for, and what it throws is logged. */
async function tellEvent(runtime: ClientRuntime, event: CallEvent): Promise<void> {
  try {
    await runtime.onCall?.(event);
  } catch (error) {
    runtime.logger.warn("The application's onCall failed.", { error: runtime.describeError(error) });
  }
}

/** `GET /x?y=1` as method and path. Nobody has judged what was only asked for: it must not begin a line of its own in a log. */
function splitRequestLine(line: string): Pick<CallEventRequest, "method" | "path"> {
  const [method = "", ...path] = line.replace(/\p{Cc}/gu, "\u{fffd}").split(" ");
  return { method, path: path.join(" ") };
}

function whoseCall(call: CallContext): Pick<CallEventRequest, "context" | "threadId"> {
  const { context, threadId = call.configurable?.["thread_id"] } = call;
  return dropUndefined({ context, threadId: typeof threadId === "string" ? threadId : undefined });
}
