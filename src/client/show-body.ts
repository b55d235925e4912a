/** Which part of a document an answer shows: all of it when it fits the budget, else a view, and the whole kept. */

import type { BodyKind } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import type { KeptResponse } from "../store/keep-response.js";
import { type Deadline, isCancelled } from "../transport/deadline.js";
import { writeIfFits } from "../view/count-tokens.js";
import { projectionSummarizer } from "../view/projection-summarizer.js";
import type { Summarizer, SummarizerInput, Summary } from "../view/summary.js";
import type { Shortened } from "./answer.js";
import type { ClientRuntime } from "./create-client-runtime.js";

export interface ShownBody {
  /** JSON text. */
  readonly data: string;
  readonly shortened?: Shortened;
  /** The id of the whole body, where `data` is all of what a `select` picked. */
  readonly kept?: string;
  readonly summary?: string;
  readonly notes: readonly string[];
}

export interface ShowInput {
  /** What to show: the body, or what a `select` picked from it. */
  readonly document: JsonValue;
  readonly kind: BodyKind;
  /** The whole body, to be kept when a part of it is not shown. */
  readonly whole: Omit<KeptResponse, "expiresAt">;
  /** The id under which the whole body is kept already. */
  readonly keptId?: string;
  /** Whether `document` is less than the whole body. */
  readonly isPart: boolean;
  /** Whether the same request must not be sent again to see the rest: a write, or a `select` that missed. */
  readonly isOnce: boolean;
  readonly maxTokens: number;
  readonly request: SummarizerInput["request"];
  readonly context: CallContext;
  readonly deadline: Deadline;
}

/** What `"shortened":{"id":…,"tokens":…,"shownTokens":…,"omitted":…,"try":…}` costs without its lists: a constant, because an
 * id's letters would otherwise make the same input give different bytes. */
const envelopeTokens = 50;
/** Rows of CSV repeat its header in each: where they are too many, the text itself may fit. */
const csvNote =
  "`data` is the CSV as it came; `select` sees it as a list of objects with the names of its header.";
/** A text of more than this many characters is counted by its first part. */
const sampleCharacters = 100_000;

/** Shows a document within `maxTokens`; keeps the whole body when a part of it is not shown. */
export async function showBody(runtime: ClientRuntime, input: ShowInput): Promise<ShownBody> {
  const { kind, isPart, isOnce, maxTokens, whole } = input;
  const data = writeIfFits(input.document, maxTokens, runtime.countTokens);
  if (data !== undefined && kind !== "binary") {
    const restIsLost = isPart && (isOnce || countTextTokens(whole.text, runtime) > maxTokens);
    if (!restIsLost || input.keptId !== undefined) return { data, notes: [] };
    const { id, notes } = await keep(runtime, input);
    return { data, notes, ...(id === undefined ? {} : { kept: id }) };
  }
  const text =
    kind === "csv" && !isPart ? writeIfFits(whole.text, maxTokens, runtime.countTokens) : undefined;
  if (text !== undefined) return { data: text, notes: [csvNote] };
  const shown: Summary =
    data === undefined
      ? await summarize(runtime, input)
      : { view: data, omitted: [describeBytes(whole.text)], try: [] };
  const { id, notes } = await keep(runtime, input);
  if (data !== undefined && id === undefined) return { data, notes };
  const { view, omitted, try: queries, summary } = shown;
  const shortened: Shortened = {
    ...(id === undefined ? {} : { id }),
    tokens: countTextTokens(whole.text, runtime),
    shownTokens: Math.ceil(runtime.countTokens(view)),
    omitted,
    ...(queries.length === 0
      ? {}
      : { try: queries.map((query) => afterSelect(query, input.request.select)) }),
  };
  return { data: view, shortened, notes, ...(summary === undefined ? {} : { summary }) };
}

