/** The questions of one run of code: calls, descriptions, kept responses, files and sleeps; counted, bounded, and so many at a time. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { CodeCalls } from "../../core/answer/answer.js";
import { writeContent } from "../../core/answer/outcome.js";
import type { CallError } from "../../core/base/errors.js";
import { isAbsent } from "../../core/base/input.js";
import type { CallContext } from "../../core/base/runtime.js";
import { clipText } from "../../core/base/text.js";
import type { Redactor } from "../../core/secrets/redactor.js";
import type { UntypedClient } from "../../toolkit/client/source-client.js";
import { createCodeApproval } from "./code-approval.js";
import { measureRun, Places, RunPause, runPlaces, wholeSize } from "./places.js";
import {
  isSleep,
  type Question,
  readForCode,
  readQuestion,
  refuse,
  refuseSource,
  writeQuestion,
} from "./questions.js";
import type { RunningCode } from "./running-code.js";
import type { CodeReply } from "./sandbox-messages.js";

/** The sums of a run's calls. */
export interface CallTotals extends Omit<CodeCalls, "allowed"> {
  /** How many of those sent were not a GET. */
  readonly writes: number;
  /** How long it slept and waited, of the time that does not count. */
  readonly pausedMs: number;
}

/** A reply, and the bytes of a file that the call has kept beside it. */
interface Made extends CodeReply {
  readonly fileBytes?: number;
}

type CountedQuestion = Exclude<Question, { readonly is: "sleep" }>;

/** Takes a reply to the code; settles when it was taken. */
type Give = (reply: CodeReply) => Promise<void>;

/** The most that one run may receive in all, in characters. */
const maxReceived = 100_000_000;
const tooMuch = `this run has received ${maxReceived / 1e6} MB, the maximum: request less, or continue in the next run`;
/**
 * The most that the calls under way of all runs may hold, in characters: so much is parsed in half a second, and answers may arrive at the same
 * moment. A run has as much of it as of the memory of all runs. How large an answer will be is not known: the largest of the run so far is
 * expected again.
 */
const maxUnderWay = 8_000_000;
/** A run begins with so many calls at a time, and has as many more with each answer. */
const firstPlaces = 2;

