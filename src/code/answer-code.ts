/** From a piece of code to the tool's answer: state and journal are read, the code runs, what came of it is told and kept. */

import { writeAnswer } from "../client/answer.js";
import type { CallArtifact, Outcome } from "../client/outcome.js";
import type { CallContext } from "../runtime.js";
import { createDeadline } from "../transport/deadline.js";
import { CallDesk } from "./code-calls.js";
import { Journal } from "./journal.js";
import { type CodeReport, describeProblem, runCode } from "./run-code.js";
import { type CodeHost, codeToolName, type RunningCode, RunProblem } from "./running-code.js";
import { type RanCode, showRun } from "./show-run.js";

/** Runs the code of one call of the tool. Rejects with what interrupts the run, and with the reason of whoever cancels it. */
export async function answerCode(host: CodeHost, given: unknown, context: CallContext): Promise<Outcome> {
  const { runtime, settings } = host;
  const { clock } = runtime;
  const startedMs = clock.now();
  const code = typeof given === "string" ? given : "";
  const deadline = createDeadline({ timeoutMs: settings.timeoutMs, clock, signal: context.signal });
  try {
    const run: RunningCode = { ...host, code, context, deadline };
    const desk = new CallDesk(run);
    const answer = await showRun(run, desk, await runOnce(run, desk).catch(describeUnbegun));
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

async function runOnce(running: RunningCode, desk: CallDesk): Promise<RanCode> {
  const { runtime, settings, context, code } = running;
  const { run } = context;
  if (code.trim() === "") throw new RunProblem("code is missing: give the body of an async function");
  const mayStop = settings.writes === "approve" || runtime.gate !== undefined;
  const journal = run !== undefined && mayStop ? new Journal(running, desk, run) : undefined;
  const load = (): Promise<string> => loadState(running);
  const begin = journal === undefined ? { state: await load(), before: [] } : await journal.open(load);
  const report = await runCode(running, { desk, journal, job: { code, ...begin } });
  await journal?.close();
  return { report, notes: await writeState(running, report, begin.state) };
}

function describeUnbegun(reason: unknown): RanCode {
  if (!(reason instanceof RunProblem)) throw reason;
  return {
    report: { ...describeProblem(reason.message), log: [], unshownLines: 0, unanswered: 0 },
    notes: [],
  };
}

/** `state` is for findings and places to go on from; what is large is kept as a response. */
const maxStateCharacters = 100_000;
const stateName = `${codeToolName} state`;

/** JSON text of an object; an empty one where nothing was kept, or the store does not answer. */
async function loadState({ runtime, context }: RunningCode): Promise<string> {
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
  { runtime, context }: RunningCode,
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
