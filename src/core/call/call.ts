/** One call from input to outcome, in ten steps. Every failure ends as an outcome. */

import type { Answer } from "../answer/answer.js";
import {
  describeFailure,
  type Outcome,
  type WholeOutcome,
  writeContent,
} from "../answer/outcome.js";
import { showAnswer } from "../answer/show-answer.js";
import { ApiSourceError } from "../base/errors.js";
import { isEnd } from "../base/lifetime.js";
import { type CallContext, checkVisible } from "../base/runtime.js";
import { findPartialFailures } from "../failure/partial-failures.js";
import { createDeadline, isCancelled } from "../http/deadline.js";
import type { RowsBefore } from "../paging/paging.js";
import { signInHeaders, signOfCursor } from "../paging/paging-names.js";
import type { ApiSource } from "../record/api-source.js";
import { showRequest } from "../request/wire-request.js";
import { buildRequest, findOperation } from "./build-request.js";
import {
  checkExpressions,
  checkedSources,
  describeLongWait,
  type ParsedCall,
  parseCall,
  readWaitMs,
} from "./call-request.js";
import { describeMissingFile, encodeFiles } from "./encode-files.js";
import { findAllPages, findNextCall } from "./find-next-call.js";
import { followJob } from "./follow-job.js";
import { maxSignCharacters, mayBeExpired, mayReportFailure } from "./judge-reply.js";
import { applyAuthorization, prepareMarkedCall } from "./prepare-call.js";
import { nameStartedJob } from "./read-job.js";
import { type JoinedPages, readPages } from "./read-pages.js";
import { readRenewed } from "./read-renewed.js";
import type { BuiltCall, CallableSource, CallProgress, Page, RunningCall } from "./running-call.js";
import { findRedactor, judgeWays, readJudgedReply, reportCall } from "./send-and-report.js";
import { type Presenter, showPages } from "./show-pages.js";
import { asksOnlyAboutFlows, CallInterruption, type Mark } from "./slots.js";

/** Runs one call. Rejects only with the caller's own abort reason, and with the reason by which the approval check interrupts the run. */
export async function callSource(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  const presenter: Presenter = { isText: true, show: showAnswer };
  const { ok, content = "", artifact } = await resolveCall(callable, input, context, presenter);
  return { ok, content, artifact };
}

const cancelled = new ApiSourceError({
  message: "The caller cancelled the call.",
  category: "cancelled",
  hint: "",
}).toCallError();

/** Runs one call for the reader that `presenter` describes; `callSource` is the one for a model. */
export async function resolveCall(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
  presenter: Presenter,
): Promise<WholeOutcome> {
  const { source, services } = callable;
  const startedMs = services.host.clock.now();
  const identity = services.slots.identify?.(context);
  const progress: CallProgress = { input, context, startedMs, identity };
  let answer: Answer;
  try {
    answer = await answerCall(callable, progress, presenter);
  } catch (thrown) {
    if (isCancelled(context.signal)) {
      reportCall(callable, progress, { error: cancelled });
      throw context.signal?.reason;
    }
    if (thrown instanceof CallInterruption) throw thrown.reason;
    const { endedBy } = services.host.lifetime;
    const failure = isEnd(thrown) ? thrown : (endedBy ?? thrown);
    answer = describeFailure(failure, services, {
      source: source.slug,
      status: progress.status,
      maxTokens: source.api.limits.maxTokens,
      input: progress.input,
      redactor: findRedactor(callable, progress),
    });
  }
  // Step 10, write.
  const redactor = findRedactor(callable, progress);
  const content = presenter.isText ? writeContent(answer, redactor) : undefined;
  const artifact = reportCall(callable, progress, answer, content);
  return { ok: answer.error === undefined, answer, artifact, content, redactor };
}

