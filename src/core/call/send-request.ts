/** Steps 4 to 7 of one request: enter, send, read, judge. Those who observe the call are told of its beginning, its attempts and its end. */

import { applyWhenReady } from "../base/apply-when-ready.js";
import { ApiSourceError, type CallError } from "../base/errors.js";
import { dropUndefined } from "../base/input.js";
import { ConnectionError } from "../failure/explain-failure.js";
import { isCancelled } from "../http/deadline.js";
import type { BuiltRequest } from "../request/wire-request.js";
import type { CallEventAttempt, CallEventResult } from "./call-event.js";
import { type Judgement, judgeReply } from "./judge-reply.js";
import { replaceEndedCredential, traceCredential } from "./prepare-call.js";
import { nameCall, reportEvent, splitRequestLine } from "./report-call.js";
import type { BuiltCall, Reply, RunningCall } from "./running-call.js";

/** A reply, and why it is a failure. */
export interface JudgedReply extends Reply {
  /** The call with the credential that the request was sent with. */
  readonly call: RunningCall;
  readonly error: CallError | undefined;
  /** Whether the record's `expiredWhen` is true of the body. */
  readonly isExpired: boolean | undefined;
}

/** Why and how long a request may be sent. */
interface Sending {
  /** How long it may wait for a cooldown. @default 0 */
  readonly waitMs?: number;
  /** Why it is sent after another one. */
  readonly why?: string;
}

/** Sends one request: enter, send, read, judge. */
export async function readJudgedReply(
  given: RunningCall,
  { built, line }: BuiltCall,
  { waitMs = 0, why }: Sending = {},
): Promise<JudgedReply> {
  const { credential } = given.prepared;
  const mayEnd = credential?.kind === "token" && credential.expiresAtMs !== undefined;
  const call = mayEnd ? await replaceEndedCredential(given, credential.expiresAtMs) : given;
  const { prepared, context, deadline, log } = call;
  const watch = watchRequest(call, built, line);
  try {
    const trace = log.identity?.trace;
    const { onSend, onAttempt } = watch;
    const sending = { deadline, waitMs, onSend, onAttempt, trace, why };
    const reply = await call.openSender().send(built, prepared, sending);
    const { status, attempts } = reply.exchange;
    const { bytes } = reply.body;
    log.facts.push({ kind: "read", bytes, rateLimit: reply.rateLimit });
    const judging = judge(call, built, reply);
    const { error, isExpired } = (judging instanceof Promise ? await judging : judging) ?? {};
    watch.end({ status, bytes, attempts, category: error?.category });
    return { call, error, isExpired, ...reply };
  } catch (thrown) {
    const attempts = thrown instanceof ConnectionError ? thrown.failure.attempts : undefined;
    const category = thrown instanceof ApiSourceError ? thrown.category : "not_configured";
    watch.end({ category: isCancelled(context.signal) ? "cancelled" : category, attempts });
    throw thrown;
  }
}

/** Notes the beginning and the end of one request in the log of its call, and tells those who observe it. */
interface RequestWatch {
  onSend(): void;
  readonly onAttempt: ((attempt: CallEventAttempt) => void) | undefined;
  end(result: Omit<CallEventResult, "durationMs">): void;
}

function watchRequest(call: RunningCall, built: BuiltRequest, line: string): RequestWatch {
  const { source, services, context, log } = call;
  const { clock } = services.host;
  const asked = splitRequestLine(line);
  const isObserved = services.slots.afterAnswer !== undefined;
  const report = (event: RequestEvent): void => {
    if (!isObserved) return;
    const named = nameCall(context, log.identity);
    reportEvent(services, { source: source.slug, ...asked, ...named, ...event });
  };
  let startedMs: number | undefined;
  return {
    onSend() {
      log.facts.push({ kind: "sent", built });
      startedMs = clock.now();
      report({ phase: "before" });
    },
    onAttempt: isObserved
      ? (attempt) => report({ phase: "attempt", ...dropUndefined({ ...attempt }) })
      : undefined,
    end(result) {
      const { attempts = 0 } = result;
      if (startedMs === undefined) {
        log.facts.push({ kind: "ended", attempts });
        return;
      }
      const durationMs = clock.now() - startedMs;
      const { method, path } = asked;
      log.facts.push({ kind: "ended", attempts, request: { method, path, ...result, durationMs } });
      report({ phase: "after", ...result, durationMs });
    },
  };
}

/** The part of an event that tells how far one request came. */
type RequestEvent =
  | { readonly phase: "before" }
  | ({ readonly phase: "attempt" } & CallEventAttempt)
  | ({ readonly phase: "after" } & CallEventResult);

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
