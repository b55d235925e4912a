/** Finds the view that fills a budget: a plan of the whole, with all short values of the beginning where that answers more. */

import type { JsonDocument } from "../json-document.js";
import type { CountTokens } from "../summary.js";
import { countBeginning, countPlanned, findLargest, type Lookups } from "./count-facts.js";
import type { Plan } from "./plan.js";
import { planShape } from "./plan-view.js";
import type { Shape } from "./shape.js";
import { overhang, type WrittenView, writeView } from "./write-view.js";

const mostRounds = 7;
/** A view this full is not written again. */
const fullEnough = 0.93;
/** Plans come out a little smaller than planned. */
const firstGuess = 1.05;
/** After this many rounds a view that is somewhat full will do. */
const patience = { rounds: 3, full: 0.86 } as const;
const charactersPerToken = 16;
/** A plan shows something of every table: of all together it may answer a little less than the beginning of the first. */
const nearly = 0.8;
/** Rounds to fit the beginning and a plan. */
const roundsOfBeginning = 6;

export interface Draft {
  readonly plan: Plan;
  readonly written: WrittenView;
  readonly tokens: number;
}

export interface Task {
  readonly document: JsonDocument;
  readonly countTokens: CountTokens;
  readonly shape: Shape;
  /** Tokens that the view may take. */
  readonly target: number;
}

/**
 * A plan of the whole body; where the first characters of the body would answer more lookups than that, one that shows
 * all that they would. Undefined when neither fits.
 */
export function fillBudget(task: Task): Draft | undefined {
  const planned = fillByPlan(task);
  if (planned !== undefined && isAhead(task, planned)) return planned;
  return fillFromStart(task, planned) ?? planned;
}

/** Whether a plan answers at least what as many characters of the body would: of the largest table by each label, and nearly of all. */
function isAhead({ document, shape }: Task, { plan, written }: Draft): boolean {
  const { value } = document;
  const ofPlan = countPlanned(value, plan);
  const ofCut = countBeginning(value, shape, written.text.length);
  const inLargest = findLargest(shape);
  for (const [label, lookups] of (ofCut.get(inLargest) ?? []).entries())
    if (lookups > (ofPlan.get(inLargest)?.[label] ?? 0)) return false;
  return sum(ofPlan) >= nearly * sum(ofCut);
}

/** The lookups of all tables, each by its mean label. */
function sum(lookups: Lookups): number {
  let total = 0;
  for (const byLabel of lookups.values()) for (const count of byLabel) total += count / byLabel.length;
  return total;
}

/** Plans and writes until the budget is nearly full; each round corrects the last one's estimate. */
function fillByPlan({ document, countTokens, shape, target }: Task): Draft | undefined {
  let best: Draft | undefined;
  let budget = target * firstGuess;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds; round += 1) {
    const plan = planShape(shape, budget);
    const written = writeView(document, plan, target * charactersPerToken + 2_000);
    const tokens = written === undefined ? target * 3 : countTokens(written.text);
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

/** Shows all short values of as much of the body as the view is long, and what a plan of the whole adds to that. */
function fillFromStart(
  { document, countTokens, shape, target }: Task,
  planned: Draft | undefined,
): Draft | undefined {
  let beginning =
    planned === undefined ? target * 3 : (planned.written.text.length * target) / planned.tokens;
  let budget = 0;
  let best: Draft | undefined;
  for (let round = 0; round < roundsOfBeginning && beginning >= 1; round += 1) {
    const plan = planShape(shape, budget);
    const written = writeView(document, plan, target * charactersPerToken + 2_000, beginning);
    const tokens = written === undefined ? target * 3 : countTokens(written.text);
    const covers = written !== undefined && written.text.length <= beginning + overhang;
    if (written !== undefined && covers && tokens <= target) {
      if (best === undefined || tokens > best.tokens) best = { plan, written, tokens };
      if (tokens >= target * fullEnough) break;
    }
    if (budget === 0 && tokens > target) beginning *= (target / tokens) * 0.97;
    else {
      beginning = Math.max(beginning, written?.text.length ?? 0);
      budget = Math.max(0, budget + (target - tokens) * (tokens > target ? 1.2 : 0.95));
    }
  }
  return best;
}
