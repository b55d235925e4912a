/** One call from input to outcome, in ten steps. Every failure ends as an outcome. */

import { CallInterruption, type Gate } from "../approval/approval.js";
import { findPartialFailures } from "../diagnosis/partial-failure.js";
import { ApiSourceError } from "../errors.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import { createDeadline, isCancelled } from "../transport/deadline.js";
import type { Answer } from "./answer.js";
import { buildRequest, writeRequestLine } from "./build-request.js";
import { type CallRequest, parseCallRequest } from "./call-request.js";
import { KnownLimitError } from "./create-sender.js";
import { readJudgedReply, reportCall } from "./observe-calls.js";
import { checkExpressions } from "./open-source.js";
import { describeFailure, type Outcome, type WholeOutcome, writeOutcome } from "./outcome.js";
import { checkPreflight, learnFromPage } from "./preflight.js";
import { applyAuthorization, applyNewCredential, prepareCall } from "./prepare-call.js";
import { findAllPages, findNextCall, type JoinedPages, readPages } from "./read-pages.js";
import type { BuiltCall, CallableSource, CallProgress, Page, RunningCall } from "./running-call.js";
import { describeReply, pickPart, readTotal, type ShowAnswerInput, showAnswer } from "./show-answer.js";

/** Runs one call. Rejects only with the caller's own abort reason, and with what the gate interrupts the run by. */
export async function callSource(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  // Step 10, write.
  return writeOutcome(await resolveCall(callable, input, context, { show: showAnswer }));
}

/** For whom an answer is. */
export interface Showing {
  /** Refuses what such an answer has no place for. @throws ApiSourceError `invalid_input` */
  check?(request: CallRequest): void;
  /** Whether a GET that names no page of its own gets all pages. @default false */
  readonly followsPages?: boolean;
  show(call: RunningCall, input: ShowAnswerInput): Promise<Answer>;
}

const cancelled = new ApiSourceError({
  message: "The caller cancelled the call.",
  category: "cancelled",
  hint: "",
}).toCallError();

/** Runs one call for whoever `showing` says; `callSource` is the one for a model. */
export async function resolveCall(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
  showing: Showing,
): Promise<WholeOutcome> {
  const { source, runtime } = callable;
  const startedMs = runtime.clock.now();
  const progress: CallProgress = { redact: (text) => runtime.secrets.redactor().redact(text) };
  let answer: Answer;
  try {
    answer = await answerCall(callable, input, { context, progress, showing });
  } catch (thrown) {
    if (isCancelled(context.signal)) {
      reportCall(callable, progress, { context, startedMs, answer: { error: cancelled } });
      throw context.signal?.reason;
    }
    if (thrown instanceof CallInterruption) throw thrown.reason;
    answer = describeFailure(thrown, runtime, {
      source: source.slug,
      status: progress.status,
      rateLimit: thrown instanceof KnownLimitError ? thrown.rateLimit : undefined,
      maxTokens: source.api.limits.maxTokens,
      redact: progress.redact,
    });
  }
  const artifact = reportCall(callable, progress, { context, startedMs, answer });
  return { ok: answer.error === undefined, answer, artifact, redact: progress.redact };
}

async function answerCall(
  callable: CallableSource,
  input: unknown,
  { context, progress, showing }: Pick<RunningCall, "context" | "progress"> & { readonly showing: Showing },
): Promise<Answer> {
  const { source, runtime } = callable;
  // Step 1, parse. A wrong expression must not cost a request, let alone a write.
  const asked = await parseCall(input);
  showing.check?.(asked);
  progress.asked = `${asked.method} ${asked.path}`;
  await checkExpressions([source]);
  const timeoutMs = timeoutOf(callable, asked, showing);
  const deadline = createDeadline({ timeoutMs, clock: runtime.clock, signal: context.signal });
  try {
    // Step 2, resolve.
    const ended = { ...context, signal: deadline.signal };
    const prepared = await applyAuthorization({ context: ended, deadline }, () =>
      prepareCall(source, runtime, ended),
    );
    progress.redact = (text) => prepared.redactor.redact(text);
    const call: RunningCall = { ...callable, context: ended, deadline, prepared, progress };
    // Steps 3 to 8, for the first page and for those after it.
    const page = await readPage(call, asked, call.gate);
    const { body, notes, ...paging } = await readFollowing(call, page, showing);
    // Step 9, show.
    const picked = await pickPart(page, body);
    const frame = {
      ...describeReply(call, page, page.error ?? picked.error),
      notes: [...notes, ...picked.notes],
      ...paging,
    };
    return await showing.show(call, { frame, page, body, picked });
  } finally {
    deadline.close();
  }
}