export class CallDesk {
  readonly #run: RunningCode;
  /** Knows the secrets of the toolkit and of each call: one search of a text, however many sources there are. */
  #redactor: Redactor;
  readonly #places: Places;
  readonly #pause: RunPause;
  #totals: { -readonly [Name in keyof CallTotals]: number } = {
    used: 0,
    sent: 0,
    failed: 0,
    requests: 0,
    waitedMs: 0,
    writes: 0,
    pausedMs: 0,
  };
  #failure: string | undefined;
  #received = 0;
  #isFull = false;
  #largest = 0;
  /** The calls that have no reply yet. */
  readonly #unanswered = new Set<{ readonly text: string; isCounted: boolean }>();
  #turn: Promise<unknown> = Promise.resolve();
  #decision: Promise<unknown> = Promise.resolve();

  constructor(run: RunningCode) {
    this.#run = run;
    this.#redactor = run.runtime.secrets.redactor();
    this.#places = new Places(Math.min(run.settings.concurrency, firstPlaces));
    this.#pause = new RunPause(run);
  }

  /** As they are when nothing is under way: a call without a reply is made again after a decision. */
  get totals(): CallTotals {
    const counted = [...this.#unanswered].filter(({ isCounted }) => isCounted);
    const used = this.#totals.used - counted.length;
    return { ...this.#totals, used, pausedMs: this.#pause.pausedMs };
  }

  /** The counts in the answer of the run. */
  get calls(): CodeCalls {
    const { used, sent, failed, requests, waitedMs } = this.#totals;
    return { used, allowed: this.#run.settings.maxCalls, sent, failed, requests, waitedMs };
  }

  /** How the last call that failed did so, and what to do; redacted. */
  showFailure(): string | undefined {
    return this.redact(this.#failure);
  }

  /** Counts what an earlier part of the run did. */
  resume(totals: CallTotals): void {
    this.#totals = { ...totals };
    this.#pause.resume(totals.pausedMs);
  }

  /** The calls that have no reply yet, as the code wrote them. */
  get unanswered(): string[] {
    return [...this.#unanswered].map(({ text }) => writeQuestion(readQuestion(text)));
  }

  /**
   * Answers a question in its turn. Rejects with what interrupts the run, with a RunProblem that ends it, and when it is cancelled.
   *
   * @param others - What comes before it.
   */
  async answer(
    text: string,
    context: CallContext,
    give: Give,
    others?: Promise<void>,
  ): Promise<void> {
    const asked = { text, isCounted: false };
    if (!isSleep(text)) this.#unanswered.add(asked);
    try {
      // All questions arrive at once, and reading one takes time: each has a turn of the event loop for itself.
      this.#turn = this.#turn.then(() => nextTurn());
      await this.#turn;
      if (others !== undefined) await others;
      if (context.signal?.aborted === true) return;
      const question = readQuestion(text);
      if (question.is === "sleep") return await give(await this.#pause.sleep(question.ms, context));
      asked.isCounted = this.#totals.used < this.#run.settings.maxCalls;
      this.#totals.used += Number(asked.isCounted);
      // Arguments are copied and checked member by member: they cost more than the text of an answer.
      this.#largest = Math.max(this.#largest, 4 * text.length);
      await this.#places.enter(1);
      try {
        // Each is handed over in its place: large replies wait here, not in the thread's queue.
        await this.#hand(
          asked.isCounted ? await this.#make(question, context) : this.#refuseMore(),
          give,
        );
      } finally {
        this.#places.leave(1);
      }
    } finally {
      this.#unanswered.delete(asked);
    }
  }

  #refuseMore(): CodeReply {
    return refuse(`this run has made ${this.#run.settings.maxCalls} calls, the maximum (maxCalls)`);
  }

  async #hand({ fileBytes = 0, ...reply }: Made, give: Give): Promise<void> {
    const { settings } = this.#run;
    const length = reply.text.length + fileBytes;
    this.#largest = Math.max(this.#largest, length);
    const share = (maxUnderWay * measureRun(settings)) / runPlaces.used;
    this.#places.most = Math.min(
      settings.concurrency,
      this.#places.most + firstPlaces,
      share / this.#largest,
    );
    this.#isFull ||= this.#received + length > maxReceived;
    if (this.#isFull) return give(refuse(tooMuch));
    this.#received += length;
    await give(reply);
  }

  async #make(question: CountedQuestion, context: CallContext): Promise<Made> {
    if (this.#isFull) return refuse(tooMuch);
    if (question.is !== "call")
      return readForCode(question, this.#run, this.#findRedactor(), context);
    const client = this.#run.clients.find(({ source }) => source.slug === question.source);
    if (client === undefined) return refuseSource(question);
    const { wait, until } = question.input;
    const call = (): Promise<Made> => this.#call(client, question.input, context);
    return isAbsent(wait) && isAbsent(until) ? call() : this.#pause.during(call);
  }

  /** Work of a call that gives its place up for it: one after the other, with nothing under way meanwhile. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#places.leave(1);
    const decision = this.#decision.then(async () => {
      await this.#places.enter(wholeSize);
      try {
        return await work();
      } finally {
        this.#places.leave(wholeSize - 1);
      }
    });
    // A reason that interrupts one call ends the run, and the calls that wait.
    this.#decision = decision;
    decision.catch(() => {});
    return decision;
  }

  /** A call that gives its place up while it waits. */
  async aside<Result>(work: Promise<Result>): Promise<Result> {
    this.#places.leave(1);
    try {
      return await work;
    } finally {
      await this.#places.enter(1);
    }
  }

  /** Waits for the calls that are under way; those that have not begun never do. */
  async close(): Promise<void> {
    await this.#turn;
    this.#places.drop();
    await this.#places.enter(wholeSize);
  }

  #findRedactor(): Redactor {
    this.#redactor = this.#redactor.join(this.#run.runtime.secrets.redactor());
    return this.#redactor;
  }

  /** Replaces every secret that the toolkit and the calls know. */
  redact<Value>(value: Value): Value {
    return this.#findRedactor().redact(value);
  }

  async #call(
    client: UntypedClient,
    { raw, ...input }: Record<string, unknown>,
    context: CallContext,
  ): Promise<Made> {
    const options = {
      checkApproval: createCodeApproval(this.#run, (work) => this.aside(work)),
      isRaw: raw === true,
    };
    const made = await client.callWhole(input, context, options);
    const { ok, answer, artifact, redactor, rowsAt, areMembers, lists } = made;
    this.#redactor = this.#redactor.join(redactor);
    const { attempts = 0 } = artifact;
    const totals = this.#totals;
    const isSent = attempts > 0;
    totals.sent += Number(isSent);
    if (isSent) this.#run.madeOf.add(client.source.slug);
    totals.failed += Number(!ok);
    if (answer.error !== undefined) this.#failure = describeFailure(artifact.request, answer.error);
    totals.requests += attempts;
    totals.waitedMs += answer.waited?.ms ?? 0;
    totals.writes += Number(isSent && artifact.request?.startsWith("GET ") === false);
    const where = JSON.stringify({ rowsAt, areMembers, lists });
    const text = `{"ok":${ok},"where":${where},${writeContent(answer, redactor).slice(1)}`;
    return { text, isRefused: false, fileBytes: artifact.file?.bytes ?? 0 };
  }
}

/** Before it is redacted. */
function describeFailure(request: string | undefined, { message, hint }: CallError): string {
  const said = clipText(message, 400).replace(/[.!?]?$/, ".");
  return [`${request ?? "A call"} failed: ${said}`, hint].filter(Boolean).join(" ");
}