async function answerCall(
  callable: CallableSource,
  progress: CallProgress,
  presenter: Presenter,
): Promise<Answer> {
  const { source, services } = callable;
  const { input, context } = progress;
  const { clock, lifetime, visibility, takeTurn } = services.host;
  lifetime.check();
  if (visibility.hidden !== undefined) checkVisible(visibility, source.slug);
  await takeTurn();
  // Step 1, parse. A wrong expression must not cost a request, let alone a write.
  const parsed = await parseCall(input, callable.inputSlug);
  // One page is what a call without `pages` reads, unless its reader wants them all.
  const isOne = parsed.pages === 1 && presenter.followsPages !== true;
  const asked = isOne ? { ...parsed, pages: undefined } : parsed;
  presenter.check?.(asked);
  progress.asked = `${asked.method} ${asked.path}`;
  if (!checkedSources.has(source)) await checkExpressions([source]);
  const timeoutMs = findTimeoutMs(source, asked, presenter);
  const deadline = createDeadline({ timeoutMs, clock, lifetime, signal: context.signal });
  try {
    // Step 2, resolve.
    const ended = { ...context, signal: deadline.signal };
    const prepared = await applyAuthorization({ context: ended, deadline }, () =>
      prepareMarkedCall(callable, ended),
    );
    progress.redactor = prepared.redactor;
    const call: RunningCall = { ...callable, context: ended, deadline, prepared, progress };
    // Steps 3 to 8, for the first page and for those after it.
    const first = await readPage(call, asked, { isFirst: true });
    const leadsOn = readWaitMs(first.request) > 0 || first.exchange.status === 303;
    const { page, job } = leadsOn ? await followJob(call, first, readPage) : { page: first };
    const joined = await readFollowing(call, page, presenter);
    return await showPages(call, { page, joined, job, notes: describeLongWait(asked) }, presenter);
  } finally {
    deadline.close();
  }
}

/** Pages take their own time; a single answer has the source's, and what it may wait. */
function findTimeoutMs(source: ApiSource, asked: ParsedCall, presenter: Presenter): number {
  const { timeoutMs, pagesTimeoutMs } = source.api.limits;
  const isPaged = asked.pages !== undefined || presenter.followsPages === true;
  const ownMs = isPaged ? Math.max(timeoutMs, pagesTimeoutMs) : timeoutMs;
  return readWaitMs(asked) + ownMs;
}

/**
 * Step 3, build: the request policy judges every part, then its names are compared with the API's document, and then comes the approval check.
 *
 * @param origin - A person is asked about what was asked for: not about what they wrote themselves, nor about what an answer leads to,
 * which is sent only if it is a read.
 * @param answered - Of what a person wrote: the ways that they were asked about.
 */
async function buildCall(
  call: RunningCall,
  request: ParsedCall,
  origin: "asked" | "edited" | "followed",
  answered?: readonly Mark[],
): Promise<BuiltCall> {
  const { source, services, progress, prepared, context, deadline } = call;
  const { compareNames, confidential, openApproval } = services.slots.beforeSend;
  const { redactor } = prepared;
  const isFollowed = origin === "followed";
  const isDescribed = source.api.openapi !== undefined;
  const { document } = services.slots;
  const operation = isDescribed
    ? await deadline.race(
        findOperation(source, prepared.resolved, request, { document, isFollowed }),
      )
    : undefined;
  const hasBody = request.method !== "GET" && request.body !== undefined && request.body !== null;
  const body = hasBody ? await encodeFiles(call, request, operation) : undefined;
  const built = buildRequest(source, prepared.resolved, request, { body, operation, isFollowed });
  const { line } = showRequest(built, prepared.resolved.baseUrl, redactor);
  progress.request ??= line;
  const isJudged = !isFollowed;
  const { inputSlug: slug } = call;
  const args = slug === undefined ? { ...request } : { source: slug, ...request };
  const toApprove = { source, args, built, redactor, context, deadline };
  const undescribed =
    origin === "asked" && isDescribed
      ? ((await compareNames?.(toApprove, request.body)) ?? [])
      : [];
  const ways = isJudged && confidential.isOn ? await judgeWays(call, answered) : [];
  const held = ways.length > 0 ? openApproval(asksOnlyAboutFlows) : undefined;
  const check = isJudged ? (call.checkApproval ?? held) : undefined;
  const result = await check?.({ ...toApprove, ways, isEdited: origin === "edited" });
  const { input, built: passed = built, notes = [] } = result ?? {};
  if (result?.approval !== undefined) progress.approval = result.approval;
  if (input === undefined) return { request, built: passed, line, notes, undescribed };
  // What a person wrote instead is judged like any other call; they are asked only about a way that they were not shown.
  delete progress.request;
  const edited = await buildCall(call, await parseCall(input, call.inputSlug), "edited", [
    ...(answered ?? []),
    ...ways,
  ]);
  return { ...edited, notes: [...notes, ...edited.notes] };
}

