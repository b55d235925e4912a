/** Has a person authorize a source in the middle of a run: the run stops for them, and then the same call goes on. */

import { CallInterruption } from "../approval/gate.js";
import { ApiSourceError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import type { Deadline } from "../transport/deadline.js";
import { prepareCall, renewCredential } from "./prepare-call.js";
import type { RunningCall } from "./running-call.js";

/**
 * Does what needs a credential. Where a person has to authorize the source first, in a LangGraph run that can stop, it stops with
 * `{ type: "auth_required", auth_required: true, auth_url, … }`; when it goes on, whatever the answer was, the work is tried once more.
 *
 * @throws CallInterruption to leave the run. @throws ApiSourceError `auth_required` outside of one, and when nobody has agreed.
 */
export async function applyAuthorization<Result>(
  { context, deadline }: { readonly context: CallContext; readonly deadline: Deadline },
  work: (isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await deadline.race(work(false));
  } catch (error) {
    const question = writeQuestion(error);
    if (context.run === undefined || question === undefined) throw error;
    await context.run.ask(question, isConsent).catch((reason: unknown) => {
      throw new CallInterruption(reason);
    });
    return deadline.race(work(true));
  }
}

/** After a 401: whether there is another token to try, which the call has from here on. */
export async function applyNewCredential(call: RunningCall): Promise<boolean> {
  const { source, runtime, context, prepared } = call;
  const renewed = await applyAuthorization(call, (isAgain) =>
    isAgain ? prepareCall(source, runtime, context) : renewCredential(source, runtime, prepared),
  );
  if (renewed === undefined) return false;
  call.prepared = renewed;
  call.progress.redact = (text) => renewed.redactor.redact(text);
  return true;
}

/** Undefined for every error that no person can help with by a link. */
function writeQuestion(error: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!(error instanceof ApiSourceError) || error.code !== "auth_required") return undefined;
  const details: Readonly<Record<string, unknown>> = { ...Object(error.details) };
  if (typeof details["auth_url"] !== "string") return undefined;
  return { type: "auth_required", auth_required: true, ...details, message: error.message };
}

/** A question of ours names itself; an answer to it need not say anything. */
function isConsent(value: unknown): boolean {
  return Object(value).type === "auth_required";
}
