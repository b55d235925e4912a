/** Steps 4 to 7 of one request; and the log lines and `onCall` events of it and of the whole call, which for a page of a developer have the call in full. */

import type { Answer } from "../answer/answer.js";
import {
  type CallArtifact,
  countContent,
  describeArtifact,
  writeContent,
  writeInput,
} from "../answer/outcome.js";
import { applyWhenReady } from "../base/apply-when-ready.js";
import { ApiSourceError, type CallError } from "../base/errors.js";
import { dropUndefined } from "../base/input.js";
import type { CallContext } from "../base/runtime.js";
import { clipText } from "../base/text.js";
import { ConnectionError } from "../failure/explain-failure.js";
import { isCancelled } from "../http/deadline.js";
import type { SentAttempt } from "../http/transport.js";
import type { BuiltRequest } from "../request/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type {
  CallEvent,
  CallEventAttempt,
  CallEventRequest,
  CallEventResult,
  CallEventSummary,
} from "./call-event.js";
import type { CallIdentity } from "./identify-call.js";
import { type Judgement, judgeReply } from "./judge-reply.js";
import { replaceEndedCredential, traceCredential } from "./prepare-call.js";
import type {
  BuiltCall,
  CallableSource,
  CallProgress,
  CallServices,
  Reply,
  RunningCall,
} from "./running-call.js";
import { listSources, type Mark } from "./slots.js";

/** A reply, and why it is a failure. */
export interface JudgedReply extends Reply {
  readonly error: CallError | undefined;
  /** Whether the record's `expiredWhen` is true of the body. */
  readonly isExpired: boolean | undefined;
}

/** Sends one request: enter, send, read, judge. */
export async function readJudgedReply(
  call: RunningCall,
  { built, line }: BuiltCall,
  waitMs = 0,
  why?: string,
): Promise<JudgedReply> {
  const { credential } = call.prepared;
  if (credential?.kind === "token" && credential.expiresAtMs !== undefined)
    await replaceEndedCredential(call, credential.expiresAtMs);
  const { source, services, progress, prepared, context, deadline } = call;
  const { clock } = services.host;
  const asked = splitRequestLine(line);
  const report = (event: RequestEvent): void => {
    if (services.slots.afterAnswer === undefined) return;
    const whose = whoseCall(context, progress.identity);
    reportEvent(services, { source: source.slug, ...asked, ...whose, ...event });
  };
  const onAttempt = services.slots.afterAnswer && createAttemptReport(report);
  let startedMs: number | undefined;
  const onSend = (): void => {
    progress.sent ??= built;
    startedMs = clock.now();
    report({ phase: "before" });
  };
  const end = (result: Omit<CallEventResult, "durationMs">): void => {
    progress.attempts = (progress.attempts ?? 0) + (result.attempts ?? 0);
    if (startedMs === undefined) return;
    const ended = { ...result, durationMs: clock.now() - startedMs };
    progress.exchanges = [...(progress.exchanges ?? []), { ...asked, ...ended }];
    report({ phase: "after", ...ended });
  };
  try {
    const trace = progress.identity?.trace;
    const sending = { deadline, waitMs, onSend, onAttempt, trace, why };
    const reply = await call.openSender().send(built, prepared, sending);
    const { status, attempts } = reply.exchange;
    const { bytes } = reply.body;
    progress.rateLimit = reply.rateLimit ?? progress.rateLimit;
    progress.bytes = (progress.bytes ?? 0) + bytes;
    const judging = judge(call, built, reply);
    const { error, isExpired } = (judging instanceof Promise ? await judging : judging) ?? {};
    end({ status, bytes, attempts, category: error?.category });
    return { ...reply, error, isExpired };
  } catch (thrown) {
    const attempts = thrown instanceof ConnectionError ? thrown.failure.attempts : undefined;
    const category = thrown instanceof ApiSourceError ? thrown.category : "not_configured";
    end({ category: isCancelled(context.signal) ? "cancelled" : category, attempts });
    throw thrown;
  }
}

/** Judges a reply by what the API's document and the credential tell of it. */
function judge(
  call: RunningCall,
  built: BuiltRequest,
  reply: Reply,
): Judgement | undefined | Promise<Judgement | undefined> {
  const { source, services, prepared } = call;
  const findSubject = () => ({
    credential: traceCredential(source, services, prepared.credential),
  });
  const { status } = reply.exchange;
  const declared = reply.body.kind === "html" && hasDeclaredPage(call, built, status);
  return applyWhenReady(declared, (declaresPage) =>
    judgeReply(source, built, reply, { findSubject, declaresPage }),
  );
}

/** Whether the API's document has HTML as the answer of an operation. */
async function hasDeclaredPage(
  { source, services, deadline }: RunningCall,
  { method, url }: BuiltRequest,
  status: number,
): Promise<boolean> {
  const { document } = services.slots;
  if (source.api.openapi === undefined || document === undefined) return false;
  const types = await deadline.race(document.listTypes(source, { method, path: url.path, status }));
  return types?.some((type) => /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) ?? false;
}

/** The part of an event that tells how far one request came. */
type RequestEvent =
  | { readonly phase: "before" }
  | ({ readonly phase: "attempt" } & CallEventAttempt)
  | ({ readonly phase: "after" } & CallEventResult);

function createAttemptReport(
  report: (event: RequestEvent) => void,
): (attempt: SentAttempt) => void {
  return (attempt) => report({ phase: "attempt", ...dropUndefined({ ...attempt }) });
}

/** Knows the secrets of a call, as far as they are known. */
export function findRedactor({ services }: CallableSource, { redactor }: CallProgress): Redactor {
  return redactor ?? services.secrets.redactor();
}

