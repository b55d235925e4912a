/** The report of a call that is over: the sum of the facts in its log, its log line, its `onCall` event, and for a page of a developer the call in full. */

import type { Answer } from "../answer/answer.js";
import {
  type CallArtifact,
  countContent,
  describeArtifact,
  writeContent,
  writeInput,
} from "../answer/outcome.js";
import { dropUndefined } from "../base/input.js";
import type { CallContext } from "../base/runtime.js";
import { clipText } from "../base/text.js";
import type { KeptFile } from "../body/files/file.js";
import type { RateLimit } from "../http/limits/rate-limit.js";
import type { BuiltRequest, WireRequest } from "../request/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type { KeptResponse } from "../store/keep-response.js";
import type { CallEvent, CallEventRequest, CallEventSummary } from "./call-event.js";
import type { CallIdentity } from "./identify-call.js";
import type {
  BuiltFact,
  CallableSource,
  CallLog,
  CallServices,
  SentRequest,
} from "./running-call.js";
import type { ApprovalNote } from "./slots.js";

/** The sum of the facts about a call. */
export interface CallSummary {
  /** Method and path as they were requested, not redacted. */
  readonly requested: string;
  /** The first request that was built, redacted; of a person's where they wrote another one. */
  readonly request: string | undefined;
  /** The request whose end counts where the same call keeps failing. */
  readonly counted: BuiltFact | undefined;
  /** The first request that was sent, and how each that was sent ended. */
  readonly sent: BuiltRequest | undefined;
  readonly requests: readonly SentRequest[];
  readonly attempts: number | undefined;
  readonly bytes: number | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** The status of the first answer. */
  readonly status: number | undefined;
  readonly confidential: readonly string[] | undefined;
  readonly approval: ApprovalNote | undefined;
  /** How long it waited for persons, in milliseconds. */
  readonly pausedMs: number;
  readonly file: KeptFile | undefined;
  /** Knows the secrets of the call, as far as they are known. */
  readonly redactor: Redactor;
}

interface Draft extends Changeable<Omit<CallSummary, "requests">> {
  readonly requests: SentRequest[];
}

type Changeable<Fixed> = { -readonly [Name in keyof Fixed]: Fixed[Name] };

/** Sums up the facts in the log of a call. */
export function summarizeCall({ services }: CallableSource, { facts }: CallLog): CallSummary {
  const summary = startSummary(services);
  for (const fact of facts) {
    switch (fact.kind) {
      case "requested":
        summary.requested = fact.line;
        break;
      case "prepared":
        summary.redactor = fact.prepared.redactor;
        break;
      case "built":
        summary.request ??= fact.line;
        if (fact.isCounted) summary.counted = fact;
        break;
      case "replaced":
        summary.request = undefined;
        summary.counted = undefined;
        break;
      case "carries":
        summary.confidential = fact.confidential;
        break;
      case "decided":
        summary.approval = fact.approval;
        break;
      case "paused":
        summary.pausedMs = fact.ms;
        break;
      case "sent":
        summary.sent ??= fact.built;
        break;
      case "read":
        summary.bytes = (summary.bytes ?? 0) + fact.bytes;
        summary.rateLimit = fact.rateLimit ?? summary.rateLimit;
        break;
      case "ended":
        summary.attempts = (summary.attempts ?? 0) + fact.attempts;
        if (fact.request !== undefined) summary.requests.push(fact.request);
        break;
      case "answered":
        summary.status ??= fact.status;
        break;
      case "kept":
        summary.file = fact.file;
    }
  }
  return summary;
}

function startSummary({ secrets }: Pick<CallServices, "secrets">): Draft {
  return {
    requested: "",
    request: undefined,
    counted: undefined,
    sent: undefined,
    requests: [],
    attempts: undefined,
    bytes: undefined,
    rateLimit: undefined,
    status: undefined,
    confidential: undefined,
    approval: undefined,
    pausedMs: 0,
    file: undefined,
    redactor: secrets.redactor(),
  };
}

/** The most characters of a path that was not judged yet. */
const maxRequestedCharacters = 500;

/** An answer, and its text where its reader gets one. */
interface WrittenAnswer {
  readonly answer: Answer;
  readonly content?: string | undefined;
}

