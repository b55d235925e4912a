/** The default summarizer: the document down to the rank that the budget pays for, what that leaves out, and queries that get it. */

import { clipAtLine, clipMark } from "../text.js";
import { writeIfFits } from "./count-tokens.js";
import { countNaming, findOmissions, fitOmissions } from "./omissions.js";
import { readPlaces } from "./places.js";
import { proposeQueries } from "./propose-queries.js";
import { resolveRanks } from "./ranks.js";
import type { Omission, Summarizer, SummarizerInput, Summary } from "./summary.js";
import { ViewWriter } from "./write-view.js";

/** Tokens for `omitted` and `try`: what naming every field costs, and so many for queries, up to a part of the budget. */
const reserved = { most: 0.25, queries: 110 } as const;
/** The threshold is looked for on a fixed grid: a larger budget never finds a lower one. */
const highest = 32;
const steps = 18;
/** A view of more characters for each token is not counted, but too long. */
const mostCharactersOfToken = 8;

/**
 * Makes the deterministic summarizer. Every value has a rank, and the budget decides how far down the ranks the view goes: every value
 * of it stands at the same path in the body, strings may be clipped, lists and maps keep a beginning, records lose fields. A
 * larger budget never shows less. A body that fits is given whole.
 */
export function projectionSummarizer(): Summarizer {
  return { summarize };
}

function summarize(input: SummarizerInput): Summary {
  const { document, maxTokens, countTokens } = input;
  const whole = writeIfFits(document, maxTokens, countTokens);
  if (whole !== undefined) return { view: whole, omitted: [], try: [] };
  return typeof document === "string" ? summarizeText(document, input) : summarizeTree(input);
}

function summarizeTree({ document, maxTokens, countTokens, runSelect }: SummarizerInput): Summary {
  const count = (value: unknown): number => countTokens(JSON.stringify(value));
  const root = readPlaces(document);
  resolveRanks(root);
  const naming = countNaming(findOmissions(root, new Map()), countTokens);
  const target = maxTokens - Math.min(naming + reserved.queries, maxTokens * reserved.most);
  const writer = new ViewWriter(document, root);
  const maxCharacters = target * mostCharactersOfToken;
  const threshold = findLargest(highest, (tried) => {
    const text = writer.write(tried, maxCharacters);
    return text !== undefined && countTokens(text) <= target;
  });
  const view = writer.write(threshold, maxCharacters) ?? (Array.isArray(document) ? "[]" : "{}");
  const { tallies } = writer;
  const left = maxTokens - countTokens(view);
  const fits = (result: SummarizerInput["document"]): boolean =>
    writeIfFits(result, maxTokens, countTokens) !== undefined;
  const proposals = proposeQueries(root, tallies, runSelect, fits);
  const findings = findOmissions(root, tallies);
  const forOmitted = Math.min(
    left - count(proposals.slice(0, 2)),
    Math.max(left - count(proposals), countNaming(findings, countTokens)),
  );
  const omitted = fitOmissions(findings, forOmitted, countTokens);
  const forQueries = left - count(omitted);
  const queries = proposals.filter((_, index) => count(proposals.slice(0, index + 1)) <= forQueries);
  return { view, omitted, try: queries };
}

/** The largest threshold of the grid from 0 to `most` that fits; 0 when none does. */
function findLargest(most: number, fits: (threshold: number) => boolean): number {
  let low = 0;
  for (let width = most / 2, step = 0; step < steps; step += 1, width /= 2) {
    if (fits(low + width)) low += width;
  }
  return low;
}

/** A text is shown from its beginning to the end of a line. */
function summarizeText(text: string, { maxTokens, countTokens }: SummarizerInput): Summary {
  const target = maxTokens - Math.min(reserved.queries, maxTokens / 4);
  const show = (length: number): string => JSON.stringify(clipAtLine(text, length) + clipMark);
  const longest = Math.min(text.length, target * mostCharactersOfToken);
  const length = findLargest(longest, (tried) => countTokens(show(tried)) <= target);
  const shown = clipAtLine(text, length).length;
  const goesOn = JSON.stringify(text.slice(shown, shown + 60).trim());
  const about = `string, characters; goes on with ${goesOn}`;
  const omitted: Omission[] = [{ path: "@", shown, of: text.length, about }];
  return { view: show(length), omitted, try: [`[${shown}:${shown + 2_000}]`, "length(@)"] };
}
