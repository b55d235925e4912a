/** Which calls count as failing ones: those that a model made, that were sent, and that belong to a thread. */

import type { Answer } from "../answer/answer.js";
import { findThread } from "../base/runtime.js";
import type { FailingSubject } from "./failing-calls.js";
import type { CallSummary } from "./report-call.js";
import type { BuiltFact, CallableSource, CallLog } from "./running-call.js";

/** @returns undefined for a call without a thread, which does not count. */
function findSubject(
  { source }: CallableSource,
  { context }: CallLog,
  { built, prepared }: BuiltFact,
): FailingSubject | undefined {
  const thread = findThread(context);
  if (thread === undefined) return undefined;
  return { source: source.slug, credential: prepared.caller, thread, built };
}

/** @throws ApiSourceError `same_failure` for a call that is held back */
export function checkFailing(callable: CallableSource, log: CallLog, fact: BuiltFact): void {
  // A call that a person approves is sent, however often it failed since they were asked.
  if (log.context.run?.isAnswered === true) return;
  const { host, failing } = callable.services;
  const subject = findSubject(callable, log, fact);
  if (subject !== undefined) failing.check(subject, host.stopwatch.now());
}

/** Notes how a call ended; one that was not sent has no end. */
export function noteEnd(
  callable: CallableSource,
  log: CallLog,
  { sent, counted }: CallSummary,
  answer: Answer,
): void {
  if (sent === undefined || counted === undefined) return;
  const { host, failing } = callable.services;
  const subject = findSubject(callable, log, counted);
  if (subject !== undefined) failing.note(subject, answer, host.stopwatch.now());
}