/** The most characters of a path that was not judged yet. */
const maxAskedCharacters = 500;

/** Writes one log line about a call that is over, and an `onCall` event for one that was refused unsent. */
export function reportCall(
  callable: CallableSource,
  progress: CallProgress,
  answer: Answer,
  content?: string,
): CallArtifact {
  const { source, services } = callable;
  const { asked = "", context, startedMs } = progress;
  const tokens = content === undefined ? undefined : countContent(content, services);
  const known = { ...progress, tokens };
  const artifact = describeArtifact(
    source.slug,
    known,
    answer,
    services.host.clock.now() - startedMs,
  );
  const redactor = findRedactor(callable, progress);
  const {
    source: slug,
    request = clipText(redactor.redact(asked), maxAskedCharacters),
    ...facts
  } = artifact;
  const line = request === "" ? {} : splitRequestLine(request);
  const { category, status, durationMs, bytes, attempts } = facts;
  const reason = status === undefined ? answer.error?.message : undefined;
  services.host.logger.info("Call", { source: slug, ...line, ...facts, ...(reason && { reason }) });
  if (services.slots.afterAnswer === undefined) return artifact;
  const event: CallEvent = {
    phase: "call",
    source: slug,
    ...line,
    ...whoseCall(context, progress.identity),
    durationMs,
    ...dropUndefined({ status, category, reason, bytes, attempts, tokens }),
    ...dropUndefined(describeDecision(progress, answer)),
  };
  const id = artifact.responseId;
  details.set(event, () => {
    const written = content ?? writeContent(answer, redactor);
    return describeCall(services, progress, { content: written, redactor, id });
  });
  reportEvent(services, event);
  return artifact;
}

/** The members of an event about what the call waited for, and what a person decided. */
function describeDecision(
  { approval, confidential }: CallProgress,
  { error, waited }: Answer,
): Pick<Partial<CallEventSummary>, "waitedMs" | "approval" | "digest" | "confidential"> {
  const isRejected = error?.code === "rejected";
  return {
    waitedMs: waited?.ms,
    approval: isRejected ? "reject" : approval?.decision,
    digest: approval?.digest,
    confidential,
  };
}

function reportEvent(
  { host, slots: { afterAnswer } }: Pick<CallServices, "host" | "slots">,
  event: CallEvent,
): void {
  if (afterAnswer !== undefined)
    host.application.observe("The application's onCall", () => afterAnswer(event));
}

/** `GET /x?y=1` as method and path. What was only requested is not judged yet: it must not begin a line of its own in a log. */
function splitRequestLine(line: string): Pick<CallEventRequest, "method" | "path"> {
  const [method = "", ...path] = line.replace(/\p{Cc}/gu, "\u{fffd}").split(" ");
  return { method, path: path.join(" ") };
}

/** @param identity - Known for every call that has an observer. */
function whoseCall(
  call: CallContext,
  identity: CallIdentity | undefined,
): Pick<CallEventRequest, "callId" | "context" | "threadId" | "user"> {
  const { context, threadId = call.configurable?.["thread_id"] } = call;
  const { callId = "", user } = identity ?? {};
  const thread = typeof threadId === "string" ? threadId : undefined;
  return { callId, context, threadId: thread, ...(user !== undefined && { user }) };
}

/**
 * The confidential sources whose content a request may carry and must not: looked up when its bytes are made and its files were read. What was
 * made before a mark cannot contain the answer.
 *
 * @param answered - Those that a person was asked about before.
 * @throws ApiSourceError `refused_by_policy` with the option `flow: "refuse"`
 */
export async function judgeWays(
  { source, services, context, progress }: RunningCall,
  answered: readonly Mark[] = [],
): Promise<readonly Mark[]> {
  const known = new Set(answered.map((way) => JSON.stringify(way)));
  const found = await services.slots.beforeSend.confidential.judge(source, context);
  const ways = found.filter((way) => !known.has(JSON.stringify(way)));
  if (ways.length > 0) progress.confidential = listSources(ways);
  return ways;
}

/** Beside the events: neither JSON nor a copy of an event has them. */
const details = new WeakMap<CallEvent, () => CallDetails>();

/** Undefined for a copy of an event, and for an event that is not the end of a call. */
export function readDetails(event: CallEvent): CallDetails | undefined {
  return details.get(event)?.();
}

export type CallDetails = ReturnType<typeof describeCall>;

/** One call in full: every text is redacted. */
function describeCall(
  { kept }: Pick<CallServices, "kept">,
  { input, context, sent, exchanges = [] }: CallProgress,
  {
    content,
    redactor,
    id,
  }: { readonly content: string; readonly redactor: Redactor; readonly id?: string },
) {
  const { signal: _over, ...caller } = context;
  const { method = "", url = "", headers = {}, body } = sent?.wire ?? {};
  const text = sent?.encoded?.shown ?? (body && new TextDecoder().decode(body));
  const shown = redactor.redact({ input: writeInput(input), url, headers, body: text });
  return {
    /** The input as the caller gave it, as JSON text; `""` where it is not JSON. */
    input: shown.input,
    /** The first request as it was sent, without the credential. Absent where nothing was sent. */
    request: sent && {
      method,
      url: shown.url,
      headers: shown.headers,
      body: shown.body,
      /** Whether `body` describes a file or a multipart body, whose bytes are not shown. */
      isDescribed: sent.encoded !== undefined,
    },
    /** Every request that was sent: pages, polls, and a second attempt with another token. */
    requests: exchanges,
    /** The answer as one JSON document. */
    answer: content,
    /** Loads the whole body for the caller whose call it was; absent where it was not kept. */
    loadWhole: id === undefined ? undefined : () => kept.load(id, caller, "application"),
  };
}