/** @throws ApiSourceError `invalid_input` */
async function parseCall(input: unknown): Promise<CallRequest> {
  const request = parseCallRequest(input);
  if (request.select !== undefined) (await loadQueryEngine()).check(request.select);
  return request;
}

/** Pages take their own time; a single answer has the source's. */
function timeoutOf(
  { source }: CallableSource,
  { pages }: CallRequest,
  { followsPages = false }: Showing,
): number {
  const { timeoutMs, pagesTimeoutMs } = source.api.limits;
  return pages === undefined && !followsPages ? timeoutMs : Math.max(timeoutMs, pagesTimeoutMs);
}

/** Step 3, build: the request policy judges every part, then the API's description, and then whoever the gate asks. */
async function buildCall(call: RunningCall, request: CallRequest, gate?: Gate): Promise<BuiltCall> {
  const { source, progress, prepared, context, deadline } = call;
  const { redactor } = prepared;
  const built = buildRequest(source, prepared.resolved, request);
  progress.request ??= writeRequestLine(built, redactor);
  const doubts = await checkPreflight(call, built);
  const passage = await gate?.({ source, args: { ...request }, built, redactor, context, deadline });
  const { input, built: passed = built, notes = [] } = passage ?? {};
  if (input === undefined) return { request, built: passed, notes: [...doubts, ...notes], doubts };
  // What a person wrote instead is judged like any other call; they need not be asked about their own words.
  delete progress.request;
  const edited = await buildCall(call, await parseCall(input));
  return { ...edited, notes: [...notes, ...edited.notes] };
}

/** @param gate - Absent for the pages after the first: whoever let the call pass let it read its pages. */
async function readPage(call: RunningCall, asked: CallRequest, gate?: Gate): Promise<Page> {
  const built = await buildCall(call, asked, gate);
  // Steps 4 to 7, enter, send, read, judge. A 401 was not processed: with another token the call is sent once more.
  let { reply, error } = await readJudgedReply(call, built.built);
  if (reply.exchange.status === 401 && (await applyNewCredential(call)))
    ({ reply, error } = await readJudgedReply(call, built.built));
  const { status, headers } = reply.exchange;
  call.progress.status ??= status;
  const answered = { ...built, status, body: reply.body, reply, error, total: readTotal(headers) };
  if (error !== undefined) return answered;
  // Step 8, page.
  const { note, ...paging } = findNextCall(call, answered);
  const { warnings = [], document = null } = reply.body;
  const told = [...warnings, ...findPartialFailures(document), ...(note === undefined ? [] : [note])];
  const page = { ...answered, ...paging, notes: [...built.notes, ...told] };
  learnFromPage(call, page);
  return page;
}

/** The pages after the first, where the call asked for them, or its reader wants them all. */
async function readFollowing(call: RunningCall, first: Page, showing: Showing): Promise<JoinedPages> {
  const { body, notes, next, request } = first;
  const asked =
    request.pages ?? (showing.followsPages === true ? findAllPages(call.source, first) : undefined);
  if (asked === undefined || first.error !== undefined) return { body, notes, next };
  return readPages(call, first, asked, (input) => readPage(call, parseCallRequest(input)));
}
