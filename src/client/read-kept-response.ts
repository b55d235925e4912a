/** Reads a kept response again: a query, a search, or a part of it, answered with the same document as a call. */

import { ApiSourceError, type CallError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import type { KeptResponse } from "../store/kept-response.js";
import { parseKeptText } from "../store/parse-kept-text.js";
import { createDeadline, isCancelled, isTimeLimit } from "../transport/deadline.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { CallArtifact, Outcome } from "./outcome.js";
import { type Part, pickPart } from "./pick-part.js";
import { presentBody } from "./present-body.js";
import { parseReadRequest, type ReadRequest } from "./read-request.js";
import { type Answer, writeAnswer } from "./write-answer.js";

const readerName = "read_api_response";
const defaultMaxTokens = 2_000;
/** The braces, and `,"data":`. */
const frameTokens = 8;

/** A store may hang; a reader has no source whose limit would hold. */
const defaultTimeoutMs = 30_000;

/** Answers `{ id, select?, find?, offset?, limit? }`. Rejects only with the caller's own abort reason. */
export async function readKeptResponse(
  runtime: ClientRuntime,
  input: unknown,
  caller: CallContext,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Outcome> {
  const startedMs = runtime.clock.now();
  const finish = (
    error: CallError | undefined,
    content: string,
    known: Partial<CallArtifact> = {},
  ): Outcome => ({
    ok: error === undefined,
    content: runtime.secrets.redactor().redact(content),
    artifact: {
      source: readerName,
      ...known,
      ...(error === undefined ? {} : { category: error.category }),
      durationMs: runtime.clock.now() - startedMs,
    },
  });
  const deadline = createDeadline({ timeoutMs, clock: runtime.clock, signal: caller.signal });
  const context: CallContext = { ...caller, signal: deadline.signal };
  try {
    const request = parseReadRequest(input);
    const kept = await deadline.race(runtime.archive.load(request.id, context));
    if (kept === undefined) throw unknownId(request.id);
    const whole = await parseKeptText(kept.text, kept.kind, kept.contentType);
    const part = await pickPart(whole, request, kept.kind);
    const error = part.miss === undefined ? undefined : toError(part.miss);
    const content = await presentPart(runtime, { kept, request, part, error, context });
    return finish(error, content, { status: kept.status, request: kept.request, responseId: request.id });
  } catch (thrown) {
    if (isCancelled(caller.signal)) throw caller.signal?.reason;
    const error = toReadFailure(thrown).toCallError();
    return finish(error, writeAnswer({ error }));
  } finally {
    deadline.close();
  }
}

interface PresentPartInput {
  readonly kept: KeptResponse;
  readonly request: ReadRequest;
  readonly part: Part;
  readonly error: CallError | undefined;
  readonly context: CallContext;
}

async function presentPart(
  runtime: ClientRuntime,
  { kept, request, part, error, context }: PresentPartInput,
): Promise<string> {
  const frame: Answer = {
    status: kept.status,
    error,
    contentType: kept.kind === "json" ? undefined : kept.contentType,
    notes: part.notes,
    next: part.next,
    partial: kept.partial,
  };
  const limit = runtime.maxTokens ?? defaultMaxTokens;
  const shown = await presentBody(runtime, {
    document: part.document,
    kind: kept.kind,
    keptId: request.id,
    keptText: kept.text,
    maxTokens: Math.max(1, limit - frameTokens - runtime.countTokens(writeAnswer(frame))),
    context,
    ...(part.isWhole ? { text: kept.text } : {}),
    request: {
      source: kept.source,
      baseUrl: "",
      method: "GET",
      path: kept.request,
      ...(part.expression === undefined ? {} : { select: part.expression }),
    },
  });
  return writeAnswer({ ...frame, ...shown });
}

function toError({ message, hint }: { message: string; hint: string }): CallError {
  return { message, category: "invalid_input", retryable: false, hint };
}

/** The same answer for an id that never was, one that has expired, and one that is another's. */
function unknownId(id: string): ApiSourceError {
  return new ApiSourceError({
    message: `There is no kept response ${JSON.stringify(id.slice(0, 40))} here.`,
    category: "not_found",
    hint: "Ids are of this conversation and expire after an hour. Send the request again to get a new one.",
  });
}

function toReadFailure(thrown: unknown): ApiSourceError {
  if (thrown instanceof ApiSourceError) return thrown;
  return isTimeLimit(thrown) ? tooLate() : unreadable();
}

function tooLate(): ApiSourceError {
  return new ApiSourceError({
    message: "The read was stopped by the time limit of the agent or the application.",
    category: "timeout",
    hint: "Ask for less at once, or send the request again.",
  });
}

function unreadable(): ApiSourceError {
  return new ApiSourceError({
    message: "The kept response could not be read.",
    category: "unexpected_content",
    hint: "Send the request again.",
  });
}
