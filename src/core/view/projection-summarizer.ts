/** The default summarizer: the document down to the rank that the budget pays for, what that leaves out, and queries that get it. */

import { ExactNumber } from "../base/exact-number.js";
import { clipAtLine, clipMark } from "../base/text.js";
import { keepWithin, writeIfFits } from "./count-tokens.js";
import { findOmissions, fitOmissions } from "./omissions.js";
import { readPlaces } from "./places.js";
import { proposeQueries } from "./propose-queries.js";
import { resolveRanks } from "./ranks.js";
import { createWordFinder } from "./searched-words.js";
import type { SummarizerInput, Summary } from "./summary.js";
import { View } from "./write-view.js";

/** Tokens for `omitted` and `try` together: a part of the budget, of a small one at least so many. */
const reserved = { part: 0.1, least: 100, most: 0.25 } as const;
/** The threshold is searched on a fixed grid: a larger budget never finds a lower one. */
const highest = 32;
const steps = 12;
/** A view of more characters for each token is not counted, but too long. */
const mostCharactersOfToken = 8;

/**
 * The deterministic summarizer. Every value has a rank, and the budget decides how far down the ranks the view goes: every value
 * of it is at the same path in the body, strings may be truncated, lists and maps keep a beginning, records lose fields. A
 * larger budget never shows less. A body that fits is given whole.
 */
export function project(input: SummarizerInput): Summary {
  const whole = writeIfFits(input.document, input.maxTokens, input.countTokens);
  return whole === undefined ? projectLarge(input) : { view: whole, omitted: [], try: [] };
}

/** The view of a body that is known not to fit. */
export function projectLarge(input: SummarizerInput): Summary {
  const { document, maxTokens, countTokens, request } = input;
  if (typeof document === "string") return summarizeText(document, input);
  // Millions of digits are one number of JSON.
  if (document instanceof ExactNumber) return summarizeText(document.text, input, "to_string(@)");
  const words = createWordFinder(request.words ?? []);
  const root = readPlaces(document, words);
  resolveRanks(root, words, request.members);
  const forRest = reserve(maxTokens);
  const target = maxTokens - forRest;
  const longest = target * mostCharactersOfToken;
  const write: Write = (threshold, left = longest, isEssentialAlone = false) =>
    new View(document, root, threshold, left, isEssentialAlone);
  const fits: Fits = (shown) => countTokens(shown) <= target;
  const view = findView(write, fits) ?? findFirstPart(write, longest, fits) ?? write(0);
  const { text, part, tallies } = view;
  const queries = keepWithin(proposeQueries(root, tallies), forRest / 2, countTokens);
  const left = forRest - countTokens(JSON.stringify(queries));
  const omitted = fitOmissions(findOmissions(root, tallies), left, countTokens);
  return { view: text ?? part ?? (Array.isArray(document) ? "[]" : "{}"), omitted, try: queries };
}

type Write = (threshold: number, left?: number, isEssentialAlone?: boolean) => View;
type Fits = (text: string) => boolean;

/** The view of the highest threshold whose text fits; undefined where none does. */
function findView(write: Write, fits: Fits): View | undefined {
  let best: View | undefined;
  // The view of the higher threshold has all of the other: two views of one length are the same.
  const judged = new Map<number, boolean>();
  findLargest(highest, (threshold) => {
    const view = write(threshold);
    if (view.text === undefined) return false;
    const isFitting = judged.get(view.text.length) ?? fits(view.text);
    judged.set(view.text.length, isFitting);
    if (isFitting) best = view;
    return isFitting;
  });
  return best;
}

/** As much as fits of the members that identify the first rows, or of all where none does. */
function findFirstPart(write: Write, longest: number, fits: Fits): View | undefined {
  for (let left = longest; left > 1; left /= 2) {
    const essential = write(0, left, true);
    const isNamed = [...essential.tallies.values()].some(({ whole }) => whole > 0);
    const view = isNamed ? essential : write(0, left);
    if (view.part !== undefined && fits(view.part)) return view;
  }
  return undefined;
}

function reserve(maxTokens: number): number {
  return Math.min(Math.max(maxTokens * reserved.part, reserved.least), maxTokens * reserved.most);
}

/** The largest threshold of the grid from 0 to `most` that fits, 0 when none does: most are in the first eighth, or soon after it. */
function findLargest(most: number, fits: (threshold: number) => boolean): number {
  let low = 0;
  let width = most / 8;
  while (low + width < most && fits(low + width)) low += width;
  for (; width > most / 2 ** steps; width /= 2) if (fits(low + width / 2)) low += width / 2;
  return low;
}

/**
 * A text is shown from its beginning to the end of a line; one of many lines, such as a log, with its last lines.
 *
 * @param subject - The expression whose slices are parts of the text. @default "" that of the document
 */
function summarizeText(
  text: string,
  { maxTokens, countTokens, isReadOn = false }: SummarizerInput,
  subject = "",
): Summary {
  const target = maxTokens - reserve(maxTokens);
  const endPart = !isReadOn && text.includes("\n") ? partOfEnd : 0;
  const longest = Math.min(text.length, target * mostCharactersOfToken);
  const cut = (length: number): CutText => cutText(text, length, endPart);
  const fits = (length: number): boolean => countTokens(writeCut(cut(length))) <= target;
  const shown = cut(findLargest(longest, fits));
  const first = shown.start.length;
  const next = `${subject}[${first}:${first + sliceLength}]`;
  if (shown.end === "") {
    const omitted = [{ path: "@", shown: first, of: text.length, about: "string, characters" }];
    return { view: writeCut(shown), omitted, try: [next, `${subject}[-${sliceLength}:]`] };
  }
  const last = text.length - shown.end.length;
  const about = `string, characters; [${first}:${last}] is left out at \`${clipMark}\``;
  const omitted = [{ path: "@", shown: first + shown.end.length, of: text.length, about }];
  return { view: writeCut(shown), omitted, try: [next] };
}

/** How much of a text of lines is its end: what went wrong is in the last lines of a log. */
const partOfEnd = 0.3;
/** Characters of a text that a proposed query takes. */
const sliceLength = 2_000;

interface CutText {
  readonly start: string;
  /** The last whole lines; empty where the last line alone is longer. */
  readonly end: string;
}

/** @param endPart - How much of `length` the end may take. */
function cutText(text: string, length: number, endPart: number): CutText {
  const start = clipAtLine(text, Math.floor(length * (1 - endPart)));
  const rest = text.slice(start.length);
  const from = Math.max(0, rest.length - Math.floor(length * endPart));
  const line = from === 0 ? 0 : rest.indexOf("\n", from - 1) + 1;
  return { start, end: endPart === 0 || line === 0 ? "" : rest.slice(line) };
}

function writeCut({ start, end }: CutText): string {
  return JSON.stringify(end === "" ? `${start}${clipMark}` : `${start}${clipMark}\n${end}`);
}
