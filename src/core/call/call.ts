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
import { signInHeaders, signOfCursor, signOfLink } from "../paging/paging-names.js";
import { buildCall } from "./build-call.js";
import {
  checkExpressions,
  describeLongWait,
  findTimeoutMs,
  type ParsedCall,
  parseCall,
  readWaitMs,
} from "./call-request.js";
import { noteEnd } from "./count-failures.js";
import { findAllPages, findNextCall } from "./find-next-call.js";
import { followJob } from "./follow-job.js";
import { maxSignCharacters, mayBeExpired } from "./judge-reply.js";
import { describeMissingFile } from "./open-file.js";
import { prepareInTime } from "./prepare-call.js";
import { nameStartedJob } from "./read-job.js";
import { type JoinedPages, readPages } from "./read-pages.js";
import { readRenewed } from "./read-renewed.js";
import { reportCall, summarizeCall } from "./report-call.js";
import type { CallableSource, CallLog, Page, RunningCall } from "./running-call.js";
import { readJudgedReply } from "./send-request.js";
import { type Presenter, showPages } from "./show-pages.js";
import { CallInterruption } from "./slots.js";

/** Runs one call. Rejects only with the caller's own abort reason, and with the reason by which the approval check interrupts the run. */
export function callSource(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<Outcome> {
  const presenter: Presenter = { isText: true, show: showAnswer };
  return resolveCall(callable, input, context, presenter).then(
    ({ ok, content = "", artifact }): Outcome => ({ ok, content, artifact }),
  );
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
  const startedMs = services.host.stopwatch.now();
  const identity = services.slots.identify?.(context);
  const log: CallLog = { input, context, startedMs, identity, facts: [] };
  let answer: Answer;
  try {
    answer = await answerCall(callable, log, presenter);
  } catch (thrown) {
    const summary = summarizeCall(callable, log);
    if (isCancelled(context.signal)) {
      reportCall(callable, log, summary, { answer: { error: cancelled } });
      throw context.signal?.reason;
    }
    if (thrown instanceof CallInterruption) throw thrown.reason;
    const { endedBy } = services.host.lifetime;
    const failure = isEnd(thrown) ? thrown : (endedBy ?? thrown);
    const { status, redactor } = summary;
    const { maxTokens } = source.api.limits;
    const failed = { source: source.slug, status, maxTokens, input, redactor };
    answer = describeFailure(failure, services, failed);
  }
  const summary = summarizeCall(callable, log);
  if (answer.error !== undefined || services.failing.isAny) noteEnd(callable, log, summary, answer);
  // Step 10, write.
  const { redactor } = summary;
  const content = presenter.isText ? writeContent(answer, redactor) : undefined;
  const artifact = reportCall(callable, log, summary, { answer, content });
  return { ok: answer.error === undefined, answer, artifact, content, redactor };
}

async function answerCall(
  callable: CallableSource,
  log: CallLog,
  presenter: Presenter,
): Promise<Answer> {
  const { source, services } = callable;
  const { input, context } = log;
  const { stopwatch, lifetime, visibility, takeTurn } = services.host;
  lifetime.check();
  if (visibility.hidden !== undefined) checkVisible(visibility, source.slug);
  await takeTurn();
  // Step 1, parse. A wrong expression must not cost a request, let alone a write.
  const parsing = parseCall(input, callable.inputSlug);
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  // One page is what a call without `pages` reads, unless its reader wants them all.
  const isOne = parsed.pages === 1 && presenter.followsPages !== true;
  const asked = isOne ? { ...parsed, pages: undefined } : parsed;
  presenter.check?.(asked);
  log.facts.push({ kind: "requested", line: `${asked.method} ${asked.path}` });
  if (!services.known.checked.has(source)) {
    await checkExpressions([source]);
    services.known.checked.add(source);
  }
  const isPaged = asked.pages !== undefined || presenter.followsPages === true;
  const timeoutMs = findTimeoutMs(source, asked, isPaged);
  const deadline = createDeadline({
    timeoutMs,
    clock: stopwatch,
    lifetime,
    signal: context.signal,
  });
  try {
    // Step 2, resolve.
    const ended = { ...context, signal: deadline.signal };
    const prepared = await prepareInTime(callable, ended, deadline);
    log.facts.push({ kind: "prepared", prepared });
    const call: RunningCall = { context: ended, deadline, prepared, log, ...callable };
    // Steps 3 to 8, for the first page and for those after it.
    const first = await readPage(call, asked, { isFirst: true });
    const leadsOn = readWaitMs(first.request) > 0 || first.exchange.status === 303;
    const { page, job } = leadsOn ? await followJob(first, readPage) : { page: first };
    const following = readFollowing(page, presenter);
    const joined = following instanceof Promise ? await following : following;
    return await showPages({ page, joined, job, notes: describeLongWait(asked) }, presenter);
  } finally {
    const ms = deadline.pausedMs();
    if (ms > 0) log.facts.push({ kind: "paused", ms });
    deadline.close();
  }
}

/** Statuses under which an API refuses what was sent. */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 422, 428]);

