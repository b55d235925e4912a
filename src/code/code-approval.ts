/** Which calls of code need a decision, and which are refused. */

import type { ApprovalCheck, CallToApprove } from "../approval/approval.js";
import { ApiSourceError } from "../errors.js";
import type { RunningCode } from "./running-code.js";

/** Writes are refused, or a person decides; what the toolkit itself holds for approval is held in any case. */
export function createCodeApproval({ runtime, settings, deadline }: RunningCode): ApprovalCheck | undefined {
  const { writes } = settings;
  const asking =
    runtime.checkApproval ?? (writes === "approve" ? runtime.openApprovalCheck("writes") : undefined);
  if (writes === "allow" && asking === undefined) return undefined;
  return async (call) => {
    if (writes !== "approve" && writes !== "allow") refuseWrite(call);
    return asking && deadline.pause(call.deadline.pause(asking(call)));
  };
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
