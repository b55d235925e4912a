/** Reads a kept response again: a query, a search, or a part of it, answered with the same document as a call. */

import { ApiSourceError } from "../errors.js";
import { findInDocument } from "../response/find-in-document.js";
import type { JsonDocument } from "../response/json-document.js";
import type { KeptResponse } from "../response/kept-response.js";
import { parseKeptText } from "../response/parse-kept-text.js";
import { sliceDocument } from "../response/slice-document.js";
import type { CallContext } from "../runtime.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { Outcome } from "./outcome.js";
import { presentBody } from "./present-body.js";
import { parseReadRequest, type ReadRequest } from "./read-request.js";
import { type Answer, writeAnswer } from "./write-answer.js";

const readerName = "read_api_response";
const defaultMaxTokens = 5_000;
const frameTokens = 60;

/** Answers `{ id, select?, find?, offset?, limit? }`. Rejects only with the caller's own abort reason. */
export async function readKeptResponse(
  runtime: ClientRuntime,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  const startedMs = runtime.clock.now();
  const finish = (ok: boolean, content: string, rest: Partial<Outcome["artifact"]>): Outcome => ({
    ok,
    content: runtime.secrets.redactor().redact(content),
    artifact: { source: readerName, ...rest, durationMs: runtime.clock.now() - startedMs },
  });
  try {
    const request = parseReadRequest(input);
    const kept = await runtime.archive.load(request.id, context);
    if (kept === undefined) throw unknownId(request.id);
    const content = await presentKept(runtime, kept, request, context);
    return finish(true, content, { status: kept.status, request: kept.request, responseId: request.id });
  } catch (thrown) {
    context.signal?.throwIfAborted();
    const error = thrown instanceof ApiSourceError ? thrown : unreadable();
    return finish(false, writeAnswer({ error: error.toCallError() }), { category: error.category });
  }
}

async function presentKept(
  runtime: ClientRuntime,
  kept: KeptResponse,
  request: ReadRequest,
  context: CallContext,
): Promise<string> {
  const picked = await pick(await parseKeptText(kept.text, kept.kind), request);
  const frame: Answer = {
    status: kept.status,
    contentType: kept.kind === "json" ? undefined : kept.contentType,
    next: picked.next,
    partial: kept.partial,
  };
  const isWhole = picked.expression === undefined && picked.isPart !== true;
  const shown = await presentBody(runtime, {
    document: picked.document,
    kind: kept.kind,
    keptId: request.id,
    maxTokens: Math.max(
      1,
      (runtime.maxTokens ?? defaultMaxTokens) - frameTokens - runtime.countTokens(writeAnswer(frame)),
    ),
    context,
    ...(isWhole ? { text: kept.text } : {}),
    request: {
      source: kept.source,
      baseUrl: "",
      method: "GET",
      path: kept.request,
      ...(picked.expression === undefined ? {} : { select: picked.expression }),
    },
  });
  return writeAnswer({ ...frame, ...shown });
}

interface Picked {
  readonly document: JsonDocument;
  /** The JMESPath that leads from the whole body to the document; absent when there is none or it is the whole. */
  readonly expression?: string;
  readonly isPart?: boolean;
  readonly next?: Answer["next"];
}

async function pick(whole: JsonDocument, request: ReadRequest): Promise<Picked> {
  const { select, find, offset, limit } = request;
  const selected = select === undefined ? { document: whole } : await select_(whole, select);
  const expression = select === undefined ? {} : { expression: select };
  if (find !== undefined) {
    const { document } = findInDocument(selected.document, find, { offset: offset ?? 0, limit });
    return { document, ...expression, isPart: true };
  }
  if (offset === undefined && limit === undefined) return { document: selected.document, ...expression };
  const slice = sliceDocument(selected.document, { offset: offset ?? 0, limit });
  return { document: slice.document, ...expression, isPart: true };
}