/** Tokens of a text; those of a long one from its beginning, in proportion. */
function countTextTokens(text: string, { countTokens }: ClientRuntime): number {
  if (text.length <= sampleCharacters) return Math.ceil(countTokens(text));
  return Math.ceil((countTokens(text.slice(0, sampleCharacters)) * text.length) / sampleCharacters);
}

/** Bytes are described, never shown; their kept form is base64. */
function describeBytes(base64: string): Summary["omitted"][number] {
  const bytes = Buffer.byteLength(base64, "base64");
  return { path: "@", shown: 0, of: bytes, about: "bytes; kept, and given to code by readResponse" };
}

async function summarize(runtime: ClientRuntime, input: ShowInput): Promise<Summary> {
  const engine = await loadQueryEngine();
  const { document, kind, request, deadline } = input;
  const task: SummarizerInput = {
    document,
    kind,
    maxTokens: Math.max(1, input.maxTokens - envelopeTokens),
    countTokens: runtime.countTokens,
    request,
    runSelect: (expression) => {
      try {
        return engine.run(document, expression, { kind, maxValues: 2 * input.maxTokens }).value;
      } catch {
        return undefined;
      }
    },
    signal: deadline.signal,
    onFailure: (error) =>
      runtime.logger.warn("The summarizer's model failed; the projection is shown.", {
        source: request.source,
        error: runtime.describeError(error),
      }),
  };
  const own = runtime.summarizer && (await summarizeByOwn(runtime, runtime.summarizer, task, input));
  if (own !== undefined) return own;
  // The response has arrived; the built-in summarizer does no I/O, so the deadline is ignored.
  const { signal: _over, ...rest } = task;
  return projectionSummarizer().summarize(rest);
}

/** Undefined when the application's summarizer fails, or what it gives can't be shown. Rejects when the call is cancelled. */
async function summarizeByOwn(
  runtime: ClientRuntime,
  summarizer: Summarizer,
  task: SummarizerInput,
  { deadline, maxTokens }: ShowInput,
): Promise<Summary | undefined> {
  const { request } = task;
  try {
    const summary = await deadline.race(summarizer.summarize(task));
    assertUsable(summary);
    if (runtime.countTokens(summary.view) <= maxTokens) return summary;
    runtime.logger.warn("The summarizer went over its budget; the projection is shown.", {
      source: request.source,
    });
  } catch (error) {
    if (isCancelled(deadline.signal)) throw error;
    runtime.logger.warn("The summarizer failed; the projection is shown.", {
      source: request.source,
      error: runtime.describeError(error),
    });
  }
  return undefined;
}

/** A summarizer of the application's own may return anything; the answer stays one valid document all the same. */
function assertUsable({ view, omitted, try: queries, summary = "" }: Summary): void {
  JSON.parse(view);
  JSON.stringify(omitted);
  if (Array.isArray(omitted) && Array.isArray(queries) && typeof summary === "string") return;
  throw new TypeError("A summary has view, omitted and try.");
}

interface Keeping {
  readonly id?: string;
  readonly notes: readonly string[];
}

async function keep(
  runtime: ClientRuntime,
  { whole, keptId, context, deadline }: ShowInput,
): Promise<Keeping> {
  if (keptId !== undefined) return { id: keptId, notes: [] };
  if (!runtime.readApiResponse) return { notes: [] };
  try {
    const kept = await deadline.race(runtime.archive.keep(whole, context));
    return "id" in kept ? { id: kept.id, notes: [] } : { notes: [kept.why] };
  } catch (error) {
    if (isCancelled(deadline.signal)) throw error;
    runtime.logger.warn("A response was not kept in time.", { source: whole.source });
    return { notes: ["The whole body was not kept: the store did not answer in time."] };
  }
}

/** A proposed query speaks of what was shown; on the whole body it comes after the `select` that picked that. */
function afterSelect(query: string, select: string | undefined): string {
  return select === undefined ? query : `${select} | ${query}`;
}
