/** A run that stops for a person goes on by doing the same again: what was answered before is answered from a replay log, and not sent. */

import type { CallContext, PausableRun } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import type { CallDesk, CallTotals } from "./code-calls.js";
import { codeToolName, type RunningCode, RunProblem } from "./running-code.js";
import type { Asked, CodeReply, SandboxJob } from "./sandbox-messages.js";

/** The call whose question stopped a run, and whether that was about the program as a whole. */
interface Stopped extends Asked {
  readonly isAboutProgram: boolean;
}

/** The record of a run that stopped. It and the replies are all that code can depend on. */
interface Stop {
  /** A hash of the code. */
  readonly code: string;
  /** The time of the clock of the sandbox. */
  readonly frozenMs: number;
  readonly state: string;
  /** In the order in which the code received them. */
  readonly replies: readonly (Asked & CodeReply)[];
  readonly stopped: Stopped;
  /** The flows that a person opened for the run, under the name by which stores keep them. */
  readonly ways: readonly string[];
  /** How many decisions were taken. */
  readonly decisions: number;
  readonly totals: CallTotals;
}

export const differentRun: string =
  "the run can't continue after the decision: the code behaved differently than before it stopped. Nothing was sent now";

const unknownRun =
  "the run can't continue after the decision: this process has no record of the run. The application must set the option responseStore to a store that all its processes share. Nothing was sent now";

/** The most that a run may have received before a person decides, in characters: all of it is recorded, and read again after the decision. */
const maxNoted = 10_000_000;

export class ReplayLog {
  readonly #running: RunningCode;
  readonly #desk: CallDesk;
  readonly #run: PausableRun;
  readonly #name: string;
  /** The record of the run that stopped here before. */
  #before: Stop | undefined;
  #start: Pick<Stop, "code" | "frozenMs" | "state"> | undefined;
  readonly #replies: (Asked & CodeReply)[] = [];
  #characters = 0;
  #decisions = 0;
  #isNoted = false;
  #endTurn: () => void = () => {};
  /** Over when the call at which the run stopped before has its reply. */
  #turn: Promise<void> | undefined;

  constructor(running: RunningCode, desk: CallDesk, run: PausableRun) {
    this.#running = running;
    this.#desk = desk;
    this.#run = run;
    this.#name = `${codeToolName} ${run.place}`;
  }

  /**
   * Reads what was recorded.
   *
   * @returns what the code begins with: that of the run before, where there was one
   * @throws RunProblem where what was noted can't be read, or is of other code.
   */
  async open(loadState: () => Promise<string>): Promise<Omit<SandboxJob, "code">> {
    const code = hashText(this.#running.code);
    const before = await this.#load();
    if (before !== undefined && before.code !== code) throw new RunProblem(differentRun);
    const frozenMs = before?.frozenMs ?? this.#running.runtime.host.clock.now();
    const state = before?.state ?? (await loadState());
    this.#start = { code, frozenMs, state };
    if (before === undefined) return { frozenMs, state, before: [] };
    this.#before = before;
    this.#turn = new Promise((resolve) => {
      this.#endTurn = resolve;
    });
    this.#decisions = before.decisions;
    this.#isNoted = true;
    this.#desk.resume(before.totals);
    for (const flow of before.ways) this.#running.flows.open.add(flow);
    for (const reply of before.replies) this.add(reply);
    return { frozenMs, state, before: [...before.replies, before.stopped] };
  }

  add(reply: Asked & CodeReply): void {
    if (reply.id === this.#before?.stopped.id) this.#endTurn();
    this.#characters += reply.asked.length + reply.text.length;
    // Replies that can't be recorded need not be held.
    if (this.#characters > maxNoted) this.#replies.length = 0;
    else this.#replies.push(reply);
  }

  /** A decision belongs to the call that asked for it: the others come after it, however fast they are this time. */
  turnOf({ id }: Asked): Promise<void> | undefined {
    return id === this.#before?.stopped.id ? undefined : this.#turn;
  }

  /** The context of a call: what it asks a person goes through the log. */
  toContext(call: Asked, context: CallContext): CallContext {
    const ask: PausableRun["ask"] = (question, isFor) => {
      const stopped = {
        ...call,
        isAboutProgram: Object(question["request"]).program !== undefined,
      };
      return this.#desk.alone(() => this.#ask(stopped, () => this.#run.ask(question, isFor)));
    };
    return { ...context, run: { place: `${this.#run.place}/${call.id}`, ask } };
  }

  async #ask(
    stopped: Stopped,
    ask: () => ReturnType<PausableRun["ask"]>,
  ): ReturnType<PausableRun["ask"]> {
    const { stopped: before, decisions } = { ...this.#before };
    const isSame = before?.id === stopped.id && before.isAboutProgram === stopped.isAboutProgram;
    const isBack = isSame && decisions === this.#decisions;
    if (!isBack) await this.#note(stopped);
    const answered = await ask();
    // An answer at once belongs to a run that stopped here: this one is not it.
    if (!isBack) throw new RunProblem(this.#before === undefined ? unknownRun : differentRun);
    this.#decisions += 1;
    return answered;
  }

  async #note(stopped: Stopped): Promise<void> {
    if (this.#characters > maxNoted)
      throw new RunProblem(
        `a person has to decide, but this run received more than ${maxNoted / 1e6} MB, too much to be recorded until then: read in one run, keep the needed data in state, and write in the next. The call was not sent`,
      );
    const { runtime, context, flows, madeOf } = this.#running;
    const counts = { decisions: this.#decisions, totals: this.#desk.totals };
    const known = { stopped, ways: [...flows.open], replies: this.#replies };
    const stop = { ...this.#start, ...counts, ...known };
    this.#isNoted = true;
    const noted = { text: JSON.stringify(stop), madeOf: [...madeOf] };
    await runtime.kept.note(this.#name, noted, context).catch(() => {
      throw new RunProblem(
        "the run could not be recorded, so it could not continue after the decision; nothing was sent",
      );
    });
  }

  async #load(): Promise<Stop | undefined> {
    const { runtime, context, madeOf } = this.#running;
    try {
      const kept = await runtime.kept.recall(this.#name, context);
      if (kept === undefined) return undefined;
      for (const slug of kept.madeOf) madeOf.add(slug);
      const stop: Partial<Stop> = JSON.parse(kept.text);
      // A store is outside: what comes back is checked as far as it is used.
      if (
        !Array.isArray(stop.replies) ||
        !Array.isArray(stop.ways) ||
        !stop.stopped ||
        !stop.totals
      )
        throw new Error("no replay log");
      return stop as Stop;
    } catch (error) {
      const problem = { error: runtime.host.describeError(error) };
      runtime.host.logger.warn(
        "The recorded progress of a stopped run of code could not be read.",
        problem,
      );
      throw new RunProblem(
        "the recorded progress of this run could not be read from the store; nothing was sent",
      );
    }
  }

  /** A run that is over has nothing to go on from. Where the store is down the note stays, which does no harm: it is of this run alone. */
  async close(): Promise<void> {
    const { runtime, context } = this.#running;
    if (this.#isNoted) await runtime.kept.note(this.#name, undefined, context).catch(() => {});
  }
}
