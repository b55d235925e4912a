/** The default summarizer: a projection of the body within a budget, what it leaves out, and queries that get it. */

import type { JsonDocument } from "./json-document.js";
import { clipAtGrapheme, clipAtLine, clipMark } from "./shrink/clip-string.js";
import { hasMoreScalars } from "./shrink/count-scalars.js";
import { findOmissions } from "./shrink/describe-omissions.js";
import { fitOmissions } from "./shrink/fit-omissions.js";
import type { Plan } from "./shrink/plan.js";
import { planShape } from "./shrink/plan-view.js";
import { proposeQueries } from "./shrink/propose-queries.js";
import { sampleShape } from "./shrink/sample-shape.js";
import type { Shape } from "./shrink/shape.js";
import { type WrittenView, writeView } from "./shrink/write-view.js";
import { writeWhole } from "./shrink/write-whole.js";
import type { CountTokens, Omission, Summarizer, SummarizerInput, Summary } from "./summary.js";

/** Part of the budget kept for what is left out and what to try, and its bounds in tokens. */
const reserve = { part: 0.11, least: 60, most: 420 } as const;
const mostRounds = 7;
/** A view this full is not written again. */
const fullEnough = 0.93;
/** No row is shown with fewer tokens. */
const tokensOfRow = 4;
/** Plans come out a little smaller than planned. */
const firstGuess = 1.05;
/** After this many rounds a view that is somewhat full will do. */
const patience = { rounds: 3, full: 0.86 } as const;
const charactersPerToken = 16;
/** Bodies with more scalars than this times the budget are not even tried whole. */
const leastTokensOfScalar = 1.2;

interface Draft {
  readonly plan: Plan;
  readonly written: WrittenView;
  readonly tokens: number;
}

/**
 * Makes the deterministic summarizer: every value of its view stands at the same path in the body, strings may be clipped,
 * arrays and maps keep a beginning, records lose fields, the least telling first. It looks at a sample, so its cost follows the
 * budget. A body that fits is given whole.
 */
export function projectionSummarizer(): Summarizer {
  return { summarize };
}

function summarize(input: SummarizerInput): Summary {
  const whole = writeIfFits(input.document, input.maxTokens, input.countTokens);
  if (whole !== undefined) return { view: whole, omitted: [], try: [] };
  const shape = sampleShape(input.document.value, {
    numberMark: input.document.numberMark,
    baseUrl: input.request.baseUrl,
    maxRows: Math.ceil(input.maxTokens / tokensOfRow),
  });
  const kept = Math.min(reserve.most, Math.max(reserve.least, Math.floor(input.maxTokens * reserve.part)));
  const draft = fillBudget(input, shape, input.maxTokens - kept);
  return draft === undefined ? summarizeNothing(input) : describe(input, draft);
}

/** The whole body, as long as it stays within the budget. */
function writeIfFits(
  document: JsonDocument,
  maxTokens: number,
  countTokens: CountTokens,
): string | undefined {
  if (hasMoreScalars(document.value, maxTokens * leastTokensOfScalar)) return undefined;
  let tokens = 0;
  const text = writeWhole(document, (piece) => {
    tokens += countTokens(piece);
    return tokens <= maxTokens * 1.02 + 2;
  });
  return text !== undefined && countTokens(text) <= maxTokens ? text : undefined;
}

/** Plans and writes until the budget is nearly full; each round corrects the last one's estimate. */
function fillBudget(input: SummarizerInput, shape: Shape, target: number): Draft | undefined {
  let best: Draft | undefined;
  let budget = target * firstGuess;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds; round += 1) {
    const plan = planShape(shape, budget);
    const written = writeView(input.document, plan, target * charactersPerToken + 2_000);
    const tokens = written === undefined ? target * 3 : input.countTokens(written.text);
    if (written !== undefined && tokens <= target) {
      if (best === undefined || tokens > best.tokens) best = { plan, written, tokens };
      low = Math.max(low, budget);
      if (tokens >= target * fullEnough) break;
      if (round >= patience.rounds && best.tokens >= target * patience.full) break;
    } else high = Math.min(high, budget);
    budget = nextBudget({ budget, low, high, ratio: target / Math.max(1, tokens) });
    if (budget < 1 || high - low < 1) break;
  }
  return best;
}

/** The budget that would have filled the target, between the largest that fits and the smallest that does not. */
function nextBudget(known: { budget: number; low: number; high: number; ratio: number }): number {
  const wanted = known.budget * Math.min(4, known.ratio * 0.985);
  if (known.high === Number.POSITIVE_INFINITY) return Math.max(wanted, known.low * 1.03);
  const span = known.high - known.low;
  return Math.min(known.high - span * 0.1, Math.max(known.low + span * 0.15, wanted));
}

function describe(input: SummarizerInput, { plan, written, tokens }: Draft): Summary {
  const { document, countTokens, maxTokens, runSelect } = input;
  const proposals = proposeQueries({
    document,
    plan,
    tallies: written.tallies,
    runSelect,
    fits: (result) => writeIfFits(result, maxTokens, countTokens) !== undefined,
  });
  const findings = findOmissions(document, plan, written);
  let left = maxTokens - tokens - overhead;
  const omittedTokens = left - Math.min(left / 2, countTokens(JSON.stringify(proposals)));
  const omitted = fitOmissions(findings, Math.min(omittedTokens, reserve.most), countTokens);
  left -= countTokens(JSON.stringify(omitted));
  return { view: written.text, omitted, try: takeWhile(proposals, left, countTokens) };
}

/** Tokens of the keys around the view, the omissions and the queries. */
const overhead = 6;

function takeWhile(proposals: readonly string[], maxTokens: number, countTokens: CountTokens): string[] {
  const taken: string[] = [];
  for (const proposal of proposals) {
    if (countTokens(JSON.stringify([...taken, proposal])) <= maxTokens) taken.push(proposal);
  }
  return taken;
}

/** What is left when no plan fits: the body's outermost brackets, or a beginning of its text. */
function summarizeNothing({ document, maxTokens, countTokens }: SummarizerInput): Summary {
  const { value } = document;
  if (typeof value === "string") {
    let length = Math.min(value.length, maxTokens * 4);
    let view = JSON.stringify(clipMark);
    for (; length >= 1; length = Math.floor(length * 0.7)) {
      view = JSON.stringify(clipAtLine(value, length) + clipMark);
      if (countTokens(view) <= maxTokens * 0.8) break;
    }
    const shown = clipAtGrapheme(value, length).length;
    return { view, omitted: [{ path: "@", shown, of: value.length, about: "string, characters" }], try: [] };
  }
  const of = value === null || typeof value !== "object" ? 1 : Object.keys(value).length;
  const omitted: Omission[] = [
    { path: "@", shown: 0, of, about: Array.isArray(value) ? "elements" : "keys" },
  ];
  return { view: Array.isArray(value) ? "[]" : "{}", omitted, try: [] };
}
