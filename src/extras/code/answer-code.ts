/** From a piece of code to the tool's answer: it waits for a place, state and replay log are read, the code runs, its result is shown and kept. */

import { type CallArtifact, type Outcome, writeContent } from "../../core/answer/outcome.js";
import { ApiSourceError } from "../../core/base/errors.js";
import { type CallContext, findThread } from "../../core/base/runtime.js";
import { createDeadline, isCancelled } from "../../core/http/deadline.js";
import { redactMembers } from "../../core/secrets/redactor.js";
import { mayStop } from "./code-approval.js";
import { CallDesk } from "./code-calls.js";
import { measureRun, runPlaces } from "./places.js";
import { ReplayLog } from "./replay-log.js";
import { type CodeReport, describeProblem, runCode } from "./run-code.js";
import { type CodeHost, codeToolName, type RunningCode, RunProblem } from "./running-code.js";
import { sandboxLimits } from "./sandbox-messages.js";
import { showRun } from "./show-run.js";

/** More code than a model writes; the thread reads all of it before it can be interrupted. */
const maxCodeCharacters = 500_000;
const maxWaiting = 200;

/** Runs the code of one call of the tool. Rejects with what interrupts the run, and with the reason of the caller's signal. */
export async function answerCode(
  host: CodeHost,
  given: unknown,
  context: CallContext,
): Promise<Outcome> {
  const { runtime, settings } = host;
  const { stopwatch: clock } = runtime.host;
  const startedMs = clock.now();
  const code = typeof given === "string" ? given : "";
  const deadline = createDeadline({ timeoutMs: settings.timeoutMs, clock, signal: context.signal });
  try {
    const flows = { open: new Set<string>(), asked: new Map() };
    const own = { flows, madeOf: new Set<string>(), mayStop: mayStop(host) };
    const run: RunningCode = { ...host, ...own, code, context, deadline };
    const desk = new CallDesk(run);
    const report = await runInPlace(run, desk).catch((reason: unknown): CodeReport => {
      if (reason instanceof RunProblem)
        return { log: [], unanswered: [], ...describeProblem(reason) };
      throw reason;
    });
    const answer = await showRun(run, desk, report);
    const { error, shortened } = answer;
    const artifact: CallArtifact = {
      source: codeToolName,
      category: error?.category,
      durationMs: clock.now() - startedMs,
      attempts: desk.totals.requests,
      responseId: shortened?.id,
    };
    return { ok: error === undefined, content: writeContent(answer, desk), artifact };
  } finally {
    deadline.close();
  }
}

async function runInPlace(running: RunningCode, desk: CallDesk): Promise<CodeReport> {
  const { code } = running;
  if (code.trim() === "")
    throw new RunProblem("code is missing: give the body of an async function");
  if (code.length > maxCodeCharacters)
    throw new RunProblem(
      `the code has ${code.length} characters; at most ${maxCodeCharacters} are allowed`,
    );
  const size = measureRun(running.settings);
  await enterRuns(running, size);
  try {
    return await runOnce(running, desk);
  } finally {
    runPlaces.leave(size);
  }
}

/** Waits for the other runs of this process, at most as long as the run itself may take. @throws RunProblem `busy` */
async function enterRuns(
  { runtime, settings, context: { signal }, deadline }: RunningCode,
  size: number,
): Promise<void> {
  const busy = new RunProblem("other runs of code use this process: nothing was sent", "busy");
  if (runPlaces.waiting >= maxWaiting) throw busy;
  const waiting = createDeadline({
    timeoutMs: settings.timeoutMs,
    clock: runtime.host.stopwatch,
    signal,
  });
  const entering = runPlaces.enter(size, waiting.signal);
  try {
    await deadline.pause(waiting.race(entering));
  } catch (error) {
    // Where its turn came in the same moment.
    void entering.then(() => runPlaces.leave(size));
    throw isCancelled(signal) ? error : busy;
  } finally {
    waiting.close();
  }
}

async function runOnce(running: RunningCode, desk: CallDesk): Promise<CodeReport> {
  const { context, code } = running;
  const { run } = context;
  const replayLog =
    run !== undefined && running.mayStop ? new ReplayLog(running, desk, run) : undefined;
  let hidden: string | undefined;
  const load = async (): Promise<string> => {
    const loaded = await loadState(running);
    hidden = loaded.hidden;
    return loaded.text;
  };
  const begin =
    replayLog === undefined ? { state: await load(), before: [] } : await replayLog.open(load);
  const ended = await runCode({ ...running, desk, replayLog, job: { code, ...begin } });
  await replayLog?.close();
  const { value, state, ...rest } = ended;
  // Before anything of it is truncated, kept or counted. JSON text stays JSON only where it is redacted by itself.
  const report = {
    ...redactMembers(rest, desk),
    thrown: rest.thrown && redactMembers(rest.thrown, desk),
    value: desk.redact(value),
    state: desk.redact(state),
  };
  // A state that this run may not read stays as it is.
  const notes = hidden === undefined ? await writeState(running, report, begin.state) : [hidden];
  return { ...report, notes };
}

/** The thread is part of the name: an application's `responseScope` may be a user, with many threads. */
function nameState(context: CallContext): string {
  const thread = findThread(context);
  return `${codeToolName} state${thread === undefined ? "" : ` ${thread}`}`;
}

interface LoadedState {
  /** JSON text of an object; of an empty one where nothing was kept, or the store does not answer. */
  readonly text: string;
  /** Why this run may not read what was kept, for the reader. */
  readonly hidden?: string;
}

/** The source is not named: a run is not told of a source that it may not use. */
const hiddenState =
  "`state` was empty, and is not kept now: the kept one has content of a source that is not available in this run.";

async function loadState({ runtime, context, madeOf }: RunningCode): Promise<LoadedState> {
  const empty: LoadedState = { text: "{}" };
  try {
    const kept = await runtime.kept.recall(nameState(context), context);
    if (kept === undefined) return empty;
    // A store is outside: a part of a text ends no run.
    JSON.parse(kept.text);
    for (const slug of kept.madeOf) madeOf.add(slug);
    return beginsWithObject(kept.text) ? kept : empty;
  } catch (error) {
    if (error instanceof ApiSourceError) return { ...empty, hidden: hiddenState };
    const problem = { error: runtime.host.describeError(error) };
    runtime.host.logger.warn("The state of run_api_code could not be read.", problem);
    return empty;
  }
}

/** Keeps `state` after a run that came to its end. Returns what the reader must know. */
async function writeState(
  { runtime, context, madeOf }: RunningCode,
  { state, limit }: CodeReport,
  before: string,
): Promise<string[]> {
  if (state === undefined || limit !== undefined || state === before) return [];
  if (!beginsWithObject(state)) {
    const most = sandboxLimits.maxStateCharacters;
    return [
      `\`state\` was not kept, so it is unchanged: it must be an object of JSON values, of ${most} characters at most.`,
    ];
  }
  try {
    await runtime.kept.note(nameState(context), { text: state, madeOf: [...madeOf] }, context);
    return [];
  } catch (error) {
    const problem = { error: runtime.host.describeError(error) };
    runtime.host.logger.warn("The state of run_api_code could not be kept.", problem);
    return ["`state` was not kept: the store could not save it."];
  }
}

/** The sandbox writes an object, and nothing else, with a brace at its beginning. */
function beginsWithObject(json: string): boolean {
  return json.startsWith("{");
}
