/** From a reply to the answer document: success or failure, the data within the budget, limits, the next page. */

import type { CallError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { isLimited, presentRateLimit, shouldShowRateLimit } from "../limits/rate-limit.js";
import { findNextPage, type Paging } from "../paging/find-next-page.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import type { BuiltRequest } from "./build-request.js";
import type { CallRequest } from "./call-request.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { Reply } from "./create-sender.js";
import { judgeReply } from "./judge-reply.js";
import type { PreparedCall } from "./prepare-call.js";
import { type Presentation, presentBody } from "./present-body.js";
import { type Answer, writeAnswer } from "./write-answer.js";
import { writeRequestLine } from "./write-request-line.js";

export interface ReplyInput {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  readonly request: CallRequest;
  readonly built: BuiltRequest;
  readonly prepared: PreparedCall;
  readonly reply: Reply;
  readonly context: CallContext;
}

export interface PresentedReply {
  /** Not yet redacted for the last time. */
  readonly content: string;
  readonly error?: CallError;
  readonly responseId?: string;
}

const defaultMaxTokens = 2_000;
/** What a failure's body may cost beside its message: mostly it says the same again. */
const maxErrorBodyTokens = 1_000;
/** The braces, and `,"data":`. */
const frameTokens = 8;

export async function presentReply(input: ReplyInput): Promise<PresentedReply> {
  const { source, runtime, request, built, reply } = input;
  const { exchange, body, rateLimit } = reply;
  const failed = await judgeReply(source, built, reply, input.prepared.redactor);
  const selected = failed === undefined ? await selectFrom(body, request.select) : undefined;
  const error = failed ?? selected?.error;
  const limited = isLimited(exchange.status, rateLimit) || error?.category === "rate_limited";
  const paging = failed === undefined ? findPaging(input) : {};
  const notes = [...(selected?.notes ?? []), ...(paging.note === undefined ? [] : [paging.note])];
  const frame: Answer = {
    status: exchange.status,
    error,
    contentType: body.kind === "json" || body.kind === "empty" ? undefined : body.contentType,
    notes: notes.length > 0 ? notes : undefined,
    rateLimit:
      rateLimit !== undefined && shouldShowRateLimit(rateLimit, { limited })
        ? presentRateLimit(rateLimit)
        : undefined,
    next: paging.next,
    partial: body.partial,
  };
  const limit = source.api.limits.maxTokens ?? runtime.maxTokens ?? defaultMaxTokens;
  const available = Math.max(1, limit - frameTokens - runtime.countTokens(writeAnswer(frame)));
  // A selection may be null.
  const document = selected === undefined ? body.document : selected.document;
  const shown =
    document === undefined
      ? undefined
      : await presentDocument(input, document, {
          maxTokens: failed === undefined ? available : Math.min(available, maxErrorBodyTokens),
          isSelection: selected !== undefined,
          missed: selected?.error !== undefined,
        });
  return {
    content: writeAnswer({ ...frame, ...shown }),
    ...(error === undefined ? {} : { error }),
    ...(shown?.shortened?.id === undefined ? {} : { responseId: shown.shortened.id }),
  };
}

function presentDocument(
  { source, runtime, request, built, prepared, reply, context }: ReplyInput,
  document: JsonValue,
  { maxTokens, isSelection, missed }: { maxTokens: number; isSelection: boolean; missed: boolean },
): Promise<Presentation> {
  const { body, exchange } = reply;
  const { select } = request;
  return presentBody(runtime, {
    document,
    kind: body.kind,
    maxTokens,
    context,
    ...(isSelection ? {} : { text: body.text }),
    keptText: body.text,
    // Bytes are only described. What a select leaves out can be asked for again, unless the request was a write, or the
    // select missed and the next one should not cost a request.
    alwaysKeep: body.kind === "binary" || (isSelection && (missed || built.method !== "GET")),
    // Most answers are shown whole: what is only for keeping or shortening is redacted when it is asked for.
    get keep() {
      return {
        text: body.text,
        kind: body.kind,
        status: exchange.status,
        source: source.slug,
        request: writeRequestLine(built, prepared.redactor),
        ...(body.contentType === undefined ? {} : { contentType: body.contentType }),
        ...(body.partial === undefined ? {} : { partial: body.partial }),
      };
    },
    get request() {
      return {
        source: source.slug,
        // A summarizer may show it to a model; a secret variable can stand in the base URL, as it does, redacted, in links.
        baseUrl: prepared.redactor.redact(prepared.resolved.baseUrl),
        method: built.method,
        path: prepared.redactor.redact(built.url.path),
        ...(typeof select === "string" && isSelection ? { select } : {}),
      };
    },
  });
}

async function selectFrom(
  { document, kind }: Reply["body"],
  select: string | null | undefined,
): Promise<{ document: JsonValue; notes: readonly string[]; error?: CallError } | undefined> {
  if (document === undefined || typeof select !== "string") return undefined;
  const { value, notes, miss } = (await loadQueryEngine()).run(document, select, { kind });
  if (miss === undefined) return { document: value, notes };
  return {
    document: value,
    notes: [],
    error: {
      message: miss.message,
      category: "invalid_input",
      retryable: false,
      hint: `The request itself succeeded; do not send it again. ${miss.hint}`,
    },
  };
}

function findPaging({
  request,
  built,
  prepared,
  reply,
}: ReplyInput): Pick<Answer, "next"> & Pick<Paging, "note"> {
  const paging = findNextPage({
    request: {
      method: built.method,
      path: built.url.path,
      query: built.query,
      ...parseSentBody(request.body),
    },
    url: built.wire.url,
    baseUrl: prepared.resolved.baseUrl,
    headers: reply.exchange.headers,
    reservedQueryNames: built.reservedQueryNames,
    ...(reply.body.document === undefined ? {} : { document: reply.body.document }),
  });
  if (paging.next === undefined) return paging.note === undefined ? {} : { note: paging.note };
  const { select, headers } = request;
  return {
    next: {
      ...paging.next,
      ...(headers === undefined ? {} : { headers }),
      ...(typeof select === "string" ? { select } : {}),
    },
  };
}

/** The body as a value: a cursor that goes into it needs its other members. */
function parseSentBody(body: unknown): { body?: JsonValue } {
  if (body === undefined) return {};
  try {
    return { body: JSON.parse(typeof body === "string" ? body : JSON.stringify(body)) };
  } catch {
    return {};
  }
}