/** Writes one log line about a call that is over, and an `onCall` event for one that was refused unsent. */
export function reportCall(
  { source, services }: CallableSource,
  log: CallLog,
  summary: CallSummary,
  { answer, content }: WrittenAnswer,
): CallArtifact {
  const { context, startedMs, identity } = log;
  const { requested, redactor } = summary;
  const tokens = content === undefined ? undefined : countContent(content, services);
  const durationMs = services.host.stopwatch.now() - startedMs - summary.pausedMs;
  const artifact = describeArtifact(source.slug, { tokens, ...summary }, answer, durationMs);
  const {
    source: slug,
    request = clipText(redactor.redact(requested), maxRequestedCharacters),
    ...facts
  } = artifact;
  const line = request === "" ? {} : splitRequestLine(request);
  const { category, status, bytes, attempts } = facts;
  const reason = status === undefined ? answer.error?.message : undefined;
  services.host.logger.info("Call", { source: slug, ...line, ...facts, ...(reason && { reason }) });
  if (services.slots.afterAnswer === undefined) return artifact;
  const event: CallEvent = {
    phase: "call",
    source: slug,
    ...line,
    ...nameCall(context, identity),
    durationMs,
    ...dropUndefined({ status, category, reason, bytes, attempts, tokens }),
    ...dropUndefined(describeDecision(summary, answer)),
  };
  addDetails(event, () => {
    const written = content ?? writeContent(answer, redactor);
    return describeCall(services, log, summary, { content: written, id: artifact.responseId });
  });
  reportEvent(services, event);
  return artifact;
}

/** The members of an event about what the call waited for, and what a person decided. */
function describeDecision(
  { approval, confidential }: CallSummary,
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

export function reportEvent(
  { host, slots: { afterAnswer } }: Pick<CallServices, "host" | "slots">,
  event: CallEvent,
): void {
  if (afterAnswer !== undefined)
    host.application.observe("The application's onCall", () => afterAnswer(event));
}

/** `GET /x?y=1` as method and path. What was only requested is not judged yet: it must not begin a line of its own in a log. */
export function splitRequestLine(line: string): Pick<CallEventRequest, "method" | "path"> {
  const [method = "", ...path] = line.replace(/\p{Cc}/gu, "\u{fffd}").split(" ");
  return { method, path: path.join(" ") };
}

/** @param identity - Known for every call that has an observer. */
export function nameCall(
  call: CallContext,
  identity: CallIdentity | undefined,
): Pick<CallEventRequest, "callId" | "context" | "threadId" | "user"> {
  const { context, threadId = call.configurable?.["thread_id"] } = call;
  const { callId = "", user } = identity ?? {};
  const thread = typeof threadId === "string" ? threadId : undefined;
  return { callId, context, threadId: thread, ...(user !== undefined && { user }) };
}

/** The member of an event that holds its details. It is not enumerable: neither JSON nor a copy of an event has it. */
const detailsOf = Symbol("details");

function addDetails(event: CallEvent, describe: () => CallDetails): void {
  Object.defineProperty(event, detailsOf, { value: describe });
}

/** Undefined for a copy of an event, and for an event that is not the end of a call. */
export function readDetails(event: CallEvent): CallDetails | undefined {
  const describe: (() => CallDetails) | undefined = Reflect.get(event, detailsOf);
  return describe?.();
}

/** One call in full: every text is redacted. */
export interface CallDetails {
  /** The input as the caller gave it, as JSON text; `""` where it is not JSON. */
  readonly input: string;
  /** The first request as it was sent, without the credential. Absent where nothing was sent. */
  readonly request: ShownSending | undefined;
  /** Every request that was sent: pages, polls, and a second attempt with another token. */
  readonly requests: readonly SentRequest[];
  /** The answer as one JSON document. */
  readonly answer: string;
  /** Loads the whole body for the caller whose call it was; absent where it was not kept. */
  readonly loadWhole: (() => Promise<KeptResponse | undefined>) | undefined;
}

/** A request for a page of a developer. */
interface ShownSending extends Pick<WireRequest, "method" | "url" | "headers"> {
  readonly body: string | undefined;
  /** Whether `body` describes a file or a multipart body, whose bytes are not shown. */
  readonly isDescribed: boolean;
}

function describeCall(
  { kept }: Pick<CallServices, "kept">,
  { input, context }: CallLog,
  { sent, requests, redactor }: CallSummary,
  { content, id }: { readonly content: string; readonly id: string | undefined },
): CallDetails {
  const { signal: _over, ...caller } = context;
  return {
    input: redactor.redact(writeInput(input)),
    request: sent && showSending(sent, redactor),
    requests,
    answer: content,
    loadWhole: id === undefined ? undefined : () => kept.load(id, caller, "application"),
  };
}

function showSending({ wire, encoded }: BuiltRequest, redactor: Redactor): ShownSending {
  const { method, url, headers, body } = wire;
  const text = encoded?.shown ?? (body && new TextDecoder().decode(body));
  const shown = redactor.redact({ url, headers, body: text });
  return { method, ...shown, isDescribed: encoded !== undefined };
}
