/** The calls of one run of code: made by the clients, so many at a time, and counted. */

import type { Gate, GatedCall, Passage } from "../approval/gate.js";
import { type CodeCalls, writeAnswer } from "../client/answer.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { SourceClient } from "../client/create-source-client.js";
import { loadKeptWhole } from "../client/show-whole.js";
import { ApiSourceError } from "../errors.js";
import type { DescribeInput } from "../map/describe-api.js";
import type { CallContext } from "../runtime.js";
import { quoteText } from "../text.js";

/** What code may do beside reading. */
export type Writes = "refuse" | "approve" | "allow";

export interface CodeCallsOptions {
  readonly clients: readonly SourceClient[];
  readonly runtime: ClientRuntime;
  readonly writes: Writes;
  readonly maxCalls: number;
  readonly concurrency: number;
  /** Told when a call begins and ends to wait for a person, whose time does not count. */
  readonly onWait: (isWaiting: boolean) => void;
}

/** What a call of code resolves to: JSON text, or the message of its error. */
export interface CodeReply {
  readonly text: string;
  readonly isRefused: boolean;
}

/** What is told of a run's calls. */
export interface CallTotals extends Required<CodeCalls> {
  /** How many of those sent were no GET. */
  readonly writes: number;
}

/** Asks for one call: text that the sandbox wrote. */
interface Question {
  readonly source?: string;
  readonly input?: { readonly method?: unknown };
  readonly kept?: unknown;
  /** What is asked of the source's endpoints. */
  readonly describe?: DescribeInput;
}

export class CallDesk {
  readonly #options: CodeCallsOptions;
  readonly #queue: (() => void)[] = [];
  #totals: CallTotals = { sent: 0, failed: 0, waitedMs: 0, requests: 0, writes: 0 };
  /** By source: it hides what its last call knew of secrets. */
  readonly #redactors = new Map<string, (text: string) => string>();
  #asked = 0;
  #running = 0;
  #isHeld = false;
  readonly #whenQuiet: (() => void)[] = [];

  constructor(options: CodeCallsOptions) {
    this.#options = options;
  }

  get totals(): CallTotals {
    return this.#totals;
  }

  /** Counts what an earlier part of the run sent. */
  resume(totals: CallTotals): void {
    this.#totals = totals;
    this.#asked = totals.sent;
  }

  /** How many calls have no answer yet. */
  get unanswered(): number {
    return this.#running + this.#queue.length;
  }

  /** Makes a call in its turn. Rejects with what interrupts the run, and when it is cancelled. */
  async make(text: string, context: CallContext): Promise<CodeReply> {
    const { source, input, kept, describe }: Question = JSON.parse(text);
    await this.#enter();
    try {
      if (source === undefined) return await this.#load(kept, context);
      if (describe !== undefined) return await this.#describe(source, describe, context);
      this.#asked += 1;
      const { maxCalls } = this.#options;
      if (this.#asked > maxCalls)
        return { text: `this run has made ${maxCalls} calls (maxCalls), which is the most`, isRefused: true };
      return await this.#call(source, input, context);
    } finally {
      this.#leaveWire();
      this.#startNext();
    }
  }

  /** Work of a call that is not on the wire meanwhile. */
  async aside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#leaveWire();
    try {
      return await work();
    } finally {
      this.#running += 1;
    }
  }

  /** Lets nothing start until `goOn`, and waits for what is on the wire. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    if (this.#running > 0)
      await new Promise<void>((resolve) => {
        this.#whenQuiet.push(resolve);
      });
  }

  goOn(): void {
    this.#isHeld = false;
    this.#startNext();
  }

  /** Waits for the calls that are on the wire; those that have not begun never do. */
  async close(): Promise<void> {
    this.#queue.length = 0;
    await this.hold();
  }

  /** Hides every secret that the toolkit and the calls know. */
  redact(text: string): string {
    const known = this.#options.runtime.secrets.redactor().redact(text);
    return [...this.#redactors.values()].reduce((left, redact) => redact(left), known);
  }

  async #load(id: unknown, context: CallContext): Promise<CodeReply> {
    const text = await loadKeptWhole(this.#options.runtime, String(id), context);
    if (text !== undefined) return { text, isRefused: false };
    return { text: `there is no kept response ${quoteText(String(id), 40)} here`, isRefused: true };
  }

  async #describe(source: string, input: DescribeInput, context: CallContext): Promise<CodeReply> {
    const client = this.#options.clients.find((each) => each.source.slug === source);
    try {
      return { text: JSON.stringify((await client?.describe(input, context)) ?? null), isRefused: false };
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      return { text: this.redact(`${error.message} ${error.hint}`), isRefused: true };
    }
  }

  async #call(source: string, input: Question["input"], context: CallContext): Promise<CodeReply> {
    const client = this.#options.clients.find((each) => each.source.slug === source);
    if (client === undefined) return { text: `there is no source ${quoteText(source, 64)}`, isRefused: true };
    const gate = this.#gate();
    const outcome = await client.callWhole(input, context, gate === undefined ? {} : { gate });
    const { ok, answer, artifact, redact } = outcome;
    this.#redactors.set(source, redact);
    const { attempts = 0 } = artifact;
    const { sent, failed, waitedMs, requests, writes } = this.#totals;
    const isSent = attempts > 0;
    this.#totals = {
      sent: sent + Number(isSent),
      failed: failed + Number(!ok),
      waitedMs: waitedMs + (answer.waited?.ms ?? 0),
      requests: requests + attempts,
      writes: writes + Number(isSent && artifact.request?.startsWith("GET ") === false),
    };
    return { text: `{"ok":${ok},${redact(writeAnswer(answer)).slice(1)}`, isRefused: false };
  }

  /** Whom a call must pass: writes are refused, or decided by a person; what the toolkit asks about is asked in any case. */
  #gate(): Gate | undefined {
    const { runtime, writes, onWait } = this.#options;
    const asking = runtime.gate ?? (writes === "approve" ? runtime.openGate("writes") : undefined);
    if (writes === "allow" && asking === undefined) return undefined;
    return async (call) => {
      if (writes !== "approve" && writes !== "allow") refuseWrite(call);
      if (asking === undefined) return undefined;
      onWait(true);
      try {
        // The gate itself pauses the call's deadline for an approver.
        const passing = asking(call);
        return await (call.context.run === undefined
          ? passing
          : call.deadline.pause<Passage | undefined>(passing));
      } finally {
        onWait(false);
      }
    };
  }

  async #enter(): Promise<void> {
    if (this.#isHeld || this.#running >= this.#options.concurrency)
      await new Promise<void>((resolve) => {
        this.#queue.push(resolve);
      });
    this.#running += 1;
  }

  #leaveWire(): void {
    this.#running -= 1;
    if (this.#running === 0) for (const tell of this.#whenQuiet.splice(0)) tell();
  }

  #startNext(): void {
    if (!this.#isHeld && this.#running < this.#options.concurrency) this.#queue.shift()?.();
  }
}

function refuseWrite({ source, built: { method, url } }: GatedCall): void {
  if (method === "GET") return;
  throw new ApiSourceError({
    message: `Code may only read here: ${method} ${url.path} was not sent.`,
    category: "refused_by_policy",
    code: "writes_refused",
    hint: `Use the tool ${source.slug} itself for a write, or have run_api_code made with writes: "approve".`,
  });
}
