/** One call from input to outcome, in ten steps. Every failure ends as an outcome. */

import { CallInterruption, type Gate } from "../approval/gate.js";
import { findPartialFailures } from "../diagnosis/partial-failure.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { createDeadline, isCancelled } from "../transport/deadline.js";
import { type Answer, writeAnswer } from "./answer.js";
import { applyAuthorization, applyNewCredential } from "./authorize-call.js";
import { type BuiltRequest, buildRequest, writeRequestLine } from "./build-request.js";
import { type CallRequest, parseCallRequest } from "./call-request.js";
import type { Reply } from "./create-sender.js";
import { describeFailure } from "./describe-failure.js";
import { describeReply } from "./describe-reply.js";
import { findAllPages, findNextCall } from "./find-next-call.js";
import { checkExpressions } from "./open-source.js";
import type { Outcome, WholeOutcome } from "./outcome.js";
import { checkPreflight, learnFromReply } from "./preflight.js";
import { type PreparedCall, prepareCall } from "./prepare-call.js";
import { readTotal } from "./read-answer-headers.js";
import { type Page, type PagesResult, readPages } from "./read-pages.js";
import type { CallableSource, CallProgress, RunningCall } from "./running-call.js";
import { pickPart, type ShowAnswerInput, showAnswer } from "./show-answer.js";
import { cancelledAnswer, readJudgedReply, writeReport } from "./watched-request.js";

/** Runs one call. Rejects only with the caller's own abort reason, and with what the gate interrupts the run by. */
export async function callSource(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  const { ok, answer, artifact, redact } = await resolveCall(callable, input, context, inBudget);
  // Step 10, write: whatever put the parts together, the final text is redacted once more.
  return { ok, content: redact(writeAnswer(answer)), artifact };
}

/** For whom an answer is. */
export interface Showing {
  /** Refuses what such an answer has no place for. @throws ApiSourceError `invalid_input` */
  check?(request: CallRequest): void;
  readonly followsPages: boolean;
  show(call: RunningCall, input: ShowAnswerInput, reply: Reply): Promise<Answer>;
}

const inBudget: Showing = { followsPages: false, show: showAnswer };

