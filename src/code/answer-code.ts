/** From a piece of code to the tool's answer: state and journal are read, the code runs, what came of it is told and kept. */

import { writeAnswer } from "../client/answer.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { SourceClient } from "../client/create-source-client.js";
import type { CallArtifact, Outcome } from "../client/outcome.js";
import type { CallContext } from "../runtime.js";
import { hashText } from "../text.js";
import { createDeadline, type Deadline } from "../transport/deadline.js";
import { CallDesk, type CodeSettings } from "./code-calls.js";
import { differentRun, type Journal, Replay, type RunStart } from "./replay.js";
import { type CodeReport, runCode } from "./run-code.js";
import { codeToolName, showRun } from "./show-run.js";
import type { SandboxThreads } from "./threads.js";

export interface CodeHost {
  readonly clients: readonly SourceClient[];
  readonly runtime: ClientRuntime;
  readonly threads: SandboxThreads;
  readonly settings: CodeSettings;
}

/** Runs the code of one call of the tool. Rejects with what interrupts the run, and with the reason of whoever cancels it. */
export async function answerCode(host: CodeHost, given: unknown, context: CallContext): Promise<Outcome> {
  const { clients, runtime, settings } = host;
  const { clock } = runtime;
  const startedMs = clock.now();
  const code = typeof given === "string" ? given : "";
  const deadline = createDeadline({ timeoutMs: settings.timeoutMs, clock, signal: context.signal });
  try {
    const desk = new CallDesk({ clients, runtime, settings, deadline });
    const ran = await runInThread({ ...host, desk, deadline, context, code });
    const slugs = clients.map(({ source }) => source.slug);
    const answer = await showRun(runtime, { ...ran, code, slugs, desk, settings, context });
    const { error, shortened } = answer;
    const artifact: CallArtifact = {
      source: codeToolName,
      ...(error === undefined ? {} : { category: error.category }),
      durationMs: clock.now() - startedMs,
      attempts: desk.totals.requests,
      ...(shortened?.id === undefined ? {} : { responseId: shortened.id }),
    };
    return { ok: error === undefined, content: desk.redact(writeAnswer(answer)), artifact };
  } finally {
    deadline.close();
  }
}

interface RunInput extends CodeHost {
  readonly desk: CallDesk;
  readonly deadline: Deadline;
  readonly context: CallContext;
  readonly code: string;
}

interface RanCode {
  readonly report: CodeReport;
  readonly notes: readonly string[];
}

async function runInThread(input: RunInput): Promise<RanCode> {
  const { runtime, threads, settings, desk, deadline, context, code } = input;
  if (code.trim() === "") return notRun("code is missing: give the body of an async function");
  const name = nameJournal(input);
  const journal = name === undefined ? undefined : await loadJournal(name, input).catch(() => null);
  if (journal === null)
    return notRun("what this run did before it stopped could not be read from the store; nothing was sent");
  const start: RunStart = {
    code: hashText(code),
    frozenMs: journal?.frozenMs ?? runtime.clock.now(),
    state: journal?.state ?? (await loadState(input)),
  };
  if (journal !== undefined && journal.code !== start.code) return notRun(differentRun);
  if (journal !== undefined) desk.resume(journal.totals);
  let hasJournal = journal !== undefined;
  const save = (noted: Journal): Promise<void> => {
    hasJournal = true;
    return runtime.archive.note(name ?? "", JSON.stringify(noted), context);
  };
  const { run } = context;
  const replay =
    name === undefined || run === undefined ? undefined : new Replay({ run, start, desk, journal, save });
  await replay?.takeDecisions();
  const { cpuMs } = settings;
  const frozenMs = replay === undefined ? undefined : start.frozenMs;
  const job = { kind: "run", code, state: start.state, frozenMs } as const;
  const report = await runCode({ threads, job, cpuMs, desk, deadline, context, replay });
  // What is over has nothing to go on from. That it stays where the store is down harms nobody: it is of this run alone.
  if (name !== undefined && hasJournal) await runtime.archive.note(name, undefined, context).catch(() => {});
  return { report, notes: await writeState(input, report, start.state) };
}

/** The code was not begun. */
function notRun(message: string): RanCode {
  const thrown = { name: "", message };
  return { report: { thrown, log: [], unshownLines: 0, unanswered: 0 }, notes: [] };
}

/** Only where a call may wait for a person in a run that can stop. */
function nameJournal({ runtime, settings, context: { run } }: RunInput): string | undefined {
  const mayStop = settings.writes === "approve" || runtime.gate !== undefined;
  return run !== undefined && mayStop ? `${codeToolName} ${run.place}` : undefined;
}

async function loadJournal(name: string, { runtime, context }: RunInput): Promise<Journal | undefined> {
  try {
    const text = await runtime.archive.recall(name, context);
    if (text === undefined) return undefined;
    const journal: Partial<Journal> = JSON.parse(text);
    // A store is outside: what comes back is checked as far as it is used.
    if (!Array.isArray(journal.replies) || !journal.stopped || !journal.totals) throw new Error("no journal");
    return journal as Journal;
  } catch (error) {
    const problem = { error: runtime.describeError(error) };
    runtime.logger.warn("What a run of code did before it stopped could not be read.", problem);
    throw error;
  }
}

/** `state` is for findings and places to go on from; what is large is kept as a response. */
const maxStateCharacters = 100_000;
const stateName = `${codeToolName} state`;

/** JSON text of an object; an empty one where nothing was kept, or the store does not answer. */
async function loadState({ runtime, context }: RunInput): Promise<string> {
  try {
    const text = (await runtime.archive.recall(stateName, context)) ?? "{}";
    // A store is outside: what is not whole any more ends no run.
    JSON.parse(text);
    return isObject(text) ? text : "{}";
  } catch (error) {
    const problem = { error: runtime.describeError(error) };
    runtime.logger.warn("The state of run_api_code could not be read.", problem);
    return "{}";
  }
}

/** Keeps what `state` holds after a run that came to its end. @returns what the reader must know. */
async function writeState(
  { runtime, context }: RunInput,
  { state, limit }: CodeReport,
  before: string,
): Promise<string[]> {
  if (state === undefined || limit !== undefined || state === before) return [];
  if (state.length > maxStateCharacters || !isObject(state))
    return [
      `\`state\` was not kept, and is what it was before this run: it must be an object of JSON values with at most ${maxStateCharacters} characters.`,
    ];
  try {
    await runtime.archive.note(stateName, state, context);
    return [];
  } catch (error) {
    const problem = { error: runtime.describeError(error) };
    runtime.logger.warn("The state of run_api_code could not be kept.", problem);
    return ["`state` was not kept: the store could not take it."];
  }
}

/** `plain` writes an object, and nothing else, with a brace at its beginning. */
function isObject(json: string): boolean {
  return json.startsWith("{");
}
