/** Which calls of code need a decision, and which are refused. */

import type { ApprovalCheck, CallToApprove } from "../approval/approval.js";
import { ApiSourceError } from "../errors.js";
import type { RunningCode } from "./running-code.js";

/** Writes are refused, or a person decides; what the toolkit itself holds for approval, and what repeats confidential values, is held in any case. */
export function createCodeApproval(running: RunningCode): ApprovalCheck {
  const { runtime, settings, deadline } = running;
  const { writes } = settings;
  const asking =
    runtime.checkApproval ?? (writes === "approve" ? runtime.openApprovalCheck("writes") : undefined);
  return async (call) => {
    if (writes !== "approve" && writes !== "allow") refuseWrite(call);
    const check = asking ?? (call.flow && runtime.openApprovalCheck(() => false));
    const { run, ...caller } = call.context;
    // Without a journal the run cannot go on after a question.
    const asked = run !== undefined && !mayStop(running) ? { ...call, context: caller } : call;
    return check && deadline.pause(call.deadline.pause(check(asked)));
  };
}

/** Whether a call may stop the run for a person, so that what it did before is recorded. */
export function mayStop({ runtime, settings }: RunningCode): boolean {
  return settings.writes === "approve" || runtime.checkApproval !== undefined || runtime.mayHoldFlow;
}

function refuseWrite({ source, built: { method, url, isRead } }: CallToApprove): void {
  if (isRead) return;
  throw new ApiSourceError({
    message: `Code may only read here: ${method} ${url.path} was not sent.`,
    category: "refused_by_policy",
    code: "writes_refused",
    hint: `Use the tool ${source.slug} itself for a write, or create run_api_code with writes: "approve".`,
  });
}
