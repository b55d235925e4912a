/** The default summarizer: a projection of the body within a budget, what it leaves out, and queries that get it. */

import { isJsonContainer } from "../json/exact-number.js";
import { clipAtGrapheme, clipAtLine, clipMark } from "../text.js";
import { findOmissions } from "./describe-omissions.js";
import { type Draft, fillBudget } from "./fill-budget.js";
import { fitOmissions } from "./fit-omissions.js";
import { proposeQueries } from "./propose-queries.js";
import { sampleShape } from "./sample-shape.js";
import type { CountTokens, Omission, Summarizer, SummarizerInput, Summary } from "./summary.js";
import { writeIfFits } from "./write-if-fits.js";

/** Part of the budget kept for what is left out and what to try, and its bounds in tokens. */
const reserve = { part: 0.11, least: 60, most: 420 } as const;
/** No row is shown with fewer tokens. */
const tokensOfRow = 4;

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
  const shape = sampleShape(input.document, {
    baseUrl: input.request.baseUrl,
    maxRows: Math.ceil(input.maxTokens / tokensOfRow),
  });
  const kept = Math.min(reserve.most, Math.max(reserve.least, Math.floor(input.maxTokens * reserve.part)));
  const draft = fillBudget({
    document: input.document,
    countTokens: input.countTokens,
    shape,
    target: input.maxTokens - kept,
  });
  return draft === undefined ? summarizeNothing(input) : describe(input, draft);
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
  const value = document;
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
  const of = !isJsonContainer(value) ? 1 : Object.keys(value).length;
  const omitted: Omission[] = [
    { path: "@", shown: 0, of, about: Array.isArray(value) ? "elements" : "keys" },
  ];
  return { view: Array.isArray(value) ? "[]" : "{}", omitted, try: [] };
}
