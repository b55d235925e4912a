/** Finds the view that fills a budget: a plan of the whole, with all short values of the beginning where that answers more. */

import type { JsonValue } from "../json/exact-number.js";
import { countBeginning, countPlanned, findLargest, type Lookups } from "./count-facts.js";
import { estimatePlanned } from "./estimate-facts.js";
import { createPlan, type Plan } from "./plan.js";
import { planShape } from "./plan-view.js";
import type { Shape } from "./shape.js";
import type { CountTokens } from "./summary.js";
import { type WrittenView, writeView } from "./write-view.js";

const mostRounds = 7;
/** A view this full is not written again. */
const fullEnough = 0.9;
/** Plans come out a little smaller than planned. */
const firstGuess = 1.05;
/** After this many rounds a view that is somewhat full will do. */
const patience = { rounds: 3, full: 0.86 } as const;
const charactersPerToken = 16;
/** A plan shows something of every table: of all together it may answer less than the beginning of the first. */
const nearly = 0.6;
/** A plan that the sample says to answer so many times as much is not counted. */
const farAhead = 1.5;
/** Rounds to fit the beginning and a plan. */
const roundsOfBeginning = 6;
/** Any value takes more characters with its key. */
const fewestCharacters = 5;
const roundsOfFilling = 3;
/** Characters of a body looked through, to begin with, for each token that a plan leaves. */
const firstCharacters = 6;

export interface Draft {
  readonly plan: Plan;
  readonly written: WrittenView;
  readonly tokens: number;
}

export interface Task {
  readonly document: JsonValue;
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
  if (planned === undefined || !isAhead(task, planned)) return fillFromStart(task, planned) ?? planned;
  return planned.tokens >= task.target * patience.full ? planned : fillUp(task, planned);
}

/** Whether a plan answers at least what as many characters of the body would. */
function isAhead({ document, shape }: Task, { plan, written }: Draft): boolean {
  const ofCut = countBeginning(document, shape, written.text.length);
  const largest = findLargest(shape);
  return (
    leads(estimatePlanned(plan), ofCut, { largest, times: farAhead }) ||
    leads(countPlanned(document, plan), ofCut, { largest, times: 1 })
  );
}

/** Compares the largest table by each label, and all tables together. */
function leads(
  ofPlan: Lookups,
  ofCut: Lookups,
  { largest, times }: { largest: Shape; times: number },
): boolean {
  for (const [label, lookups] of (ofCut.get(largest) ?? []).entries())
    if (lookups * times > (ofPlan.get(largest)?.[label] ?? 0)) return false;
  return sum(ofPlan) >= nearly * times * sum(ofCut);
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

/** Spends what a plan leaves, where its next field would be too dear for all rows, on the short values of the first rows. */
function fillUp(task: Task, planned: Draft): Draft {
  const { document, countTokens, target } = task;
  const { plan } = planned;
  let best = planned;
  let beginning = (target - planned.tokens) * firstCharacters;
  for (let round = 0; round < roundsOfFilling; round += 1) {
    const written = writeView(document, plan, target * charactersPerToken + 2_000, beginning);
    const tokens = written === undefined ? target * 3 : countTokens(written.text);
    if (written !== undefined && tokens <= target && tokens > best.tokens) best = { plan, written, tokens };
    if (tokens <= target && tokens >= target * patience.full) break;
    const ratio = (target - planned.tokens) / Math.max(1, tokens - planned.tokens);
    beginning *= 0.95 * Math.min(8, ratio);
  }
  // A longer view is compared with more of the body.
  return best === planned || isAhead(task, best) ? best : planned;
}

/** Shows all short values of as much of the body as the view is long, and what a plan of the whole adds to that. */
function fillFromStart(
  { document, countTokens, shape, target }: Task,
  planned: Draft | undefined,
): Draft | undefined {
  let beginning =
    planned === undefined ? target * 3 : (planned.written.text.length * target) / planned.tokens;
  let budget = 0;
  let best: { draft: Draft; missed: number } | undefined;
  for (let round = 0; round < roundsOfBeginning && beginning >= 1; round += 1) {
    const plan = budget === 0 ? createPlan(shape) : planShape(shape, budget);
    const written = writeView(document, plan, target * charactersPerToken + 2_000, beginning);
    const tokens = written === undefined ? target * 3 : countTokens(written.text);
    if (written !== undefined && tokens <= target) {
      // The brackets that close the view hold no value.
      const missed = Math.max(0, written.text.length - written.covered - fewestCharacters);
      const isBetter = best === undefined || missed < best.missed || tokens > best.draft.tokens;
      if (isBetter && missed <= (best?.missed ?? missed)) best = { draft: { plan, written, tokens }, missed };
      if (missed === 0 && tokens >= target * fullEnough) break;
    }
    if (budget === 0 && tokens > target) beginning *= (target / tokens) * 0.97;
    else {
      beginning = Math.max(beginning, written?.text.length ?? 0);
      budget = Math.max(0, budget + (target - tokens) * (tokens > target ? 1.2 : 0.95));
    }
  }
  return best?.draft;
}
