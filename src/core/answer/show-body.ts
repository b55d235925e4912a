/** Which part of a document an answer shows: all of it when it fits the budget, else a view, and the whole kept. */

import { applyWhenReady } from "../base/apply-when-ready.js";
import type { CallContext } from "../base/runtime.js";
import { type Deadline, isCancelled } from "../http/deadline.js";
import type { KeptResponse } from "../store/keep-response.js";
import { keepWithin, writeIfFits } from "../view/count-tokens.js";
import { projectLarge } from "../view/projection-summarizer.js";
import type { CountTokens, SummarizerInput, Summary } from "../view/summary.js";
import { type Answer, countLeft, fitAnswer, leaveAtLeast, type Shortened } from "./answer.js";
import type { AnswerServices } from "./outcome.js";

interface ShownBody extends Pick<Answer, "shortened" | "kept" | "summary"> {
  /** JSON text. */
  readonly data: string;
  readonly notes: readonly string[];
}

/** The words of the request, and the members that it sent. */
export type Aim = Pick<SummarizerInput["request"], "words" | "members">;

/** The value to show: a body's `document`, or the part that a `select` took from it. */
export interface ShowInput
  extends Pick<SummarizerInput, "document" | "kind" | "maxTokens" | "request"> {
  /** The whole body, to be kept when a part of it is not shown. */
  readonly whole: Omit<KeptResponse, "expiresAt">;
  /** The id under which the whole body is kept already. */
  readonly keptId?: string;
  /** Whether `document` is less than the whole body. */
  readonly isPart: boolean;
  /** Whether the same request must not be sent again to see the rest: a write, or a `select` with a mistake. */
  readonly isOnce: boolean;
  /** Whether the reader goes on where the view ends. */
  readonly isReadOn?: boolean;
  /** Gives what is shown first; called where not all of the body is shown. */
  readonly describeAim?: () => Aim;
  /** Whether a note reports a mistake in the `select`. */
  readonly hasMistake?: boolean;
  readonly context: CallContext;
  readonly deadline: Deadline;
}

/** The members of an answer that is shown in part, without its lists: as in each, because the letters of an id would make the same input give
 * different bytes. */
const partFrame = `"shortened":{"id":"r_${"0".repeat(16)}","tokens":1000000,"shownTokens":10000,"omitted":[],"try":[]}`;
/** Its cost by our own estimate: another counter may count more. */
const leastFrameTokens = 50;
/** Rows of CSV repeat its header in each: where they are too many, the text itself may fit. */
const csvNote =
  "`data` is the CSV as received; `select` reads it as a list of objects with the names of its header.";
/** A body of fewer tokens is not kept for the sake of what a `select` left out. */
const leastKeptTokens = 500;
/** A text of more than this many characters is counted by its first part. */
const sampleCharacters = 20_000;

/** Puts a document into an answer, as far as its budget goes; keeps the whole body when a part of it is not shown. */
export function fillAnswer(
  services: AnswerServices,
  envelope: Answer,
  limit: number,
  input: Omit<ShowInput, "maxTokens"> & { readonly maxTokens?: number },
): Answer | Promise<Answer> {
  const { countTokens } = services.answers;
  const { document, maxTokens: asked = limit } = input;
  const fitted = fitAnswer(envelope, limit, countTokens);
  const small = writeIfFits(document, Math.min(asked, leaveAtLeast(fitted, limit)), () => Infinity);
  const maxTokens =
    small === undefined ? Math.min(asked, countLeft(fitted, limit, countTokens)) : asked;
  const data = small ?? writeIfFits(document, maxTokens, countTokens);
  const all = { ...input, maxTokens };
  const showing = data === undefined ? showPart(services, all) : showAll(services, all, data);
  return applyWhenReady(showing, ({ notes: own, ...shown }) => {
    const notes = [...(fitted.notes ?? []), ...own];
    return Object.assign({}, fitted, shown, { notes });
  });
}

