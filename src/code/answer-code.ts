/** From a piece of code to the tool's answer: state and journal are read, the code runs, what came of it is told and kept. */

import { writeAnswer } from "../client/answer.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { SourceClient } from "../client/create-source-client.js";
import type { CallArtifact, Outcome } from "../client/outcome.js";
import { ApiSourceError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import { hashText } from "../text.js";
import { CallDesk, type Writes } from "./code-calls.js";
import { loadState, writeState } from "./code-state.js";
import type { SandboxThreads } from "./create-threads.js";
import type { CodeLimits } from "./describe-code-error.js";
import { differentRun, type Journal, parseJournal, Replay } from "./replay.js";
import { type CodeReport, createRunDeadline, runCode } from "./run-code.js";
import { codeToolName, showRun } from "./show-run.js";

export interface CodeSettings extends CodeLimits {
  readonly writes: Writes;
  readonly maxCalls: number;
  readonly concurrency: number;
  readonly maxTokens?: number | undefined;
}

export interface CodeHost {
  readonly clients: readonly SourceClient[];
  readonly runtime: ClientRuntime;
  readonly threads: SandboxThreads;
  readonly settings: CodeSettings;
}

/** Runs the code of one call of the tool. Rejects with what interrupts the run, and with the reason of whoever cancels it. */
export async function answerCode(host: CodeHost, code: unknown, context: CallContext): Promise<Outcome> {
  const { clients, runtime, settings } = host;
  const startedMs = runtime.clock.now();
  const { deadline, onWait } = createRunDeadline({
    timeoutMs: settings.timeoutMs,
    clock: runtime.clock,
    signal: context.signal,
  });
  try {
    const desk = new CallDesk({ ...settings, clients, runtime, onWait });
    const text = typeof code === "string" ? code : "";
    const ran: RanCode =
      text.trim() === ""
        ? { report: nothingToRun, notes: [] }
        : await runInThread({ ...host, desk, deadline, context, code: text }).catch(toReport);
    const answer = await showRun(runtime, {
      ...ran,
      code: text,
      slugs: clients.map(({ source }) => source.slug),
      totals: desk.totals,
      limits: settings,
      redact: (given) => desk.redact(given),
      maxTokens: settings.maxTokens,
      context,
    });
    const { error, shortened } = answer;
    const artifact: CallArtifact = {
      source: codeToolName,
      ...(error === undefined ? {} : { category: error.category }),
      durationMs: runtime.clock.now() - startedMs,
      attempts: desk.totals.requests,
      ...(shortened?.id === undefined ? {} : { responseId: shortened.id }),
    };
    return { ok: error === undefined, content: desk.redact(writeAnswer(answer)), artifact };
  } finally {
    deadline.close();
  }
}

/** What is kept of one response is of this size. */
const maxResultCharacters = 10_000_000;

interface RanCode {
  readonly report: CodeReport;
  readonly notes: readonly string[];
}

const nothingHappened = { log: [], unshownLines: 0, unanswered: 0 };
const nothingToRun: CodeReport = {
  ...nothingHappened,
  thrown: { name: "", message: "code is missing: give the body of an async function" },
};

interface RunInThread extends CodeHost {
  readonly desk: CallDesk;
  readonly deadline: ReturnType<typeof createRunDeadline>["deadline"];
  readonly context: CallContext;
  readonly code: string;
}

async function runInThread(input: RunInThread): Promise<RanCode> {
  const { clients, runtime, threads, settings, desk, deadline, context, code } = input;
  const { journal, name } = await loadJournal(input);
  const start = {
    code: hashText(code),
    frozenMs: journal?.frozenMs ?? runtime.clock.now(),
    state: journal?.state ?? (await loadState(runtime, context)),
  };
  if (journal !== undefined && journal.code !== start.code)
    return { report: { ...nothingHappened, thrown: { name: "", message: differentRun } }, notes: [] };
  if (journal !== undefined) desk.resume(journal.totals);
  const replay =
    name === undefined || context.run === undefined
      ? undefined
      : new Replay({
          run: context.run,
          start,
          desk,
          journal,
          save: (noted) => runtime.archive.note(name, JSON.stringify(noted), context),
        });
  await replay?.takeDecisions();
  const { cpuMs, memoryBytes, maxCalls } = settings;
  const report = await runCode({
    threads,
    desk,
    deadline,
    context,
    replay,
    job: {
      kind: "run",
      code,
      sources: clients.map(({ source }) => source.slug),
      state: start.state,
      cpuMs,
      memoryBytes,
      maxCalls,
      maxResultCharacters,
      ...(replay === undefined ? {} : { frozenMs: start.frozenMs }),
    },
  });
  const canKeep = report.isBroken !== true && report.limit === undefined;
  const notes = canKeep
    ? await writeState(runtime, context, { before: start.state, after: report.state })
    : [];
  // What is over has nothing to go on from. That it stays where the store is down harms nobody: it is of this run alone.
  if (name !== undefined && (journal !== undefined || replay?.hasStopped === true))
    await runtime.archive.note(name, undefined, context).catch(() => {});
  return { report, notes };
}

/** A tool call never throws: only what interrupts the run, or cancels it, goes on. */
function toReport(error: unknown): RanCode {
  if (!(error instanceof ApiSourceError)) throw error;
  return { report: { ...nothingHappened, thrown: { name: "", message: error.message } }, notes: [] };
}

/** Only where a call may wait for a person in a run that can stop. */
async function loadJournal({
  runtime,
  settings,
  context,
}: RunInThread): Promise<{ readonly name?: string; readonly journal?: Journal | undefined }> {
  const { run } = context;
  if (run === undefined || (settings.writes !== "approve" && runtime.gate === undefined)) return {};
  const name = `run_api_code ${run.place}`;
  const recalled = runtime.archive.recall(name, context);
  const read = recalled.then((text) => (text === undefined ? undefined : parseJournal(text)));
  const journal = await read.catch((error: unknown) => {
    runtime.logger.warn("What a run of code did before it stopped could not be read.", {
      error: runtime.describeError(error),
    });
    throw new ApiSourceError({
      message: "What this run did before it stopped could not be read; nothing was sent.",
      category: "code_error",
      hint: "Run the code again when the application's store answers.",
    });
  });
  return { name, journal };
}
