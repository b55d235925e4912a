/** Which calls count as failing ones: those that a model made, that were sent, and that belong to a thread. */

import type { Answer } from "../answer/answer.js";
import { findThread } from "../base/runtime.js";
import type { FailingSubject } from "./failing-calls.js";
import type { CallableSource, CallProgress } from "./running-call.js";

/** @returns undefined for a call that does not count. */
function findSubject(
  { source, services }: CallableSource,
  { counted, context }: CallProgress,
): FailingSubject | undefined {
  const thread = findThread(context);
  if (thread === undefined || counted === undefined) return undefined;
  const { credential, resolved } = counted.prepared;
  const caller = services.traffic.fingerprint(source, credential, resolved.secrets);
  return { source: source.slug, credential: caller, thread, built: counted.built };
}

/** @throws ApiSourceError `same_failure` for a call that is held back */
export function checkFailing(callable: CallableSource, progress: CallProgress): void {
  // A call that a person approves is sent, however often it failed since they were asked.
  if (progress.context.run?.isAnswered === true) return;
  const { host, failing } = callable.services;
  const subject = findSubject(callable, progress);
  if (subject !== undefined) failing.check(subject, host.clock.now());
}

/** Notes how a call ended; one that was not sent has no end. */
export function noteEnd(callable: CallableSource, progress: CallProgress, answer: Answer): void {
  if (progress.sent === undefined) return;
  const subject = findSubject(callable, progress);
  if (subject === undefined) return;
  const { host, failing } = callable.services;
  failing.note(subject, answer, host.clock.now());
}
