/** From a document to what an answer shows of it: all of it when it fits the budget, else a view, and the rest kept. */

import type { BodyKind } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import type { KeptResponse } from "../store/kept-response.js";
import { isCancelled } from "../transport/deadline.js";
import { estimateTokens } from "../view/count-tokens.js";
import { projectionSummarizer } from "../view/projection-summarizer.js";
import type { Omission, Summarizer, SummarizerInput, Summary } from "../view/summary.js";
import { writeIfFits } from "../view/write-if-fits.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { estimateTotalTokens } from "./estimate-total-tokens.js";
import { raceSignal } from "./race-signal.js";
import type { Shortened } from "./write-answer.js";

export interface Presentation {
  /** JSON text. */
  readonly data: string;
  readonly shortened?: Shortened;
  readonly summary?: string;
}

export interface PresentInput {
  /** What to show: the body, or what a `select` picked from it. */
  readonly document: JsonValue;
  /** The text the document was read from; absent for what a `select` picked. */
  readonly text?: string;
  readonly kind: BodyKind;
  /** The kept form of the whole body; absent when there is nothing to keep or it is kept already. */
  readonly keep?: Omit<KeptResponse, "expiresAt">;
  /** The id under which the whole body is kept already. */
  readonly keptId?: string;
  /** The kept text of the whole body. */
  readonly keptText: string;
  readonly maxTokens: number;
  readonly request: SummarizerInput["request"];
  readonly context: CallContext;
  /** Whether to keep the body although all of the document is shown (bytes that are described, a write's answer selected from). */
  readonly alwaysKeep?: boolean;
}

/** What `"shortened":{"id":…,"tokens":…,"shownTokens":…,"omitted":…,"try":…}` costs without its lists: a constant, because an
 * id's letters would otherwise make the same input give different bytes. */
const envelopeTokens = 50;
/** A text longer than this many characters per token, blanks included, can't fit the budget: not worth printing. */
const maxCharactersPerToken = 40;

/** Shows a document within `maxTokens`; keeps the whole body when a part of it is not shown. */
export async function presentBody(runtime: ClientRuntime, input: PresentInput): Promise<Presentation> {
  const whole = writeWhole(runtime, input);
  if (whole !== undefined && input.alwaysKeep !== true) return { data: whole };
  const shown: Summary =
    whole === undefined ? await summarize(runtime, input) : { view: whole, omitted: [], try: [] };
  const { view, omitted, try: queries, summary } = shown;
  const id = input.keptId ?? (await keep(runtime, input));
  if (whole !== undefined && id === undefined) return { data: whole };
  const shortened: Shortened = {
    ...(id === undefined ? {} : { id }),
    tokens: Math.ceil(estimateTotalTokens(input.keptText, runtime.countTokens)),
    shownTokens: Math.ceil(runtime.countTokens(view)),
    omitted: input.kind === "binary" && whole !== undefined ? [describeBytes(input.keptText)] : omitted,
    ...(queries.length === 0
      ? {}
      : { try: queries.map((query) => afterSelect(query, input.request.select)) }),
  };
  return { data: view, shortened, ...(summary === undefined ? {} : { summary }) };
}

/** Bytes are described, never shown; their text form is base64. */
function describeBytes(base64: string): Omission {
  const bytes = Buffer.byteLength(base64, "base64");
  return { path: "@", shown: 0, of: bytes, about: "bytes; kept, and given to code by readResponse" };
}

/** All of the document; undefined when it does not fit. */
function writeWhole(
  { countTokens }: ClientRuntime,
  { document, text, maxTokens }: PresentInput,
): string | undefined {
  if (text !== undefined && text.length > maxTokens * maxCharactersPerToken) return undefined;
  if (text !== undefined && text.length <= maxTokens && countTokens === estimateTokens) {
    const view = writeJson(document);
    // No tokenizer makes more tokens than there are bytes: most answers are small, and need no counting.
    if (Buffer.byteLength(view) <= maxTokens) return view;
  }
  return writeIfFits(document, maxTokens, countTokens);
}

async function summarize(runtime: ClientRuntime, input: PresentInput): Promise<Summary> {
  const engine = await loadQueryEngine();
  const { document, kind, request, context } = input;
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
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  };
  const own =
    runtime.summarizer && (await summarizeByOwn(runtime, runtime.summarizer, task, input.maxTokens));
  if (own !== undefined) return own;
  // The answer is there, whatever became of the time: the projection asks nobody.
  const { signal: _over, ...rest } = task;
  return projectionSummarizer().summarize(rest);
}

/** Undefined when the application's summarizer fails, or what it gives can't be shown. Rejects when the call is cancelled. */
async function summarizeByOwn(
  runtime: ClientRuntime,
  summarizer: Summarizer,
  task: SummarizerInput,
  maxTokens: number,
): Promise<Summary | undefined> {
  const { signal, request } = task;
  try {
    const summary = await raceSignal(summarizer.summarize(task), signal);
    assertUsable(summary);
    if (runtime.countTokens(summary.view) <= maxTokens) return summary;
    runtime.logger.warn("The summarizer went over its budget; the projection is shown.", {
      source: request.source,
    });
  } catch {
    if (isCancelled(signal)) throw signal?.reason;
    runtime.logger.warn("The summarizer failed; the projection is shown.", { source: request.source });
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

async function keep(
  runtime: ClientRuntime,
  { keep: response, context }: PresentInput,
): Promise<string | undefined> {
  if (response === undefined || !runtime.readApiResponse) return undefined;
  try {
    return await raceSignal(runtime.archive.keep(response, context), context.signal);
  } catch {
    if (isCancelled(context.signal)) throw context.signal?.reason;
    runtime.logger.warn("A response was not kept in time.", { source: response.source });
    return undefined;
  }
}

/** A proposed query speaks of what was shown; on the whole body it comes after the `select` that picked that. */
function afterSelect(query: string, select: string | undefined): string {
  return select === undefined ? query : `${select} | ${query}`;
}
