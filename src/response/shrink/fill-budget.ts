/** Finds the view that fills a budget: a plan of the whole, or the body's beginning where that answers more. */

import type { JsonDocument, JsonValue } from "../json-document.js";
import type { CountTokens } from "../summary.js";
import { countFacts, type Facts } from "./count-facts.js";
import type { Plan } from "./plan.js";
import { planAll, planBeginning } from "./plan-beginning.js";
import { planShape } from "./plan-view.js";
import type { Shape } from "./shape.js";
import { type WrittenView, writeBeginning, writeView } from "./write-view.js";

const mostRounds = 7;
/** A view this full is not written again. */
const fullEnough = 0.93;
/** Plans come out a little smaller than planned. */
const firstGuess = 1.05;
/** After this many rounds a view that is somewhat full will do. */
const patience = { rounds: 3, full: 0.86 } as const;
const charactersPerToken = 16;
/** The count of questions is an estimate: a plan is kept without a second look when it answers this many times as many. */
const clearly = 1.1;
/** A view of the largest table's rows is kept when it answers at least this part in all. */
const nearly = 0.9;
const roundsOfBeginning = 4;

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
 * A plan of the whole body where that answers clearly more questions than the first characters of the body would, else
 * the better one of it and a view of the beginning. Undefined when neither fits.
 */
export function fillBudget(task: Task): Draft | undefined {
  const { document, shape } = task;
  const planned = fillByPlan(task);
  if (planned === undefined) return fillFromStart(task, planned);
  const answers = ({ text }: WrittenView): Facts => countFacts(JSON.parse(text) as JsonValue, shape);
  const ofPlan = answers(planned.written);
  const ofCut = answers(writeBeginning(document, planAll(shape), planned.written.text.length, true));
  if (compare(ofPlan, ofCut) >= clearly) return planned;
  const beginning = fillFromStart(task, planned);
  if (beginning === undefined) return planned;
  const ofBeginning = answers(beginning.written);
  const losesRows = ofBeginning.ofLargest < ofPlan.ofLargest && compare(ofPlan, ofCut) > nearly;
  return losesRows || compare(ofPlan, ofCut) >= compare(ofBeginning, ofCut) ? planned : beginning;
}

/** How many times as many questions are answered, of the largest table or of all, whichever is less. */
function compare(facts: Facts, than: Facts): number {
  const ofAll = than.all === 0 ? Number.POSITIVE_INFINITY : facts.all / than.all;
  return than.ofLargest === 0 ? ofAll : Math.min(ofAll, facts.ofLargest / than.ofLargest);
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

/** Writes the body from its start until the budget is nearly full. */
function fillFromStart(
  { document, countTokens, shape, target }: Task,
  planned: Draft | undefined,
): Draft | undefined {
  const plan = planBeginning(shape);
  let length =
    planned === undefined ? target * 3 : (planned.written.text.length / planned.tokens) * target * 0.97;
  let best: Draft | undefined;
  for (let round = 0; round < roundsOfBeginning && length >= 1; round += 1) {
    const written = writeBeginning(document, plan, length);
    const tokens = countTokens(written.text);
    if (tokens <= target && (best === undefined || tokens > best.tokens)) best = { plan, written, tokens };
    if (tokens <= target && tokens >= target * fullEnough) break;
    length = Math.min(length * 3, (length * target * 0.97) / Math.max(1, tokens));
  }
  return best;
}