function showAll(
  services: AnswerServices,
  input: ShowInput,
  data: string,
): ShownBody | Promise<ShownBody> {
  const { isPart, isOnce, hasMistake = false, maxTokens, whole } = input;
  // A part as long as the body is the whole body.
  const isRest = isPart && data.length < whole.text.length;
  if (!isRest) return { data, notes: [] };
  const tokens = countTextTokens(whole.text, services.answers.countTokens);
  // The id of a small body costs more than it is worth, unless a mistake hid what a write answered.
  const isWorthKeeping = tokens >= leastKeptTokens || (isOnce && hasMistake);
  const isRestLost = isWorthKeeping && (isOnce || tokens > maxTokens);
  if (!isRestLost) return { data, notes: [] };
  return keep(services, input).then((kept) => ({ data, ...kept }));
}

async function showPart(services: AnswerServices, input: ShowInput): Promise<ShownBody> {
  const { kind, isPart, maxTokens, whole } = input;
  const { countTokens } = services.answers;
  const { select } = input.request;
  const csv =
    kind === "csv" && !isPart ? writeIfFits(whole.text, maxTokens, countTokens) : undefined;
  if (csv !== undefined) return { data: csv, notes: [csvNote] };
  const { view, omitted, summary, ...proposed } = await makeSmall(services, input);
  const { kept: id, notes } = await keep(services, input);
  // A proposed query is about what was shown; on the whole body it comes after the `select` that gave that.
  const proposals = proposed.try.map((query) =>
    select === undefined ? query : `${select} | ${query}`,
  );
  const taken = countFrame(countTokens) + countTokens(view) + countTokens(JSON.stringify(omitted));
  const queries = keepWithin(proposals, maxTokens - taken, countTokens);
  const shortened: Shortened = {
    id,
    tokens: countTextTokens(whole.text, countTokens),
    shownTokens: Math.ceil(countTokens(view)),
    omitted,
    try: queries.length === 0 ? undefined : queries,
  };
  return { data: view, shortened, notes, summary };
}

function countFrame(countTokens: CountTokens): number {
  return Math.max(leastFrameTokens, countTokens(partFrame));
}

/** Tokens of a text; those of a long one from its beginning, in proportion. */
function countTextTokens(text: string, countTokens: CountTokens): number {
  const sample = text.slice(0, sampleCharacters);
  return Math.ceil((countTokens(sample) * text.length) / Math.max(1, sample.length));
}

async function keep(
  { answers: { readApiResponse }, kept }: AnswerServices,
  { whole, keptId, context }: ShowInput,
): Promise<Pick<ShownBody, "kept" | "notes">> {
  if (keptId !== undefined || !readApiResponse) return { kept: keptId, notes: [] };
  const { id, why } = await kept.keep(whole, context);
  return { kept: id, notes: why === undefined ? [] : [why] };
}

async function makeSmall(
  { host, answers: { countTokens, summarizer } }: AnswerServices,
  { document, kind, request, maxTokens, isReadOn, describeAim, deadline }: ShowInput,
): Promise<Summary> {
  const { source } = request;
  const task: SummarizerInput = {
    document,
    kind,
    maxTokens: Math.max(1, maxTokens - countFrame(countTokens)),
    countTokens,
    isReadOn,
    request: { ...request, ...describeAim?.() },
  };
  // The built-in summarizer does no I/O: the response has arrived, so it needs no signal.
  if (summarizer === undefined) return projectLarge(task);
  const summarize = async (): Promise<Summary> => {
    const summary = await summarizer.summarize({ ...task, signal: deadline.signal });
    checkUsable(summary);
    return summary;
  };
  try {
    const asked = { what: "The application's summarizer", source };
    const summary = await host.application.ask(asked, summarize, deadline.race);
    if (countTokens(summary.view) <= maxTokens) return summary;
    host.logger.warn("The summarizer went over its budget; the projection is shown.", { source });
  } catch (error) {
    // The summarizer's failure is reported; the answer has the projection in its place.
    if (isCancelled(deadline.signal)) throw error;
  }
  return projectLarge(task);
}

/** A summarizer of the application's own may return anything; the answer stays one valid document all the same. */
function checkUsable({ view, omitted, try: queries, summary = "" }: Summary): void {
  JSON.parse(view);
  JSON.stringify(omitted);
  if (Array.isArray(omitted) && Array.isArray(queries) && typeof summary === "string") return;
  throw new TypeError("A summary has view, omitted and try.");
}
