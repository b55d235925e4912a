/** The calls of one run of code: made by the clients, so many at a time, and counted. */

import type { Gate, GatedCall } from "../approval/approval.js";
import { type CodeCalls, writeAnswer } from "../client/answer.js";
import { loadKeptWhole } from "../client/call-for-code.js";
import type { SourceClient } from "../client/create-source-client.js";
import { ApiSourceError } from "../errors.js";
import type { DescribeInput } from "../map/describe-api.js";
import type { CallContext } from "../runtime.js";
import { quoteText } from "../text.js";
import type { RunningCode } from "./running-code.js";
import type { CodeReply } from "./sandbox-messages.js";

/** What is told of a run's calls. */
export interface CallTotals extends Required<CodeCalls> {
  /** How many of those sent were no GET. */
  readonly writes: number;
}

/** What code asks, as the sandbox wrote it: a call of a source, what its endpoints are, or a kept response. */
interface Question {
  readonly source?: string;
  readonly input?: unknown;
  readonly describe?: DescribeInput;
  readonly kept?: unknown;
}

export class CallDesk {
  readonly #run: RunningCode;
  /** By source: it hides what its last call knew of secrets. */
  readonly #redactors = new Map<string, (text: string) => string>();
  #totals: CallTotals = { sent: 0, failed: 0, waitedMs: 0, requests: 0, writes: 0 };
  #asked = 0;
  #unanswered = 0;
  /** Places for calls on the wire, and who waits for one. */
  #free: number;
  readonly #queue: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(run: RunningCode) {
    this.#run = run;
    this.#free = run.settings.concurrency;
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
    return this.#unanswered;
  }

  /** Makes a call in its turn. Rejects with what interrupts the run, and when it is cancelled. */
  async make(text: string, context: CallContext): Promise<CodeReply> {
    const { source, input, kept, describe }: Question = JSON.parse(text);
    this.#unanswered += 1;
    await this.#enter();
    try {
      if (source === undefined) return await this.#load(String(kept), context);
      const client = this.#run.clients.find((each) => each.source.slug === source);
      if (client === undefined) return refuse(`there is no source ${quoteText(source, 64)}`);
      if (describe !== undefined) return await this.#describe(client, describe, context);
      this.#asked += 1;
      const { maxCalls } = this.#run.settings;
      if (this.#asked > maxCalls)
        return refuse(`this run has made ${maxCalls} calls (maxCalls), which is the most`);
      return await this.#call(client, input, context);
    } finally {
      this.#unanswered -= 1;
      this.#leave();
    }
  }

  /** Work of a call that leaves the wire for it: one after the other, with nothing on the wire meanwhile. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#leave();
    const turn = this.#turn.then(async () => {
      await this.#enterAll();
      try {
        return await work();
      } finally {
        // All but its own.
        for (let place = 1; place < this.#run.settings.concurrency; place += 1) this.#leave();
      }
    });
    // What interrupts one is the end of the run, and of those that wait.
    this.#turn = turn;
    turn.catch(() => {});
    return turn;
  }

  /** Waits for the calls that are on the wire; those that have not begun never do. */
  async close(): Promise<void> {
    this.#queue.length = 0;
    await this.#enterAll();
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else
      await new Promise<void>((resolve) => {
        this.#queue.push(resolve);
      });
  }

  async #enterAll(): Promise<void> {
    const { concurrency } = this.#run.settings;
    await Promise.all(Array.from({ length: concurrency }, () => this.#enter()));
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Hides every secret that the toolkit and the calls know. */
  redact(text: string): string {
    const known = this.#run.runtime.secrets.redactor().redact(text);
    return [...this.#redactors.values()].reduce((left, redact) => redact(left), known);
  }

  async #load(id: string, context: CallContext): Promise<CodeReply> {
    const text = await loadKeptWhole(this.#run.runtime, id, context);
    return text === undefined
      ? refuse(`there is no kept response ${quoteText(id, 40)} here`)
      : { text, isRefused: false };
  }

  async #describe(client: SourceClient, input: DescribeInput, context: CallContext): Promise<CodeReply> {
    try {
      return { text: JSON.stringify(await client.describe(input, context)), isRefused: false };
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      return refuse(this.redact(`${error.message} ${error.hint}`));
    }
  }

  async #call(client: SourceClient, input: unknown, context: CallContext): Promise<CodeReply> {
    const gate = this.#gate();
    const outcome = await client.callWhole(input, context, gate === undefined ? {} : { gate });
    const { ok, answer, artifact, redact } = outcome;
    this.#redactors.set(client.source.slug, redact);
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
    const { runtime, settings, deadline } = this.#run;
    const { writes } = settings;
    const asking = runtime.gate ?? (writes === "approve" ? runtime.openGate("writes") : undefined);
    if (writes === "allow" && asking === undefined) return undefined;
    return async (call) => {
      if (writes !== "approve" && writes !== "allow") refuseWrite(call);
      return asking && deadline.pause(call.deadline.pause(asking(call)));
    };
  }
}

function refuse(text: string): CodeReply {
  return { text, isRefused: true };
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
