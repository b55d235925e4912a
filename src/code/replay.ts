/** A run that stops for a person goes on by doing the same again: what was answered before is answered from a journal, and not sent. */

import type { CallContext, PausableRun } from "../runtime.js";
import type { CallDesk, CallTotals, CodeReply } from "./code-calls.js";

/** What is noted of a run that stopped. */
export interface Journal extends RunStart {
  /** How many decisions were taken. */
  readonly decisions: number;
  /** The call that stopped it. */
  readonly stopped: Asked;
  readonly totals: CallTotals;
  /** In the order in which the code got them. */
  readonly replies: readonly (Asked & CodeReply)[];
}

/** With the replies, all that code can depend on. */
export interface RunStart {
  /** A hash of the code. */
  readonly code: string;
  /** What the clock of the sandbox says. */
  readonly frozenMs: number;
  readonly state: string;
}

/** A call, and what the code asked by it, as the sandbox wrote it. */
interface Asked {
  readonly id: number;
  readonly asked: string;
}

export interface ReplayOptions {
  readonly run: PausableRun;
  readonly start: RunStart;
  readonly desk: CallDesk;
  /** Of a run that stopped before. */
  readonly journal: Journal | undefined;
  /** Rejects when it can't be kept. */
  readonly save: (journal: Journal) => Promise<void>;
}

/** Nobody can tell which it was. */
export const differentRun: string =
  "the run can't go on after the decision: the code did something else than before it stopped, or what it did is not known any more. Nothing was sent now";

export class Replay {
  readonly #options: ReplayOptions;
  /** What the code got so far, in this run or in the one before it. */
  readonly #replies: Journal["replies"][number][] = [];
  /** What it has to ask again before anything is sent. */
  readonly #due: Journal["replies"][number][];
  /** Those of them that it asked, with what lets the answer go. */
  readonly #asked = new Map<number, () => void>();
  readonly #live: Promise<void>;
  #goLive: () => void = () => {};
  #decisions = 0;
  #problem: string | undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#due = [...(options.journal?.replies ?? [])];
    this.#live = new Promise((resolve) => {
      this.#goLive = resolve;
    });
    this.#letGo();
  }

  /** Why the run can't go on; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes the decisions that were used before: the next one is for the next question. */
  async takeDecisions(): Promise<void> {
    const { run, journal } = this.#options;
    for (; this.#decisions < (journal?.decisions ?? 0); this.#decisions += 1) await run.ask({}, () => true);
  }

  /** Called when the code has nothing to do, or is over: by then it must have asked for what it gets next. */
  check(isOver: boolean): void {
    const [next] = this.#due;
    if (next !== undefined && (isOver || !this.#asked.has(next.id))) this.#problem = differentRun;
  }

  /** The answer of the journal, in its turn; else that of `make`. Rejects when the code asks something else than before. */
  async answer(id: number, asked: string, make: () => Promise<CodeReply>): Promise<CodeReply> {
    const { stopped } = this.#options.journal ?? {};
    const known = this.#due.find((each) => each.id === id);
    const before = known ?? (stopped?.id === id ? stopped : undefined);
    if (before !== undefined && before.asked !== asked) throw this.#refuse(differentRun);
    if (known === undefined) {
      // Nothing is sent before everything was the same.
      await this.#live;
      const reply = await make();
      this.#replies.push({ id, asked, ...reply });
      return reply;
    }
    await new Promise<void>((resolve) => {
      this.#asked.set(id, resolve);
      this.#letGo();
    });
    return { text: known.text, isRefused: known.isRefused };
  }

  #letGo(): void {
    for (let next = this.#due[0]; next !== undefined; next = this.#due[0]) {
      const go = this.#asked.get(next.id);
      if (go === undefined) return;
      this.#replies.push(next);
      this.#due.shift();
      go();
    }
    this.#goLive();
  }

  /** The context of a live call: what it asks a person goes through the journal. */
  toContext(id: number, asked: string, context: CallContext): CallContext {
    const { run, desk } = this.#options;
    const ask: PausableRun["ask"] = (...question) =>
      desk.alone(() => this.#ask({ id, asked }, () => run.ask(...question)));
    return { ...context, run: { place: `${run.place}/${id}`, ask } };
  }

  async #ask(stopped: Asked, ask: () => ReturnType<PausableRun["ask"]>): ReturnType<PausableRun["ask"]> {
    const { journal, start, desk, save } = this.#options;
    const isBack = journal?.stopped.id === stopped.id && journal.decisions === this.#decisions;
    if (!isBack) {
      const { totals } = desk;
      const decisions = this.#decisions;
      await save({ ...start, decisions, stopped, totals, replies: this.#replies }).catch(() => {
        throw this.#refuse(
          "what the run did so far could not be noted down, so that it could not go on after the decision; nothing was sent",
        );
      });
    }
    const answered = await ask();
    // An answer at once belongs to a run that stopped here; one that nobody knows any more was another one.
    if (!isBack) throw this.#refuse(differentRun);
    this.#decisions += 1;
    return answered;
  }

  #refuse(problem: string): Error {
    this.#problem ??= problem;
    return new Error(problem);
  }
}