/** Statuses under which an API refuses what was sent. */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 415, 422]);

async function readPage(
  call: RunningCall,
  asked: ParsedCall,
  { isFirst, before }: { readonly isFirst?: true; readonly before?: RowsBefore } = {},
): Promise<Page> {
  const built = await buildCall(call, asked, isFirst === true ? "asked" : "followed");
  // Before anything is sent: from then on this thread may have content of the source.
  if (isFirst === true && call.source.api.confidential === true)
    await call.services.slots.beforeSend.confidential.mark(call.source, call.context);
  // Steps 4 to 7, enter, send, read, judge; with another token the call may be sent once more.
  const waitMs = readWaitMs(built.request);
  const sent = await readJudgedReply(call, built, waitMs);
  const { judged, note } = mayBeExpired(sent)
    ? await readRenewed(call, built, sent, waitMs)
    : { judged: sent };
  const { exchange } = judged;
  const { status } = exchange;
  call.progress.status ??= status;
  const notes = note === undefined ? [...built.notes] : [...built.notes, note];
  const answered: Page = { ...built, ...judged, notes };
  if (answered.error !== undefined) {
    if (refusals.has(status)) notes.push(...describeMissingFile(built.built.encoded));
    const isAdvised =
      isFirst && call.source.api.openapi !== undefined && exchange.isDownload === undefined;
    if (!isAdvised || !refusals.has(status)) return answered;
    const { source, deadline, prepared, services } = call;
    const { redactor } = prepared;
    const refused = { source, deadline, status, built: built.built, redactor };
    return {
      ...answered,
      error: (await services.slots.advise?.(refused, answered.error)) ?? answered.error,
    };
  }
  // Step 8, page.
  const job = status === 202 || waitMs > 0 ? await nameStartedJob(call, answered) : undefined;
  const { notes: ofPaging = [], ...paging } = job ?? (await findNext(call, answered, before));
  const { warnings = [], document = null } = answered.body;
  const failed = mayReportFailure(status, answered.body)
    ? findPartialFailures(document, status)
    : [];
  const ofBody = [...warnings, ...failed];
  if (paging.next !== undefined && call.source.api.openapi !== undefined)
    call.services.slots.document?.addNext(call.source, paging.next);
  return {
    ...answered,
    ...paging,
    notes: [...built.undescribed, ...notes, ...ofBody, ...ofPaging],
  };
}

/** A record of plain values: without rows, only a cursor or a link leads to a next page. */
const flatRecord = /^\s*\{[^{[]*$/;
/** The end of a link's name (`more_url`), and an escape, which may spell any name. */
const signOfLink = /more|\\u/i;

/** The way to the next page. A flat record without a sign of one has none. */
function findNext(
  call: RunningCall,
  page: Page,
  before: RowsBefore | undefined,
): Promise<Partial<Page>> {
  const { body, exchange, request } = page;
  const { text } = body;
  const isAsked =
    before !== undefined || request.pages !== undefined || call.source.api.paging !== undefined;
  const isFlat = body.kind === "json" && text.length <= maxSignCharacters && flatRecord.test(text);
  if (
    isAsked ||
    !isFlat ||
    signOfCursor.test(text) ||
    signOfLink.test(text) ||
    signInHeaders.test(Object.keys(exchange.headers).join())
  )
    return findNextCall(call, page, before);
  return noPages;
}

const noPages: Promise<Partial<Page>> = Promise.resolve({});

/** The pages after the first, where the call asked for them, or its reader wants them all. */
async function readFollowing(
  call: RunningCall,
  first: Page,
  presenter: Presenter,
): Promise<JoinedPages> {
  const { body, notes, next, request } = first;
  const asked =
    request.pages ??
    (presenter.followsPages === true ? findAllPages(call.source, first) : undefined);
  // A `next` that waits is a job's, and no page.
  const isJob = next?.wait !== undefined;
  if (asked === undefined || isJob || first.error !== undefined) return { body, notes, next };
  return readPages(call, first, asked, (input, before) => readPage(call, input, { before }));
}
