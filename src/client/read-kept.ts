/** Reads a kept response again, without a request: for a model with the same answer document as a call, for code as a value. */

import { ApiSourceError } from "../errors.js";
import { applyNativeNumbers, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { findInDocument } from "../query/find-in-document.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { readPart } from "../query/read-part.js";
import type { CallContext } from "../runtime.js";
import { type KeptResponse, parseKeptText } from "../store/keep-response.js";
import { clipMark } from "../text.js";
import { createDeadline, type Deadline } from "../transport/deadline.js";
import { writeIfFits } from "../view/count-tokens.js";
import { type Answer, countLeft, defaultMaxTokens, fitFrame } from "./answer.js";
import { parseReadRequest, type ReadRequest } from "./call-request.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { type Outcome, toOutcome } from "./outcome.js";
import { runSelect } from "./show-answer.js";
import { type ShownBody, showBody } from "./show-body.js";

/** A store may hang; a reader has no source whose limit would hold. */
const defaultTimeoutMs = 30_000;

/** Answers `{ id, select?, find?, offset?, limit? }`. Rejects only with the caller's own abort reason. */
export async function readKept(
  runtime: ClientRuntime,
  input: unknown,
  { signal, ...caller }: CallContext,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Outcome> {
  const deadline = createDeadline({ timeoutMs, clock: runtime.clock, signal });
  const context = { ...caller, signal: deadline.signal };
  return toOutcome(runtime, { source: "read_api_response", signal }, async (known) => {
    const request = parseReadRequest(input);
    const { id } = request;
    const kept = await deadline.race(runtime.archive.load(id, context));
    if (kept === undefined) throw unknownId(id);
    Object.assign(known, { status: kept.status, request: kept.request, responseId: id });
    return showPart(runtime, { kept, request, context, deadline });
  }).finally(() => deadline.close());
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
  if (select !== undefined) (await loadQueryEngine()).check(select);
  const kept = await runtime.archive.load(id, context);
  if (kept === undefined) return undefined;
  if (kept.kind === "binary") return Uint8Array.from(Buffer.from(kept.text, "base64"));
  return applyNativeNumbers((await pickKept(kept, select)).value);
}

/** What a `select` picks from a kept body; all of it without one. */
async function pickKept(
  { text, kind, contentType, request }: KeptResponse,
  select: string | undefined,
): Promise<{ readonly value: JsonValue; readonly notes: readonly string[] }> {
  const whole = await parseKeptText(text, kind, contentType);
  if (select === undefined) return { value: whole, notes: [] };
  // Of `GET /orders?page=2`.
  const path = request.split(" ")[1]?.split("?")[0] ?? "";
  return runSelect(whole, select, { kind, path });
}

interface ReadInput {
  readonly kept: KeptResponse;
  readonly request: ReadRequest;
  readonly context: CallContext;
  readonly deadline: Deadline;
}

async function showPart(
  runtime: ClientRuntime,
  { kept, request, context, deadline }: ReadInput,
): Promise<Answer> {
  const { kind } = kept;
  const { select } = request;
  const picked = await pickKept(kept, select);
  const taken = takePart(picked.value, request);
  const limit = runtime.maxTokens ?? defaultMaxTokens;
  const frame: Answer = {
    status: kept.status,
    contentType: kind === "json" ? undefined : kept.contentType,
    notes: picked.notes,
    // Its place in the budget: what it is, is known when the part is shown.
    next: { ...request, offset: Number.MAX_SAFE_INTEGER },
    partial: kept.partial,
  };
  const fitted = fitFrame(frame, limit, runtime.countTokens);
  const maxTokens = countLeft(fitted, limit, runtime.countTokens);
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
  const notes = [...(fitted.notes ?? []), ...shown.notes];
  return { ...fitted, ...shown, notes, next: findNextRead(request, part, shown) };
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

/** The same answer for an id that never was, one that has expired, and one that is another's. */
function unknownId(id: string): ApiSourceError {
  return new ApiSourceError({
    message: `There is no kept response ${JSON.stringify(id.slice(0, 40))} here.`,
    category: "not_found",
    hint: "Ids are of this conversation and expire after an hour. Send the request again to get a new one.",
  });
}

/** What a read asks for: by position, or what holds a string. */
interface Part {
  readonly value: JsonValue;
  /** Whether `offset`, `limit` or `find` took it out of the whole. */
  readonly isSlice: boolean;
  /** How many elements, members, characters or matches there are in all. */
  readonly total: number;
  /** Where the part begins among them. */
  readonly offset: number;
  /** The position after the last one taken. */
  readonly end: number;
}

/** @throws ApiSourceError `invalid_input` for an offset beyond the end. */
function takePart(value: JsonValue, { find, offset = 0, limit }: ReadRequest): Part {
  if (find !== undefined) {
    const matches = findInDocument(value, find, { offset, limit });
    return { value: matches, isSlice: true, total: matches.found, offset, end: offset + matches.shown };
  }
  if (limit === undefined && offset === 0) {
    const total = countParts(value);
    return { value, isSlice: false, total, offset: 0, end: total };
  }
  const { value: taken, total, end } = readPart(value, { offset, limit });
  return { value: taken, isSlice: true, total, offset, end };
}

/** As many of the matches as fit whole: each leads somewhere by its path and its row. */
function fitMatches(part: Part, fits: (value: JsonValue) => boolean): Part {
  const { value } = part;
  const matches = isJsonObject(value) ? value["matches"] : undefined;
  if (!Array.isArray(matches)) return part;
  const take = (count: number): Part => ({
    ...part,
    value: { found: part.total, shown: count, matches: matches.slice(0, count) },
    end: part.offset + count,
  });
  let count = matches.length;
  while (count > 1 && !fits(take(count).value)) count = Math.floor(count * 0.8);
  return take(count);
}

function countParts(value: JsonValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
