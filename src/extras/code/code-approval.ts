/** Which calls of code need a decision, and which are refused. */

import { ApiSourceError } from "../../core/base/errors.js";
import {
  type ApprovalCheck,
  type ApprovalResult,
  asksOnlyAboutFlows,
  type CallToApprove,
} from "../../core/call/slots.js";
import { joinApprovals } from "../../toolkit/client/join-source-client.js";
import type { CodeHost, RunningCode } from "./running-code.js";

/** Waits without a place among the calls of the run, so that a question can be asked meanwhile. */
type Aside = <Result>(work: Promise<Result>) => Promise<Result>;

/** Writes are refused, or a person decides; what the toolkit itself holds for approval, and what may carry confidential content, is held in any case. */
export function createCodeApproval(running: RunningCode, aside: Aside): ApprovalCheck {
  const { runtime, settings, deadline, door } = running;
  const { writes } = settings;
  const { openApproval } = runtime.slots.beforeSend;
  const check = joinApprovals([
    runtime.slots.beforeSend.approve,
    door && openApproval(door),
    writes === "approve" ? openApproval("writes") : undefined,
  ]);
  return async (call) => {
    const { isEdited, flows = [], ...request } = call;
    if (isEdited !== true && writes !== "approve" && writes !== "allow") refuseWrite(call);
    const ownCheck = isEdited === true ? undefined : check;
    if (ownCheck === undefined && flows.length === 0) return undefined;
    const { run, ...caller } = call.context;
    // The run cannot go on after a question if it has no replay log.
    const context = run !== undefined && !running.mayStop ? caller : call.context;
    const decide = async (): Promise<ApprovalResult | undefined> => {
      const passed = await openFlows(running, { ...call, context }, aside);
      return (await ownCheck?.({ ...request, context })) ?? passed;
    };
    return deadline.pause(call.deadline.pause(decide()));
  };
}

/**
 * A person decides once for the whole run whether what it has read of a confidential source may go to another one; writes are asked about by
 * themselves.
 */
async function openFlows(
  { runtime, flows, code, context }: RunningCode,
  call: CallToApprove,
  aside: Aside,
): Promise<ApprovalResult | undefined> {
  const { slug, api } = call.source;
  const name = (flow: object): string => JSON.stringify([flow, slug, api.baseUrl]);
  const closed = (call.flows ?? []).filter((flow) => !flows.open.has(name(flow)));
  if (closed.length === 0) return undefined;
  const question = JSON.stringify(closed.map(name));
  const asked = flows.asked.get(question);
  if (asked !== undefined) return aside(asked);
  const program = { code, place: context.run?.place };
  const asking = runtime.slots.beforeSend.openApproval(asksOnlyAboutFlows)({
    ...call,
    flows: closed,
    program,
  });
  flows.asked.set(question, asking);
  const passed = await asking;
  for (const flow of closed) flows.open.add(name(flow));
  return passed;
}

/** Whether a call may stop a run that begins now for a person. */
export function mayStop({ runtime, settings, door }: CodeHost): boolean {
  return (
    settings.writes === "approve" ||
    door !== undefined ||
    runtime.slots.beforeSend.approve !== undefined ||
    runtime.slots.beforeSend.confidential.mayHold
  );
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