async function readPage(
  given: RunningCall,
  asked: ParsedCall,
  { isFirst, before }: { readonly isFirst?: true; readonly before?: RowsBefore } = {},
): Promise<Page> {
  const building = buildCall(given, asked, isFirst === true ? "asked" : "followed");
  const built = building instanceof Promise ? await building : building;
  // Before anything is sent: from then on this thread may have content of the source.
  if (isFirst === true && given.source.api.confidential === true)
    await given.services.slots.beforeSend.confidential.mark(given.source, given.context);
  // Steps 4 to 7, enter, send, read, judge; with another token the call may be sent once more.
  const waitMs = readWaitMs(built.request);
  const sent = await readJudgedReply(given, built, { waitMs });
  const { judged, note } = mayBeExpired(sent)
    ? await readRenewed(built, sent, waitMs)
    : { judged: sent };
  const { call, exchange } = judged;
  const { status } = exchange;
  call.log.facts.push({ kind: "answered", status });
  const notes = note === undefined ? [...built.notes] : [...built.notes, note];
  // Not by two spreads: V8 of Node.js 20 makes a new shape for each member after a first spread, 2 µs each.
  const answered: Page = Object.assign({}, built, judged, { notes });
  // An answer may hold rows beside its error, as one of GraphQL does.
  const mayHaveRows = status < 300 && answered.request.pages !== undefined;
  if (answered.error !== undefined && !mayHaveRows) {
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
  const job = status === 202 || waitMs > 0 ? await nameStartedJob(answered) : undefined;
  const next = job ?? findNext(call, answered, before);
  const { notes: ofPaging = [], ...paging } = next instanceof Promise ? await next : next;
  const { warnings = [], document = null } = answered.body;
  const { method } = answered.built;
  const mayFail = answered.mayFail && answered.error === undefined;
  const failed = mayFail ? findPartialFailures(document, status, method) : [];
  const ofBody = [...warnings, ...failed];
  if (paging.next !== undefined && call.source.api.openapi !== undefined)
    call.services.slots.document?.addNext(call.source, paging.next);
  const all = [...built.undescribed, ...notes, ...ofBody, ...ofPaging];
  return Object.assign({}, answered, paging, { notes: all });
}

/** A record of plain values: without rows, only a cursor or a link leads to a next page. */
const flatRecord = /^\s*\{[^{[]*$/;

/** The way to the next page. A flat record without a sign of one has none. */
function findNext(
  call: RunningCall,
  page: Page,
  before: RowsBefore | undefined,
): Partial<Page> | Promise<Partial<Page>> {
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
  return {};
}

/** The pages after the first, where the call asked for them, or its reader wants them all. */
function readFollowing(first: Page, presenter: Presenter): JoinedPages | Promise<JoinedPages> {
  const { body, notes, next, request, ways = [] } = first;
  const asked =
    request.pages ??
    (presenter.followsPages === true ? findAllPages(first.call.source, first) : undefined);
  // A `next` that waits is a job's, and no page.
  const isJob = next?.wait !== undefined;
  const isEnded = first.error !== undefined && (ways.length === 0 || first.mayWrite === true);
  if (asked === undefined || isJob || isEnded) return { body, notes, next };
  let { call } = first;
  return readPages(call, first, asked, async (input, before) => {
    const page = await readPage(call, input, { before });
    // A page that renewed the token leaves the new one to the pages after it.
    ({ call } = page);
    return page;
  });
}
