/** A run that stops for a person goes on by doing the same again: what was answered before is answered from a journal, and not sent. */

import type { CallContext, PausableRun } from "../runtime.js";
import type { CallDesk, CallTotals, CodeReply } from "./code-calls.js";

/** What is noted of a run that stopped. */
export interface Journal {
  readonly code: string;
  /** What the clock of the sandbox said, and `state` when the run began: with the replies, all that code can depend on. */
  readonly frozenMs: number;
  readonly state: string;
  /** How many decisions were taken. */
  readonly decisions: number;
  /** The call that stopped it. */
  readonly stopped: { readonly id: number; readonly asked: string };
  readonly totals: CallTotals;
  /** In the order in which the code got them. */
  readonly replies: readonly KnownReply[];
}

interface KnownReply extends CodeReply {
  readonly id: number;
  /** What the code asked, as the sandbox wrote it. */
  readonly asked: string;
}

export interface ReplayOptions {
  readonly run: PausableRun;
  readonly start: Pick<Journal, "code" | "frozenMs" | "state">;
  readonly desk: CallDesk;
  /** Of a run that stopped before. */
  readonly journal: Journal | undefined;
  /** Rejects when it can't be kept. */
  readonly save: (journal: Journal) => Promise<void>;
}

export class Replay {
  readonly #options: ReplayOptions;
  /** What the code got so far, in this run or in the one before it. */
  readonly #replies: KnownReply[] = [];
  /** What it has to ask again before anything is sent. */
  readonly #due: KnownReply[];
  /** Those of them that it asked, with what lets the answer go. */
  readonly #asked = new Map<number, () => void>();
  readonly #live: Promise<void>;
  #goLive: () => void = () => {};
  /** Questions to a person, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #decisions = 0;
  #hasSaved = false;
  #problem: string | undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#due = [...(options.journal?.replies ?? [])];
    this.#live = new Promise((resolve) => {
      this.#goLive = resolve;
    });
    if (this.#due.length === 0) this.#goLive();
  }

  /** Why the run can't go on; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether this run, or the one before it, has left a journal. */
  get hasStopped(): boolean {
    return this.#hasSaved;
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
    const known = this.#due.find((each) => each.id === id);
    const { stopped } = this.#options.journal ?? {};
    if ((known ?? (stopped?.id === id ? stopped : undefined) ?? { asked }).asked !== asked)
      throw this.#refuse(differentRun);
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
    const ask: PausableRun["ask"] = (question, isFor) =>
      desk.aside(() => {
        const asking = this.#turn.then(async () => {
          await desk.hold();
          try {
            return await this.#ask({ id, asked }, () => run.ask(question, isFor));
          } finally {
            desk.goOn();
          }
        });
        this.#turn = asking.catch(() => {});
        return asking;
      });
    return { ...context, run: { place: `${run.place}/${id}`, ask } };
  }

  async #ask(
    stopped: Journal["stopped"],
    ask: () => ReturnType<PausableRun["ask"]>,
  ): ReturnType<PausableRun["ask"]> {
    const { journal, start, desk, save } = this.#options;
    const isBack = journal?.stopped.id === stopped.id && journal.decisions === this.#decisions;
    if (!isBack) {
      const { totals } = desk;
      const replies = this.#replies;
      this.#hasSaved = true;
      await save({ ...start, decisions: this.#decisions, stopped, totals, replies }).catch(() => {
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

/** Nobody can tell which it was. */
export const differentRun: string =
  "the run can't go on after the decision: the code did something else than before it stopped, or what it did is not known any more. Nothing was sent now";

/** A store is outside: what comes back is checked as far as it is used. */
export function parseJournal(text: string): Journal | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  return "replies" in value && Array.isArray(value.replies) && "stopped" in value && "totals" in value
    ? (value as Journal)
    : undefined;
}
