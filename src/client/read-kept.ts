/** Reads a kept response again, without a request: for a model with the same answer document as a call, for code as a value. */

import { ApiSourceError, type CallError } from "../errors.js";
import { applyNativeNumbers, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import type { KeptResponse } from "../store/kept-response.js";
import { parseKeptText } from "../store/parse-kept-text.js";
import { clipMark } from "../text.js";
import { createDeadline, type Deadline, isCancelled, isTimeLimit } from "../transport/deadline.js";
import { estimateTokens, writeIfFits } from "../view/count-tokens.js";
import { type Answer, defaultMaxTokens, fitFrame, frameTokens, writeAnswer } from "./answer.js";
import { parseReadRequest, type ReadRequest } from "./call-request.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { CallArtifact, Outcome } from "./outcome.js";
import { type ShownBody, showBody } from "./show-body.js";
import { countParts, findCalled, fitMatches, type Part, takePart } from "./take-part.js";

const readerName = "read_api_response";
/** A store may hang; a reader has no source whose limit would hold. */
const defaultTimeoutMs = 30_000;

/** Answers `{ id, select?, find?, offset?, limit? }`. Rejects only with the caller's own abort reason. */
export async function readKept(
  runtime: ClientRuntime,
  input: unknown,
  caller: CallContext,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Outcome> {
  const startedMs = runtime.clock.now();
  const deadline = createDeadline({ timeoutMs, clock: runtime.clock, signal: caller.signal });
  let answer: Answer;
  let known: Partial<CallArtifact> = {};
  try {
    const request = parseReadRequest(input);
    const context: CallContext = { ...caller, signal: deadline.signal };
    const kept = await deadline.race(runtime.archive.load(request.id, context));
    if (kept === undefined) throw unknownId(request.id);
    known = { status: kept.status, request: kept.request, responseId: request.id };
    answer = await showPart(runtime, { kept, request, context, deadline });
  } catch (thrown) {
    if (isCancelled(caller.signal)) throw caller.signal?.reason;
    const { status } = known;
    const error = redactError(toReadFailure(thrown).toCallError(), runtime);
    // By the estimate: the application's own count may be what failed.
    answer = fitFrame({ status, error }, runtime.maxTokens ?? defaultMaxTokens, estimateTokens);
  } finally {
    deadline.close();
  }
  const { error } = answer;
  const artifact: CallArtifact = {
    source: readerName,
    ...known,
    ...(error === undefined ? {} : { category: error.category }),
    durationMs: runtime.clock.now() - startedMs,
  };
  return {
    ok: error === undefined,
    content: runtime.secrets.redactor().redact(writeAnswer(answer)),
    artifact,
  };
}

/**
 * A kept body for code: a plain value, whole or selected; bytes of a binary one.
 *
 * @returns undefined for an id that is unknown, expired, or another scope's.
 * @throws ApiSourceError `invalid_input` for a `select` that is no JMESPath, or can't be run on this body.
 */
export async function loadKeptValue(
  runtime: ClientRuntime,
  id: string,
  { select, context }: { readonly select?: string; readonly context: CallContext },
): Promise<unknown> {
  const engine = select === undefined ? undefined : await loadQueryEngine();
  if (select !== undefined) engine?.check(select);
  const kept = await runtime.archive.load(id, context);
  if (kept === undefined) return undefined;
  if (kept.kind === "binary") return Uint8Array.from(Buffer.from(kept.text, "base64"));
  const document = await parseKeptText(kept.text, kept.kind, kept.contentType);
  return applyNativeNumbers(
    engine === undefined || select === undefined
      ? document
      : engine.run(document, select, { kind: kept.kind, called: findCalled(document, readPath(kept)) }).value,
  );
}

/** Of `GET /orders?page=2`. */
function readPath({ request }: KeptResponse): string {
  return request.split(" ")[1]?.split("?")[0] ?? "";
}

interface ReadInput {
  readonly kept: KeptResponse;
  readonly request: ReadRequest;
  readonly context: CallContext;
  readonly deadline: Deadline;
}

async function showPart(runtime: ClientRuntime, input: ReadInput): Promise<Answer> {
  const { kept, request, context, deadline } = input;
  const { kind } = kept;
  const whole = await parseKeptText(kept.text, kind, kept.contentType);
  const { select } = request;
  const picked =
    select === undefined
      ? { value: whole, notes: [] }
      : (await loadQueryEngine()).run(whole, select, { kind, called: findCalled(whole, readPath(kept)) });
  const taken = takePart(picked.value, request);
  const limit = runtime.maxTokens ?? defaultMaxTokens;
  const frame = fitFrame(
    {
      status: kept.status,
      contentType: kind === "json" ? undefined : kept.contentType,
      notes: picked.notes,
      // Its place in the budget: what it is, is known when the part is shown.
      next: { ...request, offset: Number.MAX_SAFE_INTEGER },
      partial: kept.partial,
    },
    limit,
    runtime.countTokens,
  );
  const maxTokens = Math.max(1, limit - frameTokens - runtime.countTokens(writeAnswer(frame)));
  const fits = (value: JsonValue): boolean =>
    writeIfFits(value, maxTokens, runtime.countTokens) !== undefined;
  const part = request.find === undefined ? taken : fitMatches(taken, fits);
  const shown = await showBody(runtime, {
    document: part.value,
    kind,
    whole: kept,
    keptId: request.id,
    isPart: true,
    isOnce: false,
    maxTokens,
    context,
    deadline,
    request: {
      source: kept.source,
      baseUrl: "",
      method: "GET",
      path: kept.request,
      ...(select === undefined || part.isSlice ? {} : { select }),
    },
  });
  const { notes, ...rest } = shown;
  return {
    ...frame,
    ...rest,
    notes: [...(frame.notes ?? []), ...notes],
    next: findNextRead(request, part, shown),
  };
}

/** The place after what is really shown: a part over the budget is shown as a view of its first rows. */
function findNextRead(
  request: ReadRequest,
  part: Part,
  { data, shortened }: ShownBody,
): ReadRequest | undefined {
  if (shortened === undefined || request.find !== undefined)
    return part.end < part.total ? { ...request, offset: part.end } : undefined;
  const inner = isJsonObject(part.value) ? shortened.omitted.find(isCutList) : undefined;
  if (inner?.shown !== undefined) {
    const { id, select } = request;
    return {
      id,
      select: select === undefined ? inner.path : `${select} | ${inner.path}`,
      offset: inner.shown,
    };
  }
  const shown = Math.max(1, countShown(data));
  return part.offset + shown < part.total ? { ...request, offset: part.offset + shown } : undefined;
}

/** A list at one place of the document, of which the view shows the beginning. */
function isCutList({ path, shown, of }: { path: string; shown?: number; of?: number }): boolean {
  return shown !== undefined && of !== undefined && shown > 0 && shown < of && /^[\w."]+$/.test(path);
}

/** How many elements, members or characters of a part its view shows. */
function countShown(view: string): number {
  const shown: JsonValue = JSON.parse(view);
  if (typeof shown !== "string") return countParts(shown);
  return shown.endsWith(clipMark) ? shown.length - clipMark.length : shown.length;
}

/** What does not fit is clipped, and half a secret would not be found in the final text. */
function redactError(error: CallError, runtime: ClientRuntime): CallError {
  const redactor = runtime.secrets.redactor();
  return { ...error, message: redactor.redact(error.message), hint: redactor.redact(error.hint) };
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
  if (thrown instanceof ApiSourceError && thrown.category !== "timeout") return thrown;
  if (isTimeLimit(thrown)) {
    return new ApiSourceError({
      message: "The read was stopped by the time limit of the agent or the application.",
      category: "timeout",
      hint: "Ask for less at once, or send the request again.",
    });
  }
  return new ApiSourceError({
    message: "The kept response could not be read.",
    category: "unexpected_content",
    hint: "Send the request again.",
  });
}