/** Runs one call for whoever `showing` says; `callSource` is the one for a model. */
export async function resolveCall(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
  showing: Showing,
): Promise<WholeOutcome> {
  const { runtime } = callable;
  const startedMs = runtime.clock.now();
  const progress: CallProgress = { redact: (text) => runtime.secrets.redactor().redact(text) };
  let answer: Answer;
  try {
    answer = await answerCall(callable, input, { context, progress, showing });
  } catch (thrown) {
    if (isCancelled(context.signal)) {
      writeReport(callable, progress, { context, startedMs, answer: cancelledAnswer });
      throw context.signal?.reason;
    }
    if (thrown instanceof CallInterruption) throw thrown.reason;
    answer = describeFailure(thrown, callable, progress);
  }
  const artifact = writeReport(callable, progress, { context, startedMs, answer });
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
  const timeoutMs = timeoutOf(source, asked, showing);
  const deadline = createDeadline({ timeoutMs, clock: runtime.clock, signal: context.signal });
  try {
    // Step 2, resolve.
    const ended: CallContext = { ...context, signal: deadline.signal };
    const prepare = (): Promise<PreparedCall> => prepareCall(source, runtime, ended);
    const prepared = await applyAuthorization({ context: ended, deadline }, prepare);
    progress.redact = (text) => prepared.redactor.redact(text);
    const call: RunningCall = { ...callable, context: ended, deadline, prepared, progress };
    // Steps 3 to 8, for one page or for several.
    const first = await readPage(call, asked, call.gate ?? runtime.gate);
    const { request } = first;
    const pages = request.pages ?? (showing.followsPages ? findAllPages(source, first) : undefined);
    const all = await readFollowing(call, pages, first);
    // Step 9, show.
    const picked = await pickPart(
      all.body,
      first.error === undefined ? request.select : undefined,
      first.built.url.path,
    );
    const error = first.error ?? picked.error;
    const frame = {
      ...describeReply(call, first, error),
      notes: [...all.notes, ...picked.notes],
    };
    return await showing.show(
      call,
      {
        frame: { ...frame, pages: all.pages, next: all.next },
        request,
        built: first.built,
        body: all.body,
        picked,
      },
      first.reply,
    );
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

const mayWrite =
  "this POST may write, and each further page would be another one; where it only reads, send `next` yourself";

interface BuiltCall {
  /** What was asked for: a person may have changed it. */
  readonly request: CallRequest;
  readonly built: BuiltRequest;
  readonly notes: readonly string[];
  /** What the API's description says against it, where that doesn't stop it. */
  readonly doubts: readonly string[];
}

/** Step 3, build: the request policy judges every part, then the API's description, and then whoever the gate asks. */
async function buildCall(call: RunningCall, request: CallRequest, gate?: Gate): Promise<BuiltCall> {
  const { source, progress, prepared, context, deadline } = call;
  const built = buildRequest(source, prepared.resolved, request);
  progress.request ??= writeRequestLine(built, prepared.redactor);
  const { redactor } = prepared;
  const doubts = await checkPreflight(call, built);
  const passage = await gate?.({ source, args: { ...request }, built, redactor, context, deadline });
  const { input, built: passed = built, notes = [] } = passage ?? {};
  if (input === undefined) return { request, built: passed, notes: [...doubts, ...notes], doubts };
  // What a person wrote instead is judged like any other call; they need not be asked about their own words.
  delete progress.request;
  const edited = await buildCall(call, await parseCall(input));
  return { ...edited, notes: [...notes, ...edited.notes] };
}

/** A page, and what only this call needs of it. */
interface OwnPage extends Page, BuiltCall {
  readonly reply: Reply;
  /** Whether it was a POST that nothing shows to be a search. */
  readonly mayWrite?: boolean;
}

/** @param gate - Absent for the pages after the first: whoever let the call pass let it read its pages. */
async function readPage(call: RunningCall, asked: CallRequest, gate?: Gate): Promise<OwnPage> {
  const { request, built, notes, doubts } = await buildCall(call, asked, gate);
  // Steps 4 to 7, enter, send, read, judge. A 401 was not processed: with another token the call is sent once more.
  let { reply, error } = await readJudgedReply(call, built);
  if (reply.exchange.status === 401 && (await applyNewCredential(call)))
    ({ reply, error } = await readJudgedReply(call, built));
  call.progress.status ??= reply.exchange.status;
  // Step 8, page.
  const {
    next,
    note,
    rows,
    mayWrite = false,
  } = error === undefined ? findNextCall(call, request, { built, reply }) : {};
  if (error === undefined) learnFromReply(call, built, { next, doubts, document: reply.body.document });
  const total = readTotal(reply.exchange.headers);
  const { warnings = [] } = reply.body;
  return {
    status: reply.exchange.status,
    body: reply.body,
    request,
    built,
    doubts,
    reply,
    mayWrite,
    ...(error === undefined ? {} : { error }),
    ...(next === undefined ? {} : { next }),
    ...(rows === undefined ? {} : { rows }),
    ...(total === undefined ? {} : { total }),
    notes: [
      ...notes,
      ...(error === undefined
        ? [...warnings, ...findPartialFailures(reply.body.document ?? null), note].filter(
            (each) => each !== undefined,
          )
        : []),
    ],
  };
}

/** The pages after the first, where the call asked for them. */
async function readFollowing(
  call: RunningCall,
  pages: number | undefined,
  first: OwnPage,
): Promise<Pick<PagesResult, "body" | "notes" | "next"> & Partial<PagesResult>> {
  const { source, context, deadline } = call;
  if (pages === undefined || first.error !== undefined) return first;
  const { maxPages, maxBytes, pagesTimeoutMs } = source.api.limits;
  return readPages({
    first,
    asked: pages,
    maxPages,
    maxBytes,
    readPage: (next) => readPage(call, parseCallRequest(next)),
    isOver: () =>
      (first.mayWrite === true ? mayWrite : undefined) ??
      (deadline.remainingMs() === 0 ? `limits.pagesTimeoutMs of the source is ${pagesTimeoutMs}` : undefined),
    onProgress: (progress) => context.onProgress?.({ source: source.slug, ...progress }),
  });
}

/** Pages take their own time; a single answer has the source's. */
function timeoutOf({ api }: ApiSource, { pages }: CallRequest, { followsPages }: Showing): number {
  const { timeoutMs, pagesTimeoutMs } = api.limits;
  return pages === undefined && !followsPages ? timeoutMs : Math.max(timeoutMs, pagesTimeoutMs);
}
