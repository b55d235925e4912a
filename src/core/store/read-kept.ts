/** Reads a kept response again, without a request: for a model with the same answer document as a call, for code as a value. */

import {
  type Answer,
  countLeft,
  defaultMaxTokens,
  fitAnswer,
  nextShare,
} from "../answer/answer.js";
import { type AnswerServices, type Outcome, toOutcome } from "../answer/outcome.js";
import { describeScope, findList, runSelect } from "../answer/select.js";
import { fillAnswer, type ShowInput } from "../answer/show-body.js";
import { ApiSourceError } from "../base/errors.js";
import {
  applyNativeNumbers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import type { CallContext } from "../base/runtime.js";
import { clipMark, clipText, quoteText } from "../base/text.js";
import { createDeadline } from "../http/deadline.js";
import { type DocumentPart, findInDocument, readPart } from "../query/find-in-document.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { writeIfFits } from "../view/count-tokens.js";
import type { Omission } from "../view/summary.js";
import {
  type KeptResponse,
  parseKeptText,
  parseReadRequest,
  type ReadRequest,
} from "./keep-response.js";
import { refuseImages, type ShownImage, showImage } from "./show-image.js";

/** A store may hang; a reader has no source whose limit would hold. */
const defaultTimeoutMs = 30_000;

interface ReadOptions {
  /** @default 30000 */
  readonly timeoutMs?: number;
  /** Whether the reader can be given an image. @default true */
  readonly mayShowImages?: boolean;
}

/** The outcome of a read: `image` is what a model is shown beside `content`. */
export interface ReadOutcome extends Outcome {
  readonly image?: ShownImage;
}

/** Answers `{ id, select?, find?, offset?, limit?, as? }`. Rejects only with the caller's own abort reason. */
export async function readKept(
  services: AnswerServices,
  input: unknown,
  { signal, ...caller }: CallContext,
  { timeoutMs = defaultTimeoutMs, mayShowImages = true }: ReadOptions = {},
): Promise<ReadOutcome> {
  const deadline = createDeadline({ timeoutMs, clock: services.host.stopwatch, signal });
  const context = { ...caller, signal: deadline.signal };
  const call = { source: "read_api_response", input, signal };
  let image: ShownImage | undefined;
  const outcome = await toOutcome(services, call, async (known) => {
    const request = parseReadRequest(input);
    const { id } = request;
    const kept = await services.kept.load(id, context);
    // The same for an id that never was, one that has expired, and one that is another's.
    if (kept === undefined)
      throw new ApiSourceError({
        message: `There is no kept response ${quoteText(id, 40)} here.`,
        category: "not_found",
        hint: "Ids belong to this conversation and expire after an hour. Send the request again to get a new one.",
      });
    Object.assign(known, { status: kept.status, request: kept.request, responseId: id });
    if (request.as === undefined) return showPart(services, kept, request, { context, deadline });
    if (!mayShowImages) throw refuseImages();
    const shown = await showImage(services, request, kept, context);
    Object.assign(known, { file: shown.file });
    image = shown.image;
    return shown.answer;
  }).finally(() => deadline.close());
  return image === undefined ? outcome : { ...outcome, image };
}

/**
 * A kept body for code: a plain value, whole or selected; bytes of a binary one.
 *
 * @returns undefined for an id that is unknown, expired, or another scope's.
 * @throws ApiSourceError `invalid_input` for a `select` that is not JMESPath, or can't be run on this body.
 */
export async function loadKeptValue(
  services: Pick<AnswerServices, "kept">,
  id: string,
  { select, context }: { readonly select?: string; readonly context: CallContext },
): Promise<unknown> {
  if (select !== undefined) (await loadQueryEngine()).check(select);
  const kept = await services.kept.load(id, context);
  if (kept === undefined) return undefined;
  if (kept.kind === "binary") return Uint8Array.from(Buffer.from(kept.text, "base64"));
  return applyNativeNumbers((await pickKept(kept, select)).value);
}

/**
 * Picks from a kept body by a `select`; all of it without one.
 *
 * @throws ApiSourceError `invalid_input` for a `select` that is not JMESPath, or can't be run on this body.
 */
export async function pickKept(
  { text, kind, contentType, request, scope }: KeptResponse,
  select: string | undefined,
): Promise<{ readonly value: JsonValue; readonly notes: readonly string[] }> {
  const whole = await parseKeptText(text, kind, contentType);
  if (select === undefined) return { value: whole, notes: [] };
  const { value, notes } = await runSelect(whole, select, { kind, path: readPath(request) });
  if (scope === undefined) return { value, notes };
  return { value, notes: [describeScope(scope), ...notes] };
}

/** The path of a request such as `GET /orders?page=2`. */
function readPath(request: string): string {
  return request.split(" ")[1]?.split("?")[0] ?? "";
}

/** Finds the value that `offset` and `limit` count: the rows of a list in an envelope, such as `{"issues":[…],"total":724}`, not its members. */
function findCounted(
  value: JsonValue,
  { find, offset, limit }: ReadRequest,
  path: string,
): { readonly value: JsonValue; readonly notes: readonly string[] } {
  const isFromStart = offset === undefined || offset === 0;
  const isWhole = find !== undefined || (isFromStart && limit === undefined);
  const found = isWhole ? undefined : findList(value, path);
  if (found?.isInEnvelope !== true) return { value, notes: [] };
  const { keys, list } = found;
  return {
    value: list,
    notes: [`offset and limit count the rows of \`${clipText(keys.join("."), 100)}\`.`],
  };
}

async function showPart(
  services: AnswerServices,
  kept: KeptResponse,
  request: ReadRequest,
  call: Pick<ShowInput, "context" | "deadline">,
): Promise<Answer> {
  const { id, select } = request;
  const { kind, status, partial, source } = kept;
  const limit = services.answers.maxTokens ?? defaultMaxTokens;
  const selection = await pickKept(kept, select);
  const counted = findCounted(selection.value, request, readPath(kept.request));
  const envelope: Answer = {
    status,
    contentType: kind === "json" ? undefined : kept.contentType,
    notes: [...selection.notes, ...counted.notes],
    partial,
  };
  const { countTokens } = services.answers;
  // Reserves room for `next`, which is known when the part is shown.
  const longest = JSON.stringify({ ...request, offset: Number.MAX_SAFE_INTEGER });
  const limitOfRest = limit - Math.min(countTokens(longest), limit * nextShare);
  const most = countLeft(envelope, limitOfRest, countTokens);
  const fits = (value: JsonValue): boolean => writeIfFits(value, most, countTokens) !== undefined;
  const part = takePart(counted.value, request, fits);
  // A proposed query is about the whole, not about a part by position.
  const query = part.value === counted.value ? select : undefined;
  const answer = await fillAnswer(services, envelope, limitOfRest, {
    document: part.value,
    kind,
    whole: kept,
    keptId: id,
    isPart: true,
    isOnce: false,
    isReadOn: true,
    request: { source, baseUrl: "", method: "GET", path: kept.request, select: query },
    ...call,
  });
  const next = findNextRead(request, part, answer);
  return fitAnswer({ ...answer, kept: undefined, next }, limit, countTokens);
}

/** The place after what is really shown: a part over the budget is shown as a view of its first rows. */
function findNextRead(
  request: ReadRequest,
  { value, end, total }: DocumentPart,
  { data = "null", shortened }: Answer,
): ReadRequest | undefined {
  const isView = shortened !== undefined && request.find === undefined;
  const inner = isView && isJsonObject(value) ? shortened.omitted.find(isTruncatedList) : undefined;
  if (inner?.shown !== undefined) {
    const { id, select } = request;
    const rows = select === undefined ? inner.path : `${select} | ${inner.path}`;
    return { id, select: rows, offset: inner.shown };
  }
  const behind = isView ? (request.offset ?? 0) + Math.max(1, countShown(data)) : end;
  return behind < total ? { ...request, offset: behind } : undefined;
}

/** A list at one place of the document, of which the view shows the beginning. */
function isTruncatedList({ path, shown = 0, of = 0 }: Omission): boolean {
  return shown > 0 && shown < of && /^[\w."]+$/.test(path);
}

/** How many elements, members or characters of a part its view shows. */
function countShown(view: string): number {
  const shown: JsonValue = JSON.parse(view);
  return countParts(
    typeof shown === "string" && shown.endsWith(clipMark) ? shown.slice(0, -1) : shown,
  );
}

/** Takes the part that a read requests: by position, or by a string. @throws ApiSourceError `invalid_input` for an offset beyond the end */
function takePart(
  value: JsonValue,
  { find, offset = 0, limit }: ReadRequest,
  fits: (value: JsonValue) => boolean,
): DocumentPart {
  if (find !== undefined) {
    // As many of the matches as fit whole: each leads somewhere by its path and its row.
    const { found, matches } = findInDocument(value, find, { offset, limit });
    const take = (shown: number): JsonObject => ({
      found,
      shown,
      matches: matches.slice(0, shown),
    });
    let shown = matches.length;
    while (shown > 1 && !fits(take(shown))) shown = Math.floor(shown * 0.8);
    return { value: take(shown), total: found, end: offset + shown };
  }
  const total = countParts(value);
  return limit === undefined && offset === 0
    ? { value, total, end: total }
    : readPart(value, { offset, limit });
}

function countParts(value: JsonValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isJsonObject(value) ? listKeys(value).length : 0;
}
